import type { Attempt, ForecastResource } from '../../src/contract/types.js'
import { EPOCH, HOUR, stamp } from './support.js'

export interface SampleOptions {
  readonly hour?: number
  readonly model?: string
  readonly horizon?: number
}

/** A forecast resource of the plain kind, as the specification describes one. */
export function sample({
  hour = 0,
  model = 'alpha',
  horizon = 2,
}: SampleOptions = {}): ForecastResource {
  const origin = stamp(EPOCH + hour * HOUR)
  return {
    forecast_id: `${origin}:${model}:${horizon}`,
    origin_at: origin,
    target_at: stamp(EPOCH + (hour + horizon) * HOUR),
    horizon_hours: horizon,
    model: { name: model, configuration_id: 'c-1' },
    estimate: { price_usd: 50_500.25, change_pct: 1.0005 },
    interval: { level: 0.8, lower_usd: 49_000, median_usd: 50_400.5, upper_usd: 51_800 },
    confidence: { score: 0.75, label: 'model_agreement', evidence: { model_agreement: 0.75 } },
    run: { id: 'run-1', generated_at: stamp(EPOCH + hour * HOUR + 90_000) },
    lineage: {
      history_key: { origin_at: origin, model_name: model, horizon_hours: horizon },
      source: { name: 'made', pair: 'BTC/USD', price_usd: 50_000 },
      manifest: { manifest_version: 1, code: { commit: 'abc' }, window: [1, 2, { deep: null }] },
    },
    freshness: { observed_at: origin, age_seconds: 90, status: 'fresh' },
  }
}

/** One for each of some hours. */
export const samples = (from: number, to: number): ForecastResource[] =>
  Array.from({ length: to - from }, (_, at) => sample({ hour: from + at }))

export function sampleAttempt({
  hour = 0,
  model = 'alpha',
  horizon = 2,
}: SampleOptions = {}): Attempt {
  return {
    origin_at: stamp(EPOCH + hour * HOUR),
    model_name: model,
    horizon_hours: horizon,
    status: 'failed',
    reason: 'no data',
    recorded_at: stamp(EPOCH + hour * HOUR + 60_000),
  }
}

const freshness = { observed_at: stamp(EPOCH), age_seconds: 1, status: 'fresh' }

export const HISTORY_PAGE = (data: readonly ForecastResource[]) => ({
  api_version: 'v1',
  data,
  pagination: { limit: 50, next_cursor: null },
  freshness,
})

export const STATIC_PAGE = (data: readonly ForecastResource[]) => ({
  api_version: 'v1',
  snapshot_at: stamp(EPOCH),
  data,
  freshness,
  pagination: { page_size: 100, next_url: null },
})
