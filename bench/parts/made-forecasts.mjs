/** Forecasts for measuring: made, and the same in every run. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { openSqlite } from '../../dist/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER, stamp } from '../../test/store/producer-tables.mjs'

export const HOUR = 3_600_000
export const HORIZONS = [2, 4, 8, 16]
/** A producer of three models, by default; its first origin. */
const MADE = { models: ['alpha', 'beta', 'gamma'], start: Date.UTC(2015, 0, 1) }
const MANIFEST = {
  manifest_version: 1,
  code: { commit: 'a'.repeat(40) },
  configuration: { horizons: HORIZONS, bars: 720 },
  inputs: { window_hours: 720, sha256: 'f'.repeat(64) },
}

/** The models of what is served. */
const SERVED = ['ensemble', 'kernel_memory', 'persistence', 'ridge_lags', 'trend_chaser']

/** Rows number `from` to `to`: every hour has one of each model and horizon. */
export function* rows(from, to, { models, start } = MADE) {
  const hourly = models.length * HORIZONS.length
  for (let n = from; n < to; n++) {
    const hour = Math.floor(n / hourly)
    const price = 50_000 + (hour % 997) / 4
    const horizon = HORIZONS[n % HORIZONS.length]
    const share = ((n % 89) - 44) / 4000
    const predicted = price * (1 + share)
    yield {
      origin: stamp(start + hour * HOUR),
      generated: stamp(start + hour * HOUR + 90_000),
      target: stamp(start + (hour + horizon) * HOUR),
      model: models[Math.floor(n / HORIZONS.length) % models.length],
      horizon,
      price,
      run: `run-${Math.floor(hour / 24)}`,
      manifest: { ...MANIFEST, input_digest: (hour * 7919).toString(16).padStart(64, '0') },
      predicted,
      change: 100 * share,
      low: predicted * 0.98,
      high: predicted * 1.02,
    }
  }
}

/** A producer of five models, up to this hour. */
export function servedRows(count) {
  const hours = Math.ceil(count / SERVED.length / HORIZONS.length)
  const start = (Math.floor(Date.now() / HOUR) - hours + 1) * HOUR
  return rows(0, count, { models: SERVED, start })
}

/** Puts rows into a file as a producer does, by plain SQL; a new one gets the tables of one. */
export function addRows(file, made, tables = PRODUCER_TABLES + READING_ORDER) {
  const db = openSqlite(file)
  db.exec('PRAGMA synchronous = off')
  if (db.prepare('SELECT 1 FROM sqlite_master').get() === undefined) db.exec(tables)
  const origin = db.prepare(
    `INSERT OR IGNORE INTO forecast_origins (origin_at, generated_at, source_name, pair,
       source_price_usd, market_features_json, first_seen_at, last_seen_at, experiment_run_id,
       configuration_id, experiment_manifest_json)
     VALUES (?, ?, 'made', 'BTC/USD', ?, '{}', ?, ?, ?, 'c-1', ?)`,
  )
  const prediction = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
  db.exec('BEGIN')
  let last
  for (const row of made) {
    const { origin: at, model, horizon, target, predicted, change, low, high } = row
    const { generated, price, run, manifest } = row
    if (at !== last) origin.run(at, generated, price, at, at, run, JSON.stringify(manifest))
    last = at
    prediction.run(at, model, horizon, target, predicted, change, low, predicted, high, 0.75)
  }
  db.exec('COMMIT')
  db.close()
}

const resource = (row) => ({
  forecast_id: `${row.origin}:${row.model}:${row.horizon}`,
  origin_at: row.origin,
  target_at: row.target,
  horizon_hours: row.horizon,
  model: { name: row.model, configuration_id: 'c-1' },
  estimate: { price_usd: row.predicted, change_pct: row.change },
  interval: { level: 0.8, lower_usd: row.low, median_usd: row.predicted, upper_usd: row.high },
  confidence: { score: 0.75, label: 'model_agreement', evidence: { model_agreement: 0.75 } },
  run: { id: row.run, generated_at: row.generated },
  lineage: {
    history_key: { origin_at: row.origin, model_name: row.model, horizon_hours: row.horizon },
    source: { name: 'made', pair: 'BTC/USD', price_usd: row.price },
    manifest: row.manifest,
  },
  freshness: { observed_at: row.origin, age_seconds: 90, status: 'fresh' },
})

/** Rows as forecast resources, one a line. */
export async function writeLines(path, made) {
  const out = createWriteStream(path)
  let lines = ''
  for (const row of made) {
    lines += `${JSON.stringify(resource(row))}\n`
    if (lines.length > 1 << 20) {
      if (!out.write(lines)) await once(out, 'drain')
      lines = ''
    }
  }
  out.end(lines)
  await once(out, 'finish')
}
