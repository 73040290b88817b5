/**
 * `history import` of 1,000,000 forecast resources against a bare loop over a prepared statement
 * that inserts the same rows from memory into the same tables. Target: at least an eighth of its rate.
 *
 * node bench/history-import.mjs [rows]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../dist/history/store/sqlite/driver.js'
import { MANIFEST, rows, writeLines } from './made-forecasts.mjs'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const EXECUTABLE = fileURLToPath(new URL('../bin/foreproof.js', import.meta.url))
/** The same tables and indices, filled from memory in one transaction. */
function bareLoop(path, imported) {
  const schema = openSqlite(imported, { readonly: true })
  const ddl = schema
    .prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE 'forecast%'")
    .pluck()
    .all()
  schema.close()
  const made = [...rows(0, ROWS)]
  const db = openSqlite(path)
  db.exec(ddl.join(';'))
  const origin = db.prepare(
    `INSERT INTO forecast_origins (origin_at, generated_at, source_name, pair, source_price_usd,
       market_features_json, first_seen_at, last_seen_at, experiment_run_id, configuration_id,
       experiment_manifest_json)
     VALUES (?, ?, 'made', 'BTC/USD', ?, '{}', ?, ?, ?, 'c-1', ?)`,
  )
  const prediction = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
  const manifest = JSON.stringify(MANIFEST)
  const started = performance.now()
  db.exec('BEGIN')
  let last
  for (const row of made) {
    const { origin: at, model, horizon, target, predicted, low, high } = row
    if (at !== last) {
      origin.run(at, row.generated, row.price, at, at, row.run, manifest)
      last = at
    }
    prediction.run(at, model, horizon, target, predicted, 0.1, low, predicted, high, 0.75)
  }
  db.exec('COMMIT')
  const seconds = (performance.now() - started) / 1000
  db.close()
  return seconds
}

/** The whole process, from the file on disk to the file on disk. */
function importWith(lines, history) {
  const started = performance.now()
  const run = spawnSync(
    process.execPath,
    [EXECUTABLE, 'history', 'import', lines, '--history', history, '--format', 'json'],
    { encoding: 'utf8' },
  )
  const seconds = (performance.now() - started) / 1000
  if (run.status !== 0) throw new Error(run.stderr || run.stdout)
  return seconds
}

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
try {
  const lines = join(folder, 'forecasts.ndjson')
  await writeLines(lines, 0, ROWS)
  const history = join(folder, 'history.sqlite')
  const first = importWith(lines, history)
  const bare = bareLoop(join(folder, 'bare.sqlite'), history)
  const again = importWith(lines, history)
  console.log(`rows                ${ROWS.toLocaleString('en')}`)
  console.log(`input               ${(statSync(lines).size / 1e6).toFixed(0)} MB`)
  console.log(`import / bare loop  ${(first / bare).toFixed(2)}  (no worse than 8)`)
  console.log(`again / bare loop   ${(again / bare).toFixed(2)}`)
  if (first / bare > 8) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
