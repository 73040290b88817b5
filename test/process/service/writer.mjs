// Writes a newer origin every few milliseconds until its standard input ends.
import { openSqlite } from '../../../dist/history/store/sqlite/driver.js'

const HOUR = 3_600_000
const db = openSqlite(process.argv[2], { timeout: 10_000 })
db.pragma('synchronous = off')
const stamp = (ms) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`
const origin = db.prepare('INSERT INTO forecast_origins VALUES (?,?,?,?,?,?,?,?,?,?,?,?)')
const prediction = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
let at = Number(process.argv[3])

const write = () => {
  db.exec('BEGIN IMMEDIATE')
  at += HOUR
  const text = stamp(at)
  const run = `run-${Math.floor(at / HOUR / 10)}`
  origin.run(text, text, 'made', 'BTC/USD', 50_000, null, '{}', text, text, run, 'c', null)
  for (const model of ['alpha', 'beta', 'gamma']) {
    for (const horizon of [2, 4, 8]) {
      const target = stamp(at + horizon * HOUR)
      prediction.run(text, model, horizon, target, 50_001, 0.002, null, null, null, null)
    }
  }
  db.exec('COMMIT')
}

const timer = setInterval(write, 5)
write()
process.stdout.write('writing\n')
process.stdin.resume()
process.stdin.on('end', () => {
  clearInterval(timer)
  db.close()
})
