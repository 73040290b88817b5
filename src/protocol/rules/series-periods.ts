import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, type Instant } from '../../contract/instant.js'
import type { SeriesProtocol } from '../../contract/types.js'
import { type Period, type PeriodFacts, type PeriodList, periodFacts } from '../../periods/list.js'
import { later, type Offset, parseOffset } from '../../periods/offset.js'
import { type Zone, zoneNamed } from '../../periods/zone.js'

type InstantRule = SeriesProtocol['outcome']['known']

/**
 * What is wrong with a protocol together with its list of periods: figures that differ, a forecast that is due after
 * its outcome can be known, blocks shorter than errors depend on each other.
 * @param protocol - without findings of its own.
 */
export function checkSeriesPeriods(protocol: SeriesProtocol, periods: PeriodList): Finding[] {
  const differing = factFindings(protocol, periodFacts(periods))
  if (differing.length > 0) return differing
  const zone = zoneNamed(protocol.zone) as Zone
  const due = periods.map((period) => instantBy(protocol.origins.due, period, period.due, zone))
  const known = periods.map((period) =>
    instantBy(protocol.outcome.known, period, period.known, zone),
  )
  return (
    first(originFindings(protocol, periods, due, known)) ??
    first(settledFindings(protocol, periods, known, zone)) ??
    blockFindings(protocol, periods, due as Instant[], known as Instant[])
  )
}

/** The first of some findings: a rule that is broken once is mostly broken throughout. */
function first(findings: Iterable<Finding>): Finding[] | undefined {
  for (const found of findings) return [found]
  return undefined
}

function wrong(pointer: string, args: ArgsOf<'series-periods'>): Finding {
  return finding('series-periods', args, { pointer })
}

function factFindings({ periods }: SeriesProtocol, facts: PeriodFacts): Finding[] {
  const names = ['count', 'first', 'last', 'sha256'] as const
  const what = names.find((name) => periods[name] !== facts[name])
  if (what === undefined) return []
  const args = {
    fault: 'differs',
    what,
    found: String(facts[what]),
    expected: String(periods[what]),
  }
  return [wrong(`/periods/${what}`, args as ArgsOf<'series-periods'>)]
}

/** When something of a period is due or known; undefined where its column is empty. */
function instantBy(
  { anchor, offset = 'PT0S' }: InstantRule,
  period: Period,
  own: Instant | undefined,
  zone: Zone,
): Instant | undefined {
  return anchor === 'column' ? own : later(period[anchor], parseOffset(offset) as Offset, zone)
}

/** The targets of an origin by their positions, with the steps that lead there. */
function targetsOf(
  { horizons }: SeriesProtocol,
  periods: PeriodList,
  at: number,
): { readonly step: number; readonly to: number }[] {
  const { origin = true, steps = horizons } = periods[at] as Period
  if (!origin) return []
  return steps
    .map((step) => ({ step, to: at + step }))
    .filter(({ to }) => periods[to] !== undefined)
}

function* originFindings(
  protocol: SeriesProtocol,
  periods: PeriodList,
  due: readonly (Instant | undefined)[],
  known: readonly (Instant | undefined)[],
): Generator<Finding> {
  const asked = new Set(protocol.horizons)
  let targets = 0
  for (const [at, { label }] of periods.entries()) {
    for (const { step, to } of targetsOf(protocol, periods, at)) {
      targets++
      const target = (periods[to] as Period).label
      const [by, from] = [due[at], known[to]]
      const args = { found: label, expected: target }
      if (!asked.has(step))
        yield wrong('/horizons', { fault: 'steps', ...args, what: String(step) })
      if (by === undefined) {
        yield wrong('/origins/due', { fault: 'column', ...args, what: 'due' })
      } else if (from === undefined) {
        yield wrong('/outcome/known', {
          fault: 'column',
          found: target,
          expected: '',
          what: 'known',
        })
      } else if (by > from) {
        yield wrong('/origins/due', { fault: 'due', ...args, what: formatUtc(by) })
      }
    }
  }
  if (targets === 0) {
    yield wrong('/horizons', { fault: 'targets', found: '', what: '', expected: '' })
  }
}

function* settledFindings(
  { outcome: { release } }: SeriesProtocol,
  periods: PeriodList,
  known: readonly (Instant | undefined)[],
  zone: Zone,
): Generator<Finding> {
  for (const [at, { label, end }] of periods.entries()) {
    const from = known[at]
    const settled =
      release.at === undefined
        ? release.lag && later(end, parseOffset(release.lag) as Offset, zone)
        : Date.parse(release.at) * 1000
    if (from === undefined || typeof settled !== 'number' || settled >= from) continue
    const args = { found: label, what: formatUtc(settled), expected: formatUtc(from) }
    yield wrong('/outcome/release', { fault: 'settled', ...args })
  }
}

/**
 * Errors of two origins depend on each other as long as the one is due before outcomes of the other are known: so many
 * steps lie between the last horizon and the newest outcome that is known when a forecast is due.
 */
function blockFindings(
  protocol: SeriesProtocol,
  periods: PeriodList,
  due: readonly Instant[],
  known: readonly Instant[],
): Finding[] {
  const needed = dependentOrigins(protocol, periods, due, known)
  const { block_origins: found } = protocol.dependence
  if (found >= needed) return []
  const args = { fault: 'block', found: String(found), expected: String(needed), what: '' } as const
  return [wrong('/dependence/block_origins', args)]
}

/** The length of the dependence in origins: its steps by the smallest distance between two origins, rounded up. */
function dependentOrigins(
  protocol: SeriesProtocol,
  periods: PeriodList,
  due: readonly Instant[],
  known: readonly Instant[],
): number {
  let [longest, least] = [0, Number.POSITIVE_INFINITY]
  let before: number | undefined
  // What is known before an earlier one is, is not counted: that makes blocks longer, never shorter.
  let newest = -1
  for (const at of periods.keys()) {
    const last = targetsOf(protocol, periods, at).at(-1)?.step
    if (last === undefined) continue
    while ((known[newest + 1] ?? Number.POSITIVE_INFINITY) <= (due[at] as Instant)) newest++
    longest = Math.max(longest, last - (newest - at))
    if (before !== undefined) least = Math.min(least, at - before)
    before = at
  }
  return least === Number.POSITIVE_INFINITY ? 1 : Math.ceil(longest / least)
}
