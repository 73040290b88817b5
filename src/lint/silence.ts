import { type Finding, finding } from '../contract/findings/finding.js'
import { parseInstant } from '../contract/instant.js'
import type { Plan, Registration } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { Rules } from '../protocol/rules/compile.js'
import { findWindowOrigins } from '../registration/series-plan-rules.js'
import { askedIn, notAsked } from '../scoring/baselines/reach.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import type { TruthVintage } from '../truth/releases-vintage.js'
import { createSeriesTruth, type SeriesTruth } from '../truth/series-truth.js'

interface Keys {
  keys: number
  silent: number
}

/** For one baseline: the number of keys in a window without a forecast. */
interface Silence {
  readonly cells: Map<string, Keys & { readonly series: string; readonly horizon: number }>
  /** Position of the last origin without a forecast. */
  last: number
}

/**
 * Reports required baselines with too few forecasts in a window: those with too few own errors, and those that leave a
 * test too few pairs. Without forecasts of the comparator nothing can be compared, and the window is wasted. Unknown
 * values are assumed to become public at the earliest moment.
 * @param planned - if `not_asked` is not given, it is computed.
 * @param vintage - outcomes so far; without it all values are assumed.
 */
export function silenceFindings(
  planned: Pick<Plan, 'window'> & Partial<Pick<Registration, 'not_asked'>>,
  rules: Rules,
  periods: PeriodList,
  vintage: TruthVintage | undefined,
): Finding[] {
  const { forecast, baselines, dependence } = rules
  const origins = findWindowOrigins(periods, planned.window)
  const unasked = planned.not_asked ?? notAsked(rules, periods, origins)
  const truth = assumedTruth(rules, periods, vintage)
  const required = new Set(rules.required.map(({ name }) => name))
  const ids = baselines.map(({ id }) => id).filter((id) => required.has(id))
  const byModel = silences(rules, periods, truth, { ids, origins, unasked })
  const next = (last: number) => periods[origins.find((at) => at > last) ?? -1]?.label ?? null
  return [...byModel].flatMap(([comparator, silence]): Finding[] => {
    const { errors } = baselines.find(({ id }) => id === comparator) ?? {}
    const cells = [...silence.cells.values()]
    const of = { comparator, next: next(silence.last) }
    const position = { pointer: '/window' }
    const few = errors && forecast.levels.length > 0 && fewErrors(cells, rules)
    if (few)
      return [finding('own-errors-few', { ...of, minimum: errors.minimum, ...few }, position)]
    const { minimum_pairs: minimum } = dependence
    const short = cells
      .map(({ silent, keys, ...cell }) => ({ ...cell, keys, made: keys - silent }))
      .filter(({ keys, made }) => keys >= minimum && made < minimum)
      .sort((a, b) => a.made - b.made)
    const [worst] = short
    const args = worst && { ...of, minimum, cells: short.length, ...worst }
    return args ? [finding('comparator-pairs-few', args, position)] : []
  })
}

/** Undefined if there are enough own errors for the limits of availability. */
function fewErrors(
  cells: readonly (Keys & { readonly series: string })[],
  of: Pick<Rules, 'limits'>,
) {
  const all: Keys = { keys: 0, silent: 0 }
  const bySeries = new Map<string, Keys>()
  for (const { series, keys, silent } of cells) {
    const seriesKeys = bySeries.get(series) ?? { keys: 0, silent: 0 }
    bySeries.set(series, seriesKeys)
    for (const sum of [all, seriesKeys]) {
      sum.keys += keys
      sum.silent += silent
    }
  }
  const share = ({ silent, keys }: Keys) => silent / keys
  const worst = [...bySeries]
    .map(([id, own]) => ({ id, ...own }))
    .reduce((a, b) => (share(b) > share(a) ? b : a))
  const { availability, availability_stratum: ofSeries } = of.limits
  const isMuch = all.silent > all.keys * availability
  if (!isMuch && share(worst) <= ofSeries) return undefined
  return { ...all, series: worst.id, seriesSilent: worst.silent, seriesKeys: worst.keys }
}

interface Asked {
  readonly unasked: Registration['not_asked']
  readonly ids: readonly string[]
  readonly origins: readonly number[]
}

/** By baseline; keys without an outcome are in no test and are not counted. */
function silences(
  rules: Rules,
  periods: PeriodList,
  truth: SeriesTruth,
  { ids, origins, unasked }: Asked,
): ReadonlyMap<string, Silence> {
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  const indices = new Map(rules.series.map(({ id }, at) => [id, at]))
  const byModel = new Map<string, Silence>()
  const isAsked = askedIn(unasked)
  for (const row of seriesBaselineRows(rules, periods, truth, ids, origins, true)) {
    if (!isAsked(row.model, row.series)) continue
    const origin = positions.get(row.originAt) as number
    const outcome = truth.value(indices.get(row.series) as number, origin + row.horizon)
    if (Number.isNaN(outcome)) continue
    const { series, horizon, model } = row
    const all: Silence = byModel.get(model) ?? { cells: new Map(), last: -1 }
    const key = `${horizon} ${series}`
    const cell = all.cells.get(key) ?? { series, horizon, keys: 0, silent: 0 }
    byModel.set(model, all)
    all.cells.set(key, cell)
    cell.keys++
    if (row.forecast !== null) continue
    cell.silent++
    all.last = origin
  }
  return byModel
}

/** Outcomes with a value for each that is unknown; which value does not matter. */
export function assumedTruth(
  rules: Rules,
  periods: PeriodList,
  vintage: TruthVintage | undefined,
): SeriesTruth {
  const until = parseInstant(vintage?.manifest.complete_to ?? '') ?? Number.NEGATIVE_INFINITY
  const given = vintage && createSeriesTruth(rules, periods, vintage)
  const assumed = Math.max(1, rules.forecast.minimum ?? 1)
  const isAhead = (period: number) => rules.known(period) > until
  return {
    value: (series, period) => {
      const value = given?.value(series, period) ?? Number.NaN
      return Number.isNaN(value) && rules.settled(period) > until ? assumed : value
    },
    view: () => Number.NaN,
    releases: (series, period) => {
      const rows = given?.releases(series, period) ?? []
      if (rows.length > 0 || !isAhead(period)) return rows
      return [{ asOf: rules.known(period), value: assumed }]
    },
  }
}
