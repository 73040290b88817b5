// Writes forecasts into a history until its standard input ends: origins that are still to come, one every few
// milliseconds, or with a third argument single rows at so many milliseconds, new ones and late ones.
import { openSqlite } from '../../../dist/store/sqlite/driver.js'

const [, , path, newest, everyMs] = process.argv
const HOUR = 3_600_000
const db = openSqlite(path, { timeout: 10_000 })
db.pragma('synchronous = off')
const stamp = (ms) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`
const origin = db.prepare('INSERT OR IGNORE INTO forecast_origins VALUES (?,?,?,?,?,?,?,?,?,?,?,?)')
const prediction = db.prepare(
  `INSERT OR IGNORE INTO forecast_predictions
   SELECT origin_at, ?, ?, ?, source_price_usd, 0, NULL, NULL, NULL, NULL FROM forecast_origins WHERE origin_at = ?`,
)

const write = (at, models, horizons) => {
  db.exec('BEGIN IMMEDIATE')
  const text = stamp(at)
  const run = `run-${Math.floor(at / HOUR / 10)}`
  origin.run(text, text, 'made', 'BTC/USD', 50_000, null, '{}', text, text, run, 'c', null)
  for (const model of models) {
    for (const horizon of horizons) {
      const target = stamp(at + horizon * HOUR)
      prediction.run(model, horizon, target, text)
    }
  }
  db.exec('COMMIT')
}

let count = 0
const single = () => {
  // Of now, of some time in the last 40 hours, and of a model that was not there before.
  const late = Number(newest) - ((count * 7919) % 144_000) * 1000
  const at = [Date.now(), late, Number(newest)][count % 3]
  write(at, [count % 3 === 2 ? `model-${count}` : 'beta'], [4])
  count++
}
const whole = () => {
  count++
  write(Number(newest) + count * HOUR, ['alpha', 'beta', 'gamma'], [2, 4, 8])
}

const next = everyMs === undefined ? whole : single
const timer = setInterval(next, Number(everyMs ?? 5))
next()
process.stdout.write('writing\n')
process.stdin.resume()
process.stdin.on('end', () => {
  clearInterval(timer)
  db.close()
})
