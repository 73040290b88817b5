import { MICROS_PER_SECOND } from '../contract/instant.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import { listScores } from '../scoring/scores.js'
import type { SeriesTruth } from '../truth/series-truth.js'
import { TruthView } from '../truth/truth-view.js'
import { registeredModels, type SeriesTaskBasis } from './plan.js'
import type { Result } from './result/result.js'

type SeenByPersistence = Pick<Result['window'], 'seen_after_end' | 'lower_if_final'>

export const NOTHING_SEEN: SeenByPersistence = { seen_after_end: null, lower_if_final: null }

/** What persistence owes to whoever dates the values. */
export function seenByPersistence(basis: SeriesTaskBasis): SeenByPersistence {
  const asked = registeredModels(basis.registration, 'built_in')
  const own = basis.rules.baselines.find(
    ({ id, kind }) => kind === 'persistence' && asked.includes(id),
  )
  if (own === undefined) return NOTHING_SEEN
  return { seen_after_end: medianAge(basis), lower_if_final: gainOfFinal(basis, own.id) }
}

/** From the end of a period to when its value was public, in seconds, over the origins of all series. */
function medianAge({ rules, periods, truth, origins }: SeriesTaskBasis): number | null {
  // Counted, because there may be many series and ages are mostly alike.
  const counts = new Map<number, number>()
  for (const series of rules.series.keys()) {
    const view = new TruthView(truth, series, periods.length, rules)
    for (const origin of origins) {
      const at = rules.due(origin)
      view.show(at)
      const seen = periods[view.newest]
      if (seen === undefined) continue
      const release = truth.releases(series, view.newest).findLast(({ asOf }) => asOf <= at)
      const since = Math.max(release?.asOf ?? Number.NaN, rules.known(view.newest))
      const age = (since - seen.end) / MICROS_PER_SECOND
      counts.set(age, (counts.get(age) ?? 0) + 1)
    }
  }
  const half = [...counts.values()].reduce((sum, count) => sum + count, 0) / 2
  let passed = 0
  for (const [age, count] of [...counts].sort(([a], [b]) => a - b)) {
    passed += count
    if (passed >= half) return age
  }
  return null
}

/** The share by which the loss of persistence would be lower if it had seen the values that count. */
function gainOfFinal(basis: SeriesTaskBasis, id: string): number | null {
  const { rules, registration, periods, truth, origins } = basis
  if (rules.outcome.release.rule === 'unrevised') return 0
  const places = new Map(rules.series.map((each, at) => [each.id, at]))
  const primary = listScores(rules, registration.scales).find((each) => each.primary)
  const lossUnder = (seen: SeriesTruth) => {
    let sum = 0
    for (const row of seriesBaselineRows(rules, periods, seen, [id], origins)) {
      const series = places.get(row.series) as number
      const outcome = truth.value(series, rules.calendar.position(row.originAt) + row.horizon)
      const quantiles = Float64Array.from(row.quantiles, Number)
      const loss = primary?.of(Number(row.forecast), quantiles, outcome, series, Number.NaN)
      if (row.forecast !== null && loss !== undefined && !Number.isNaN(loss)) sum += loss
    }
    return sum
  }
  const [own, final] = [truth, atOnceFinal(truth)].map(lossUnder)
  return own ? 1 - (final ?? 0) / own : null
}

/** The values that count, each from when its first one was public. */
const atOnceFinal = (truth: SeriesTruth): SeriesTruth => ({
  ...truth,
  releases: (series, period) => {
    const releases = truth.releases(series, period)
    const value = truth.value(series, period)
    return Number.isNaN(value)
      ? releases
      : releases.slice(0, 1).map(({ asOf }) => ({ asOf, value }))
  },
})
