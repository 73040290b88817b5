import { readFileSync } from 'node:fs'
import type { ForecastResource, Protocol } from '../../src/contract/types.js'

/** A forecast resource that keeps every rule. */
export function forecast(over: Partial<ForecastResource> = {}): ForecastResource {
  return {
    forecast_id: '2026-01-02T03:00:00+00:00:alpha:4',
    origin_at: '2026-01-02T03:00:00+00:00',
    target_at: '2026-01-02T07:00:00+00:00',
    horizon_hours: 4,
    model: { name: 'alpha', configuration_id: 'c0ffee' },
    estimate: { price_usd: 50_500, change_pct: 1 },
    interval: { level: 0.8, lower_usd: 49_000, median_usd: 50_400, upper_usd: 52_000 },
    confidence: { score: 0.75, label: 'model_agreement', evidence: { model_agreement: 0.75 } },
    run: { id: 'run-1', generated_at: '2026-01-02T03:01:00+00:00' },
    lineage: {
      history_key: {
        origin_at: '2026-01-02T03:00:00+00:00',
        model_name: 'alpha',
        horizon_hours: 4,
      },
      source: { name: 'kraken', pair: 'BTC/USD', price_usd: 50_000 },
      manifest: { version: 1, code: 'abc' },
    },
    freshness: { observed_at: '2026-01-02T03:00:00+00:00', age_seconds: 60, status: 'fresh' },
    ...over,
  }
}

const OWN = readFileSync(new URL('../../protocols/btcusd-hourly-1.json', import.meta.url), 'utf8')

/** A protocol that keeps every rule of its schema, with texts that say nothing; its digest is made up. */
export function protocol(): Protocol {
  const made = JSON.parse(OWN, (key, value) => {
    if (key === 'protocol_sha256') return '0'.repeat(64)
    return typeof value === 'string' && value.length > 40 ? 'a text' : value
  })
  made.protocol_version = 'sample-1'
  made.uncertainty.seed = 410
  return made
}
