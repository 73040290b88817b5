/**
 * `pair` of a protocol of version 2: 100 series, five horizons, four models of a history. A forecast has five quantiles;
 * some are missing. Its memory, and attempts in a second of processor time.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../dist/store/sqlite/driver.js'
import { foreproof, inFolder, numbers, promise, ROOT, sizes } from './parts/measured.mjs'

const { attempts } = sizes({ attempts: [1_000_000, 10_000] })
const SERIES = 100
const HORIZONS = [1, 2, 3, 4, 5]
const MODELS = ['alpha', 'beta', 'delta', 'gamma']
const DAYS = Math.ceil(attempts / SERIES / HORIZONS.length / (1 + MODELS.length)) + HORIZONS.length
const next = numbers(7)
const ids = Array.from({ length: SERIES }, (_, at) => `s${String(at).padStart(3, '0')}`)
const day = (at) => new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10)
const labels = Array.from({ length: DAYS }, (_, at) => day(at))

function draft() {
  const file = join(ROOT, 'templates', 'series', 'daily', 'draft.json')
  return {
    ...JSON.parse(readFileSync(file, 'utf8')),
    ...{ protocol_version: 'bench-1', zone: 'UTC', horizons: HORIZONS },
    series: ids.map((id) => ({ id, unit: 'degrees Celsius', source: 'made' })),
    periods: { made_by: 'days, made' },
  }
}

/** Each is revised once. */
function* outcomes() {
  for (const id of ids) {
    for (const [at, label] of labels.entries()) {
      yield [id, label, 10 + 10 * next(), day(at + 1)]
      yield [id, label, 10 + 10 * next(), day(at + 4)]
    }
  }
}

/** By plain SQL: an import would take longer than all else. */
function addForecasts(history) {
  const db = openSqlite(history)
  db.exec('PRAGMA synchronous = off; BEGIN')
  const add = db.prepare('INSERT INTO foreproof_series_forecasts VALUES (?, ?, ?, ?, ?)')
  let count = 0
  for (const origin of labels.slice(0, -HORIZONS.length)) {
    for (const series of ids) {
      for (const horizon of HORIZONS) {
        for (const model of MODELS) {
          if (++count % 50 === 0) continue
          const value = Math.round(1000 * (10 + 10 * next())) / 1000
          const quantiles = {
            0.05: value - 2,
            0.25: value - 1,
            0.5: value,
            0.75: value + 1,
            0.95: value + 2,
          }
          const generated_at = `${origin}T23:00:00.000000+00:00`
          const row = { series, origin, model, horizon, value, quantiles, generated_at }
          add.run(series, origin, horizon, model, JSON.stringify(row))
        }
      }
    }
  }
  db.exec('COMMIT')
  db.close()
}

await inFolder((cwd) => {
  const write = (name, text) => writeFileSync(join(cwd, name), text)
  const ours = (...args) => foreproof(args, { cwd })
  write('draft.json', JSON.stringify(draft()))
  const days = ['--from', labels[0], '--to', labels.at(-1)]
  ours('periods', '--days', '--zone', 'UTC', ...days, '--out', 'days.csv')
  ours('freeze', 'draft.json', '--periods', 'days.csv')
  const protocol = ['--protocol', 'protocols/bench-1.json']
  const csv = (header, rows) =>
    `${header}\n${Array.from(rows, (row) => `${row.join()}\n`).join('')}`
  write('outcomes.csv', csv('series,period,value,as_of', outcomes()))
  const until = ['--source', 'made', '--complete-to', '2020-01-01']
  ours('outcomes', 'import', 'outcomes.csv', ...protocol, ...until, '--out', 'vintage')
  const quantiles = 'q0.05,q0.25,q0.5,q0.75,q0.95'
  const one = ['s000', labels[0], 1, 'other', 3, 1, 2, 3, 4, 5]
  write('one.csv', csv(`series,origin,horizon,model,value,${quantiles}`, [one]))
  ours('history', 'import', 'one.csv', ...protocol, '--history', 'history.sqlite')
  addForecasts(join(cwd, 'history.sqlite'))
  const inputs = [...protocol, '--history', 'history.sqlite', '--outcomes', 'vintage']
  const { megabytes, cpu } = ours('pair', ...inputs, '--out', 'pairs.ndjson')
  promise('memory in MB', megabytes, { most: 400 })
  promise('attempts in a second', attempts / cpu, { least: 40_000 })
})
