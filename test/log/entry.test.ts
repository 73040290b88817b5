import { describe, expect, it } from 'vitest'
import { attemptEntry, forecastEntry } from '../../src/history/leaf.js'
import { sample, sampleAttempt } from '../history/samples.js'

const ORIGIN = '2026-01-01T00:00:00+00:00'

describe('the entry of a leaf', () => {
  it('is a forecast in canonical form without its freshness', () => {
    const entry =
      '{"confidence":{"evidence":{"model_agreement":0.75},"label":"model_agreement","score":0.75},' +
      '"estimate":{"change_pct":1.0005,"price_usd":50500.25},' +
      `"forecast_id":"${ORIGIN}:alpha:2","horizon_hours":2,` +
      '"interval":{"level":0.8,"lower_usd":49000,"median_usd":50400.5,"upper_usd":51800},' +
      `"lineage":{"history_key":{"horizon_hours":2,"model_name":"alpha","origin_at":"${ORIGIN}"},` +
      '"manifest":{"code":{"commit":"abc"},"manifest_version":1,"window":[1,2,{"deep":null}]},' +
      '"source":{"name":"made","pair":"BTC/USD","price_usd":50000}},' +
      '"model":{"configuration_id":"c-1","name":"alpha"},' +
      `"origin_at":"${ORIGIN}",` +
      '"run":{"generated_at":"2026-01-01T00:01:30+00:00","id":"run-1"},' +
      '"target_at":"2026-01-01T02:00:00+00:00"}'
    expect(forecastEntry(sample())).toBe(entry)
    const { freshness, ...stored } = sample()
    expect(forecastEntry(stored)).toBe(entry)
  })

  it('is an attempt in canonical form', () => {
    expect(attemptEntry(sampleAttempt())).toBe(
      `{"horizon_hours":2,"model_name":"alpha","origin_at":"${ORIGIN}","reason":"no data",` +
        '"recorded_at":"2026-01-01T00:01:00+00:00","status":"failed"}',
    )
  })
})
