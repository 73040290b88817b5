import { MICROS_PER_SECOND } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import { listScores } from '../scoring/scores.js'
import { CompensatedSum, MeanOfMeans } from '../scoring/sum.js'
import type { SeriesTruth } from '../truth/series-truth.js'
import { TruthView } from '../truth/truth-view.js'
import { registeredModels, type SeriesTaskBasis } from './plan.js'
import type { Result } from './result/result.js'

type SeenByPersistence = Pick<Result['window'], 'seen_after_end' | 'lower_if_final'>

export const PERSISTENCE_NOT_ASKED: SeenByPersistence = {
  seen_after_end: null,
  lower_if_final: null,
}

/** How much persistence depends on the dates of values and on preliminary ones. */
export function seenByPersistence(basis: SeriesTaskBasis): SeenByPersistence {
  const asked = registeredModels(basis.registration, 'built_in')
  const persistence = basis.rules.baselines.find(
    ({ id, kind }) => kind === 'persistence' && asked.includes(id),
  )
  if (persistence === undefined) return PERSISTENCE_NOT_ASKED
  return { seen_after_end: medianAge(basis), lower_if_final: gainOfFinal(basis, persistence.id) }
}

/** From the end of a period to when its value was public, in seconds, over the origins of all series. */
function medianAge({ rules, periods, truth, origins }: SeriesTaskBasis): number | null {
  // Counted, because there may be many series and ages are mostly alike.
  const counts = new Map<number, number>()
  for (const series of rules.series.keys()) {
    const view = new TruthView(truth, series, periods.length, rules)
    for (const origin of origins) {
      view.show(rules.due(origin))
      const seen = periods[view.newest]
      if (seen === undefined) continue
      const age = (view.since(view.newest) - seen.end) / MICROS_PER_SECOND
      counts.set(age, (counts.get(age) ?? 0) + 1)
    }
  }
  const half = [...counts.values()].reduce((sum, count) => sum + count, 0) / 2
  let passed = 0
  let lower: number | undefined
  for (const [age, count] of [...counts].sort(([a], [b]) => a - b)) {
    passed += count
    if (passed >= half) lower ??= age
    if (passed > half) return ((lower ?? age) + age) / 2
  }
  return null
}

/** The share by which the loss of persistence, a mean of cell means, would be lower with the values that count. */
function gainOfFinal(basis: SeriesTaskBasis, id: string): number | null {
  const { rules, registration, periods, truth, origins } = basis
  if (rules.outcome.release.rule === 'unrevised') return 0
  const positions = new Map(rules.series.map((each, at) => [each.id, at]))
  const primary = listScores(rules, registration.scales).find((each) => each.primary)
  const computeLoss = (row: PairingRow): number => {
    const series = positions.get(row.series) as number
    const outcome = truth.value(series, rules.calendar.position(row.originAt) + row.horizon)
    const quantiles = Float64Array.from(row.quantiles, Number)
    const point = row.forecast === null ? Number.NaN : Number(row.forecast)
    return primary?.of(point, quantiles, outcome, series, Number.NaN) ?? Number.NaN
  }
  const createRows = (of: SeriesTruth) =>
    seriesBaselineRows(rules, periods, of, [id], origins)[Symbol.iterator]()
  const means = { seen: new MeanOfMeans(), final: new MeanOfMeans() }
  // Rows come by series: the sums of one, by step, are held at a time.
  const sums = new Map<number, { seen: CompensatedSum; final: CompensatedSum; count: number }>()
  const closeSeries = () => {
    for (const { seen, final, count } of sums.values()) {
      means.seen.add(seen.value / count)
      means.final.add(final.value / count)
    }
    sums.clear()
  }
  const finalRows = createRows(atOnceFinal(truth))
  let current: string | undefined
  for (const row of { [Symbol.iterator]: () => createRows(truth) }) {
    if (row.series !== current) closeSeries()
    current = row.series
    const [seen, final] = [computeLoss(row), computeLoss(finalRows.next().value)]
    if (Number.isNaN(seen + final)) continue
    const sum = sums.get(row.horizon) ?? {
      ...{ seen: new CompensatedSum(), final: new CompensatedSum(), count: 0 },
    }
    sum.seen.add(seen)
    sum.final.add(final)
    sum.count++
    sums.set(row.horizon, sum)
  }
  closeSeries()
  const [seen, final] = [means.seen.value, means.final.value]
  return seen && final !== null ? 1 - final / seen : null
}

/** The values that count, each from when its first one was public. */
const atOnceFinal = (truth: SeriesTruth): SeriesTruth => ({
  ...truth,
  releases: (series, period) => {
    const releases = truth.releases(series, period)
    const value = truth.value(series, period)
    const first = releases.find((each) => each.value !== undefined)
    return Number.isNaN(value) || first === undefined ? releases : [{ asOf: first.asOf, value }]
  },
})
