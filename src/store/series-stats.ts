import { compareText } from '../contract/order.js'
import type { SeriesAttempt } from '../contract/types.js'
import { rowIn, seriesEntries } from './series-rows.js'
import type { HistorySnapshot } from './snapshot.js'
import type { HistoryStatsResult, ModelStats } from './types.js'

/** What a history of any series holds, from one pass over its rows. */
export async function seriesStats(
  snapshot: HistorySnapshot,
): Promise<Omit<HistoryStatsResult, 'logs'>> {
  const { bytes, journal_mode } = await snapshot.run(snapshot.place())
  const models = new Map<string, CountedModel>()
  const [origins, series] = [new Set<string>(), new Set<string>()]
  let with_provenance = 0
  for await (const entries of seriesEntries(snapshot)) {
    for (const each of entries) {
      const { kind, originAt, series: id = '', horizonHours, model } = each.key
      const row = rowIn(each) as Partial<SeriesAttempt> | undefined
      if (row?.provenance !== undefined) with_provenance++
      const of = models.get(model) ?? newModel(model)
      models.set(model, of)
      series.add(id)
      if (kind === 'attempt') of[row?.status === 'abstained' ? 'abstained' : 'failed']++
      else {
        origins.add(originAt)
        of.forecasts++
        of.horizons[horizonHours] = (of.horizons[horizonHours] ?? 0) + 1
      }
    }
  }
  const all = [...models.values()].sort((a, b) => compareText(a.model, b.model))
  const sum = (of: 'forecasts' | 'failed' | 'abstained') => all.reduce((n, each) => n + each[of], 0)
  return {
    bytes,
    series: series.size,
    forecasts: sum('forecasts'),
    attempts: { failed: sum('failed'), abstained: sum('abstained') },
    origins: origins.size,
    ...NO_HOURS,
    with_provenance,
    journal_mode,
    models: all,
  }
}

/** A store does not know which period is the first, and rows of any series are of no run. */
const NO_HOURS = {
  first_origin: null,
  last_origin: null,
  hours_without_origin: null,
  runs: null,
  kept_whole: 0,
  ordering_index: true,
} as const

export type CountedModel = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

export function newModel(model: string): CountedModel {
  const none = { forecasts: 0, failed: 0, abstained: 0 }
  return { model, horizons: {}, ...none, first_origin: null, last_origin: null }
}
