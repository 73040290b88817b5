import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import { remembering } from '../../contract/remembering.js'
import type { Registration, RulesData } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import { createTargetDistance, isAskedFor } from '../../periods/seasons.js'
import { expectedFrom } from '../../periods/series-times.js'
import type { SeriesTruth } from '../../truth/series-truth.js'
import { type BaselineRules, seriesBaselineRows } from './series-baselines.js'

type NotAsked = Registration['not_asked']

/** Whether a comparator is required for a series. */
export function askedIn(
  unasked: ReadonlyDeep<NotAsked>,
): (comparator: string, series: string) => boolean {
  const without = new Map(unasked.map(({ comparator, series }) => [comparator, new Set(series)]))
  return (comparator, series) => without.get(comparator)?.has(series) !== true
}

/**
 * The required baselines that are not asked of every series: those of a season that is hardly longer than the window's
 * targets lie apart, and of a series those that could not forecast half of its keys if every value of it were there
 * from the period on from which values are expected. Outcomes change nothing, so that nobody chooses by them.
 * @param origins - of the window: positions, ascending.
 * @returns in the order in which they are required.
 */
export function notAsked(
  rules: BaselineRules & Pick<RulesData, 'required'>,
  periods: PeriodList,
  origins: readonly number[],
): NotAsked {
  const { series, baselines, required } = rules
  const distance = createTargetDistance(periods, rules, origins)
  const far = baselines.flatMap(({ id, season }) =>
    !season || isAskedFor(season, distance) ? [id] : [],
  )
  const names = required.map(({ name }) => name)
  const ids = names.filter((name) => baselines.some(({ id }) => id === name))
  const asked = ids.filter((id) => far.includes(id))
  // Series with values from the same period on give the same result, so it is computed once for them.
  const reaching = remembering((from: number) =>
    reachingHalf(rules, periods, origins, { asked, from }),
  )
  const starts = new Map(series.map((each) => [each.id, expectedFrom(each, periods)]))
  const isAsked = (id: string, of: string) => reaching(starts.get(of) as number).has(id)
  return ids.flatMap((comparator) => {
    const without = series.flatMap(({ id: of }) => (isAsked(comparator, of) ? [] : [of]))
    return without.length === 0 ? [] : [{ comparator, series: without }]
  })
}

/** The baselines that can forecast half of the keys of a series that has every value from a period on. */
function reachingHalf(
  rules: BaselineRules,
  periods: PeriodList,
  origins: readonly number[],
  { asked, from }: { readonly asked: readonly string[]; readonly from: number },
): ReadonlySet<string> {
  const targets = origins.flatMap((origin) => rules.targetsAt(origin).map((step) => origin + step))
  const half = targets.filter((target) => target >= from).length / 2
  const like = rules.series.filter((each) => expectedFrom(each, periods) === from)
  const one = { ...rules, series: like.slice(0, 1) }
  const made = new Map(asked.map((id) => [id, 0]))
  const reached = new Set(half === 0 ? asked : [])
  const truth = everyValue(from, rules)
  for (const row of seriesBaselineRows(one, periods, truth, asked, origins, true)) {
    if (reached.size === asked.length) break
    if (row.attempt !== null) continue
    const count = (made.get(row.model) ?? 0) + 1
    made.set(row.model, count)
    if (count >= half) reached.add(row.model)
  }
  return reached
}

/** The parts of a registered window that decide whether the year is required. */
interface AskedWindow {
  readonly periods: PeriodList
  readonly rules: Pick<BaselineRules, 'series' | 'baselines' | 'targetsAt'>
  readonly origins: readonly number[]
  readonly registration: Pick<Registration, 'comparators' | 'not_asked'>
}

/**
 * Whether the targets are closer together than a year, and either baseline of the year is required for only some of the
 * series.
 */
export function isYearUnasked(window: AskedWindow): boolean {
  const { periods, rules, origins, registration } = window
  if (!isAskedFor('year', createTargetDistance(periods, rules, origins))) return false
  const isAsked = askedIn(registration.not_asked)
  const yearly = registration.comparators.flatMap(({ name }) => {
    const baseline = rules.baselines.find(({ id, season }) => id === name && season === 'year')
    return baseline && rules.series.every(({ id }) => isAsked(name, id)) ? [baseline.kind] : []
  })
  return new Set(yearly).size < 2
}

/** Outcomes of one series as if it had every value from a period on, each as soon as it can be known. */
function everyValue(from: number, { known }: Pick<BaselineRules, 'known'>): SeriesTruth {
  const value = (_: number, period: number) => (period >= from ? 1 : Number.NaN)
  return {
    value,
    view: (series, period, at) => (known(period) <= at ? value(series, period) : Number.NaN),
    releases: (_, period) => (period >= from ? [{ asOf: known(period), value: 1 }] : []),
  }
}
