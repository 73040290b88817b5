// A large history as a producer writes it: five models, four horizons, hourly origins up to this hour.
import Database from 'better-sqlite3'

const HOUR = 3_600_000
const HORIZONS = [2, 4, 8, 16]
export const MODELS = ['ensemble', 'kernel_memory', 'persistence', 'ridge_lags', 'trend_chaser']

const stamp = (ms) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

function numbers(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

/** Writes `rows` forecasts; about 300 bytes a row. */
export function makeHistory(path, rows, { index = true } = {}) {
  const db = new Database(path)
  db.pragma('synchronous = off')
  db.exec(`
    CREATE TABLE forecast_origins (
      origin_at TEXT PRIMARY KEY, generated_at TEXT NOT NULL, source_name TEXT, pair TEXT,
      source_price_usd REAL NOT NULL, regime TEXT, market_features_json TEXT NOT NULL,
      first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, experiment_run_id TEXT,
      configuration_id TEXT, experiment_manifest_json TEXT);
    CREATE TABLE forecast_predictions (
      origin_at TEXT NOT NULL REFERENCES forecast_origins (origin_at), model_name TEXT NOT NULL,
      horizon_hours INTEGER NOT NULL CHECK (horizon_hours > 0), target_at TEXT NOT NULL,
      predicted_price_usd REAL NOT NULL, predicted_change_pct REAL NOT NULL, q10_usd REAL,
      q50_usd REAL, q90_usd REAL, model_agreement REAL,
      PRIMARY KEY (origin_at, model_name, horizon_hours));`)
  if (index) {
    db.exec(`CREATE INDEX reading_order
      ON forecast_predictions (origin_at DESC, horizon_hours ASC, model_name ASC)`)
  }
  const origin = db.prepare('INSERT INTO forecast_origins VALUES (?,?,?,?,?,?,?,?,?,?,?,?)')
  const prediction = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
  const random = numbers(1)
  const perOrigin = MODELS.length * HORIZONS.length
  const origins = Math.ceil(rows / perOrigin)
  const last = Math.floor(Date.now() / HOUR) * HOUR
  db.exec('BEGIN')
  for (let at = 0, written = 0; at < origins; at++) {
    const ms = last - (origins - 1 - at) * HOUR
    const price = Math.round(100 * (40_000 + 10_000 * Math.sin(at / 1000) + 500 * random())) / 100
    const manifest = JSON.stringify({
      schema_version: 1,
      code: { commit: '0123456789abcdef0123456789abcdef01234567', dirty: false },
      configuration: { fingerprint: 'configuration-7f3a', horizons: HORIZONS, models: MODELS },
      provider: { name: 'coinbase', pair: 'BTC/USD', window_hours: 720 },
      input_digest: (at * 7919).toString(16).padStart(64, '0'),
    })
    const text = stamp(ms)
    const run = `run-${Math.floor(at / 24)}`
    const made = stamp(ms + 60_000)
    const source = ['coinbase', 'BTC/USD', price, 'calm', '{}']
    origin.run(text, made, ...source, text, text, run, 'configuration-7f3a', manifest)
    for (const model of MODELS) {
      for (const horizon of HORIZONS) {
        if (written++ >= rows) break
        const change = Math.round((random() - 0.5) * 400) / 100
        const predicted = Math.round(100 * price * (1 + change / 100)) / 100
        const target = stamp(ms + horizon * HOUR)
        const bounds = [predicted - 500.25, predicted, predicted + 480.5]
        const agreement = random() < 0.1 ? null : Math.round(100 * random()) / 100
        prediction.run(text, model, horizon, target, predicted, change, ...bounds, agreement)
      }
    }
  }
  db.exec('COMMIT')
  db.close()
}
