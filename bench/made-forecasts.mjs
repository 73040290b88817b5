/** Forecasts for measuring: made, and the same in every run. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stamp } from '../test/history/producer-tables.mjs'

const HOUR = 3_600_000
const START = Date.UTC(2015, 0, 1)
const MODELS = ['alpha', 'beta', 'gamma']
const HORIZONS = [2, 4, 8, 16]
export const MANIFEST = {
  manifest_version: 1,
  code: { commit: 'a'.repeat(40) },
  configuration: { models: MODELS, horizons: HORIZONS, bars: 720 },
  inputs: { window_hours: 720, sha256: 'f'.repeat(64) },
}

/** Rows number `from` to `to`, twelve an hour. */
export function* rows(from, to) {
  for (let n = from; n < to; n++) {
    const hour = Math.floor(n / 12)
    const price = 50_000 + (hour % 997) / 4
    const horizon = HORIZONS[n % 4]
    const predicted = price * (1 + ((n % 89) - 44) / 4000)
    yield {
      origin: stamp(START + hour * HOUR),
      generated: stamp(START + hour * HOUR + 90_000),
      target: stamp(START + (hour + horizon) * HOUR),
      model: MODELS[Math.floor(n / 4) % 3],
      horizon,
      price,
      run: `run-${Math.floor(hour / 24)}`,
      predicted,
      low: predicted * 0.98,
      high: predicted * 1.02,
    }
  }
}

const resource = (row) => ({
  forecast_id: `${row.origin}:${row.model}:${row.horizon}`,
  origin_at: row.origin,
  target_at: row.target,
  horizon_hours: row.horizon,
  model: { name: row.model, configuration_id: 'c-1' },
  estimate: { price_usd: row.predicted, change_pct: 0.1 },
  interval: { level: 0.8, lower_usd: row.low, median_usd: row.predicted, upper_usd: row.high },
  confidence: { score: 0.75, label: 'model_agreement', evidence: { model_agreement: 0.75 } },
  run: { id: row.run, generated_at: row.generated },
  lineage: {
    history_key: { origin_at: row.origin, model_name: row.model, horizon_hours: row.horizon },
    source: { name: 'made', pair: 'BTC/USD', price_usd: row.price },
    manifest: MANIFEST,
  },
  freshness: { observed_at: row.origin, age_seconds: 90, status: 'fresh' },
})

/** The same rows as forecast resources, one a line. */
export async function writeLines(path, from, to) {
  const out = createWriteStream(path)
  let lines = ''
  for (const row of rows(from, to)) {
    lines += `${JSON.stringify(resource(row))}\n`
    if (lines.length > 1 << 20) {
      if (!out.write(lines)) await once(out, 'drain')
      lines = ''
    }
  }
  out.end(lines)
  await once(out, 'finish')
}
