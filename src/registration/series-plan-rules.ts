import { type ArgsOf, type Finding, finding, type Severity } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { Plan } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { SEASON_LENGTHS, type Season } from '../periods/seasons.js'
import { expectedFrom, targetsFrom } from '../periods/series-times.js'
import type { Rules } from '../protocol/rules/compile.js'
import { lackingStandard, leastErrors } from '../protocol/rules/policy.js'
import { missingStandard, neededIn } from '../protocol/rules/standard.js'
import { askedIn, notAsked } from '../scoring/baselines/reach.js'

/** How many periods with values must precede a window: if the list began with it, comparators would have no values. */
const LEAST_LEAD = 50

/** The first position that may be the first origin of a window, and the period from which it is counted. */
export function leastFirst({ series }: Pick<Rules, 'series'>, periods: PeriodList) {
  const since = Math.max(...series.map((each) => expectedFrom(each, periods)))
  return { since, first: since + LEAST_LEAD }
}

/**
 * Standard comparators of seasons that are possible in a window but not required: if a list has periods of several
 * lengths, the protocol as a whole may need others.
 */
function unrequiredFindings(
  rules: Rules,
  periods: PeriodList,
  origins: readonly number[],
): Finding[] {
  // A single target has no distance to another, which decides what seasons are asked.
  if (new Set(targetsFrom(rules, origins)).size < 2) return []
  const seasons = Object.keys(SEASON_LENGTHS) as Season[]
  const missing = missingStandard(rules, seasons, leastErrors(rules)).filter(
    ({ baseline: { season } }) => season !== undefined,
  )
  if (missing.length === 0) return []
  const baselines = missing.map(({ baseline }) => baseline)
  const required = baselines.map(({ id }) => ({ name: id, model: { built_in: id } }))
  const isAsked = askedIn(notAsked({ ...rules, baselines, required }, periods, origins))
  const asked = missing.filter(({ baseline }) =>
    rules.series.some(({ id }) => isAsked(baseline.id, id)),
  )
  return lackingStandard(asked, '/window')
}

/** A required comparator that has too few periods of the list before a window, and a series for which this is so. */
function unaskedIn(rules: Rules, periods: PeriodList, origins: readonly number[]) {
  const isNeeded = neededIn(periods, rules, origins)
  const needed = rules.baselines.filter(isNeeded).map(({ id }) => id)
  const unasked = notAsked(rules, periods, origins)
  return unasked.find(({ comparator }) => needed.includes(comparator))
}

/** First and last origin by their labels. */
type Ends = Pick<Plan['window'], 'from' | 'to'>

/** The part of a list in which forecasts are made. */
export function originsIn(periods: PeriodList): number[] {
  return [...periods.keys()].filter((at) => periods[at]?.origin ?? true)
}

/** The origins of a window by their positions; empty if its ends are not origins in ascending order. */
export function findWindowOrigins(periods: PeriodList, { from, to }: Ends): number[] {
  const origins = originsIn(periods)
  const [first, last] = [from, to].map((end) =>
    origins.findIndex((at) => periods[at]?.label === end),
  )
  return first === undefined || first < 0 ? [] : origins.slice(first, (last ?? -1) + 1)
}

/** Whether all targets of an origin are in the list. */
export function isWhole(
  { steps, targetsAt }: Pick<Rules, 'steps' | 'targetsAt'>,
  periods: PeriodList,
  at: number,
): boolean {
  return targetsAt(at).length === (periods[at]?.steps ?? steps).length
}

/**
 * The faults of a window. Its ends must be origins in ascending order, with periods with values before it, and every
 * target in the list. The first forecasts of a prospective window must be due at registration or later.
 */
export function seriesWindowFindings(
  { mode, window }: Pick<Plan, 'mode'> & { readonly window: Ends },
  rules: Rules,
  periods: PeriodList,
  registeredAt: Instant,
): Finding[] {
  const { due } = rules
  const labelAt = (at: number | undefined) => (at === undefined ? '' : (periods[at]?.label ?? ''))
  const wholeOrigins = () => originsIn(periods).filter((at) => isWhole(rules, periods, at))
  const wrong = (
    end: '' | '/from' | '/to',
    args: Pick<ArgsOf<'series-window'>, 'fault'> & Partial<ArgsOf<'series-window'>>,
    severity?: Severity,
  ) => {
    const allOrigins = wholeOrigins()
    const at = end === '/from' ? window.from : window.to
    const [first, last] = [labelAt(allOrigins[0]), labelAt(allOrigins.at(-1))]
    const all = { at, than: window.from, due: '', first, last, ...args }
    return finding('series-window', all, { pointer: `/window${end}`, severity })
  }
  const ends = (['from', 'to'] as const).flatMap((end) => {
    const period = periods.find(({ label }) => label === window[end])
    if (period?.origin ?? period !== undefined) return []
    return [wrong(`/${end}`, { fault: period === undefined ? 'unknown' : 'no-origin' })]
  })
  if (ends.length > 0) return ends
  const origins = findWindowOrigins(periods, window)
  const [first, last] = [origins[0], origins.at(-1)]
  if (first === undefined || last === undefined) return [wrong('', { fault: 'reversed' })]
  const than = formatUtc(registeredAt)
  const nextLabel = () => labelAt(wholeOrigins().find((at) => due(at) >= registeredAt))
  const lead = leastFirst(rules, periods)
  const cut = origins.find((at) => !isWhole(rules, periods, at))
  const silent = cut === undefined ? unaskedIn(rules, periods, origins) : undefined
  return [
    ...(first < lead.first
      ? [
          wrong('/from', {
            fault: 'lead',
            than: labelAt(lead.since),
            first: labelAt(wholeOrigins().find((at) => at >= lead.first)),
          }),
        ]
      : []),
    ...(cut === undefined ? [] : [wrong('', { fault: 'target', at: labelAt(cut) })]),
    ...unrequiredFindings(rules, periods, origins),
    ...(silent
      ? [wrong('/from', { fault: 'silent', at: silent.comparator, than: silent.series[0] ?? '' })]
      : []),
    ...(mode === 'prospective' && due(first) < registeredAt
      ? [
          wrong('/from', {
            fault: 'has-begun',
            due: formatUtc(due(first)),
            than,
            first: nextLabel(),
          }),
        ]
      : []),
    ...(mode === 'backtest' && due(last) > registeredAt
      ? [wrong('/to', { fault: 'lies-ahead', due: formatUtc(due(last)), than }, 'warning')]
      : []),
  ]
}
