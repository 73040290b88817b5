import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, type Instant } from '../../contract/instant.js'
import type { SeriesProtocol } from '../../contract/types.js'
import {
  describePeriods,
  type Period,
  type PeriodFacts,
  type PeriodList,
} from '../../periods/list.js'
import { expectedFrom, type SeriesTimes } from '../../periods/series-times.js'
import { compileRules } from './compile.js'

/**
 * The faults of a protocol in combination with its list of periods: figures that differ, a forecast that is due after
 * its outcome can be known, blocks shorter than the dependence of errors.
 * @param protocol - without findings of its own.
 * @param periods - undefined if no list is given.
 */
export function checkSeriesPeriods(
  protocol: SeriesProtocol,
  periods: PeriodList | undefined,
): Finding[] {
  if (periods === undefined) return [NO_LIST]
  const differing = [
    ...factFindings(protocol, describePeriods(periods)),
    ...besideFindings(protocol, periods),
    ...fromFindings(protocol, periods),
  ]
  if (differing.length > 0) return differing
  const times = compileRules(protocol, periods)
  return (
    first(originFindings(protocol, periods, times)) ??
    first(settledFindings(periods, times)) ??
    blockFindings(protocol, periods, times)
  )
}

/** Without its list, a protocol of version 2 cannot be checked. */
export const NO_LIST = finding('series-periods', {
  fault: 'absent',
  found: '',
  what: '',
  expected: '',
})

/**
 * Reports a column of instants that the protocol also derives from an end of each period, because one of the two would
 * be ignored.
 */
function besideFindings({ origins, outcome }: SeriesProtocol, periods: PeriodList): Finding[] {
  const members = [
    ['due', '/origins/due', origins.due],
    ['known', '/outcome/known', outcome.known],
  ] as const
  return members.flatMap(([what, pointer, { anchor }]) => {
    if (anchor === 'column' || periods.every((period) => period[what] === undefined)) return []
    return [wrong(pointer, { fault: 'beside', found: anchor, what, expected: '' })]
  })
}

/** Series whose `from` is not a period of the list. */
function fromFindings({ series }: SeriesProtocol, periods: PeriodList): Finding[] {
  return series.flatMap((each, at) => {
    const { id, from = '' } = each
    if (expectedFrom(each, periods) >= 0) return []
    const args = { fault: 'from', found: from, what: id, expected: '' } as const
    return [wrong(`/series/${at}/from`, args)]
  })
}

/** Keeps only the first finding, because a rule that is broken once is usually broken throughout. */
function first(findings: Iterable<Finding>): Finding[] | undefined {
  for (const fault of findings) return [fault]
  return undefined
}

function wrong(pointer: string, args: ArgsOf<'series-periods'>): Finding {
  return finding('series-periods', args, { pointer })
}

function factFindings({ periods }: SeriesProtocol, facts: PeriodFacts): Finding[] {
  const names = ['count', 'first', 'last', 'sha256'] as const
  const what = names.find((name) => periods[name] !== facts[name])
  if (what === undefined) return []
  const [found, expected] = [String(facts[what]), String(periods[what])]
  return [wrong(`/periods/${what}`, { fault: 'differs', what, found, expected })]
}

function* originFindings(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
): Generator<Finding> {
  const asked = new Set(protocol.horizons)
  const labelAt = (at: number) => (periods[at] as Period).label
  const reached = new Set<number>()
  for (const [at, { label }] of periods.entries()) {
    const due = times.due(at)
    for (const step of times.targetsAt(at)) {
      reached.add(step)
      const target = labelAt(at + step)
      const knownAt = times.known(at + step)
      const args = { found: label, expected: target }
      if (!asked.has(step))
        yield wrong('/horizons', { fault: 'steps', ...args, what: String(step) })
      if (Number.isNaN(due)) {
        yield wrong('/origins/due', { fault: 'column', ...args, what: 'due' })
      } else if (Number.isNaN(knownAt)) {
        const empty = { found: target, expected: '', what: 'known' }
        yield wrong('/outcome/known', { fault: 'column', ...empty })
      } else if (due > knownAt) {
        yield wrong('/origins/due', { fault: 'due', ...args, what: formatUtc(due) })
      }
    }
  }
  for (const [index, step] of protocol.horizons.entries()) {
    if (reached.has(step)) continue
    const args = { fault: 'targets', found: String(step), what: '', expected: '' } as const
    yield wrong(`/horizons/${index}`, args)
  }
  const { period_steps: apart = 0 } = protocol.scaling
  if (apart < periods.length) return
  const args = { fault: 'scale', found: String(apart), what: '', expected: '' } as const
  yield wrong('/scaling/period_steps', args)
}

function* settledFindings(periods: PeriodList, times: SeriesTimes): Generator<Finding> {
  for (const [at, { label }] of periods.entries()) {
    const [knownAt, settled] = [times.known(at), times.settled(at)]
    if (!(settled < knownAt)) continue
    const args = { found: label, what: formatUtc(settled), expected: formatUtc(knownAt) }
    yield wrong('/outcome/release', { fault: 'settled', ...args })
  }
}

/**
 * Errors of two origins depend on each other as long as one is due before baselines see the other's outcomes. This
 * lasts as many steps as lie between the last horizon and the newest outcome that baselines see when a forecast is due.
 */
function blockFindings(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
): Finding[] {
  const needed = dependentOrigins(periods, times)
  const { block_origins: found } = protocol.dependence
  if (found >= needed) return []
  const args = { fault: 'block', found: String(found), expected: String(needed), what: '' } as const
  return [wrong('/dependence/block_origins', args)]
}

/**
 * The length of the dependence in origins: its steps divided by the smallest distance between two origins, rounded up.
 */
function dependentOrigins(periods: PeriodList, times: SeriesTimes): number {
  let [longest, min] = [0, Number.POSITIVE_INFINITY]
  let before: number | undefined
  // A value that is known before an earlier one counts only with that one: this makes blocks longer, never shorter.
  let newest = -1
  // A value without a date is visible at the end of its period, whatever `known` states.
  const publicBy = (at: number, due: Instant) =>
    Math.max(times.known(at), (periods[at] as Period).end) <= due
  for (const at of periods.keys()) {
    const last = times.targetsAt(at).at(-1)
    if (last === undefined) continue
    while (newest + 1 < periods.length && publicBy(newest + 1, times.due(at))) newest++
    longest = Math.max(longest, last - (newest - at))
    if (before !== undefined) min = Math.min(min, at - before)
    before = at
  }
  return min === Number.POSITIVE_INFINITY ? 1 : Math.ceil(longest / min)
}
