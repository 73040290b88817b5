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

/** Of one baseline: the keys of its cells in a window, and those without a forecast. */
interface Silence {
  /** By series and step. */
  readonly keys: Uint32Array
  readonly silent: Uint32Array
  /** Position of the last origin without a forecast. */
  last: number
}

interface Cell extends Keys {
  readonly series: string
  readonly horizon: number
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
    const cells = [...listCells(silence, rules)]
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
function fewErrors(cells: readonly Cell[], of: Pick<Rules, 'limits'>) {
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
  const { series, steps } = rules
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  const indices = new Map(series.map(({ id }, at) => [id, at]))
  const counts = () => new Uint32Array(series.length * steps.length)
  const byModel = new Map<string, Silence>()
  const isAsked = askedIn(unasked)
  for (const row of seriesBaselineRows(rules, periods, truth, ids, origins, true)) {
    const { model, horizon } = row
    if (!isAsked(model, row.series)) continue
    const origin = positions.get(row.originAt) as number
    const index = indices.get(row.series) as number
    if (Number.isNaN(truth.value(index, origin + horizon))) continue
    const silence = byModel.get(model) ?? { keys: counts(), silent: counts(), last: -1 }
    byModel.set(model, silence)
    const cell = index * steps.length + steps.indexOf(horizon)
    silence.keys[cell]!++
    if (row.forecast !== null) continue
    silence.silent[cell]!++
    silence.last = origin
  }
  return byModel
}

/** The cells that have keys. */
function* listCells({ keys, silent }: Silence, { series, steps }: Rules): Generator<Cell> {
  let at = 0
  for (const { id } of series) {
    for (const horizon of steps) {
      const counts = { keys: keys[at] as number, silent: silent[at] as number }
      if (counts.keys > 0) yield { series: id, horizon, ...counts }
      at++
    }
  }
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
