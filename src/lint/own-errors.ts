import { type Finding, finding } from '../contract/findings/finding.js'
import { instantOf } from '../contract/instant.js'
import type { SeriesPlan, SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { compileRules } from '../protocol/rules/compile.js'
import { windowOrigins } from '../registration/series-plan-rules.js'
import { askedIn, notAsked } from '../scoring/baselines/reach.js'
import { seriesBaselineRows } from '../scoring/baselines/series.js'
import { type SeriesTruth, seriesTruth } from '../task/series-truth.js'
import type { TruthVintage } from '../truth/vintage.js'

/** Of one baseline: how many keys of a window it can make no forecast for. */
interface Silence {
  keys: number
  silent: number
  /** By series. */
  readonly series: Map<string, { keys: number; silent: number }>
  /** Position of the last origin at which it makes none. */
  last: number
}

/**
 * Required baselines whose own errors are too few in a window: a comparator that makes no forecast leaves nothing to
 * compare with, and the window is spent. Values that are not known yet are taken as public at the earliest moment.
 * @param vintage - outcomes so far; without it all values are taken so.
 */
export function ownErrorFindings(
  { window }: Pick<SeriesPlan, 'window'>,
  protocol: SeriesProtocol,
  periods: PeriodList,
  vintage: TruthVintage | undefined,
): Finding[] {
  const { forecast, baselines, comparisons, limits } = protocol
  const required = baselines.filter(({ id }) => comparisons.required.includes(id))
  const asking = required.filter(({ errors }) => errors !== undefined && forecast.levels.length > 0)
  if (asking.length === 0) return []
  const times = compileRules(protocol, periods)
  const truth = assumedTruth(protocol, periods, times, vintage)
  const origins = windowOrigins(periods, window)
  const found = silences(protocol, periods, times, truth, {
    ids: asking.map(({ id }) => id),
    origins,
  })
  return [...found].flatMap(([comparator, { keys, silent, series, last }]) => {
    const shares = [...series].map(([id, own]) => ({ id, share: own.silent / own.keys, ...own }))
    const worst = shares.reduce((a, b) => (b.share > a.share ? b : a))
    const isMuch = silent > keys * Number(limits.availability)
    if (!isMuch && worst.share <= Number(limits.availability_stratum)) return []
    const minimum = asking.find(({ id }) => id === comparator)?.errors?.minimum ?? 0
    const next = periods[origins.find((at) => at > last) ?? -1]?.label ?? null
    const of = { series: worst.id, seriesSilent: worst.silent, seriesKeys: worst.keys }
    const args = { comparator, silent, keys, minimum, next, ...of }
    return [finding('own-errors-few', args, { pointer: '/window' })]
  })
}

/** By baseline; keys without an outcome are in no test and are not counted. */
function silences(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
  truth: SeriesTruth,
  { ids, origins }: { readonly ids: readonly string[]; readonly origins: readonly number[] },
): ReadonlyMap<string, Silence> {
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  const indexOf = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const found = new Map<string, Silence>()
  const isAsked = askedIn(notAsked(protocol, periods, times, origins))
  for (const row of seriesBaselineRows(protocol, periods, times, truth, ids, origins)) {
    if (!isAsked(row.model, row.series)) continue
    const origin = positions.get(row.originAt) as number
    const outcome = truth.value(indexOf.get(row.series) as number, origin + row.horizon)
    if (Number.isNaN(outcome)) continue
    const all = found.get(row.model) ?? { keys: 0, silent: 0, series: new Map(), last: -1 }
    const own = all.series.get(row.series) ?? { keys: 0, silent: 0 }
    found.set(row.model, all)
    all.series.set(row.series, own)
    all.keys++
    own.keys++
    if (row.forecast !== null) continue
    all.silent++
    own.silent++
    all.last = origin
  }
  return found
}

/** Outcomes with a value in the place of each that is not known yet; which value does not matter. */
export function assumedTruth(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
  vintage: TruthVintage | undefined,
): SeriesTruth {
  const until = instantOf(vintage?.manifest.complete_to ?? '') ?? Number.NEGATIVE_INFINITY
  const given = vintage && seriesTruth(protocol, periods, times, vintage)
  const assumed = Math.max(1, Number(protocol.forecast.minimum ?? 1))
  const isAhead = (period: number) => times.known(period) > until
  return {
    value: (series, period) => {
      const value = given?.value(series, period) ?? Number.NaN
      return Number.isNaN(value) && times.settled(period) > until ? assumed : value
    },
    view: () => Number.NaN,
    releases: (series, period) => {
      const rows = given?.releases(series, period) ?? []
      if (rows.length > 0 || !isAhead(period)) return rows
      return [{ asOf: times.known(period), value: assumed }]
    },
  }
}
