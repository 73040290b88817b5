// A large history as a producer writes it: five models, four horizons, hourly origins up to this hour.
import { openSqlite } from '../../dist/history/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER, stamp } from '../../test/history/producer-tables.mjs'

const HOUR = 3_600_000
const HORIZONS = [2, 4, 8, 16]
export const MODELS = ['ensemble', 'kernel_memory', 'persistence', 'ridge_lags', 'trend_chaser']

function numbers(seed) {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

/** Writes `rows` forecasts; about 300 bytes a row. */
export function makeHistory(path, rows, { index = true } = {}) {
  const db = openSqlite(path)
  db.pragma('synchronous = off')
  db.exec(index ? PRODUCER_TABLES + READING_ORDER : PRODUCER_TABLES)
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
