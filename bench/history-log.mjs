/**
 * What the log of a history costs, whole processes, ratios taken in one run.
 * - `history seal` after 24 new rows, which another program wrote, in a history of 1,000,000 rows against the
 *   same in one of 10,000: at most 1.5 times. Medians of several, the two taken in turn.
 * - With the folder of a build that keeps no log (such as a copy of this one without `entryOf` and `appendLeaf` in
 *   dist/history/import/put.js): `history import` of as many rows against that build's, by processor time, the best
 *   of two in turn. Target: at most 1.3 times. In November 2026, a million rows: 50.7 s against 40.5, 1.25 times.
 *
 * node bench/history-log.mjs [rows] [folder of a build without the log]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../dist/history/store/sqlite/driver.js'
import { MANIFEST, rows, writeLines } from './made-forecasts.mjs'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const WITHOUT = process.argv[3]
const SMALL = 10_000
const SEALS = 7
const NEW = 24
const ROUNDS = 2
const HERE = fileURLToPath(new URL('..', import.meta.url))

/** Seconds of a command of the build in a folder. */
function timed(build, ...args) {
  // Else one command pays for what the one before has left to be written.
  spawnSync('sync')
  const command = [join(build, 'bin/foreproof.js'), 'history', ...args, '--format', 'json']
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr || stdout)
  return (performance.now() - began) / 1000
}

/** Seconds that the processor works for a command: others on the machine count less than by the clock. */
function worked(build, ...args) {
  const command = [process.execPath, join(build, 'bin/foreproof.js'), 'history', ...args]
  const timing = ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', 'bash', ...command]
  const { status, stderr } = spawnSync('bash', timing, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return user + system
}

/** Adds rows as a program does that knows nothing of the log. */
function add(history, from, to) {
  const db = openSqlite(history)
  const origin = db.prepare(
    `INSERT OR IGNORE INTO forecast_origins (origin_at, generated_at, source_name, pair,
       source_price_usd, market_features_json, first_seen_at, last_seen_at, experiment_run_id,
       configuration_id, experiment_manifest_json)
     VALUES (?, ?, 'made', 'BTC/USD', ?, '{}', ?, ?, ?, 'c-1', ?)`,
  )
  const prediction = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
  const manifest = JSON.stringify(MANIFEST)
  db.transaction(() => {
    for (const row of rows(from, to)) {
      const { origin: at, model, horizon, target, predicted, low, high } = row
      origin.run(at, row.generated, row.price, at, at, row.run, manifest)
      prediction.run(at, model, horizon, target, predicted, 0.1, low, predicted, high, 0.75)
    }
  })()
  db.close()
}

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1]

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
try {
  const times = { large: [], small: [] }
  for (const [name, count] of Object.entries({ large: ROWS, small: SMALL })) {
    const [lines, history] = [join(folder, `${name}.ndjson`), join(folder, `${name}.sqlite`)]
    await writeLines(lines, 0, count)
    timed(HERE, 'import', lines, '--history', history)
    timed(HERE, 'seal', '--history', history, '--log', 'example.org/bench')
    rmSync(lines)
  }
  for (let n = 0; n < SEALS; n++) {
    for (const [name, count] of Object.entries({ large: ROWS, small: SMALL })) {
      const history = join(folder, `${name}.sqlite`)
      add(history, count + n * NEW, count + (n + 1) * NEW)
      times[name].push(timed(HERE, 'seal', '--history', history))
    }
  }
  const ratio = median(times.large) / median(times.small)
  console.log(
    `seal after ${NEW} rows, ${ROWS} against ${SMALL}: ${ratio.toFixed(2)} times (no worse than 1.5)`,
  )
  if (ratio > 1.5) process.exitCode = 1

  if (WITHOUT !== undefined) {
    const lines = join(folder, 'imported.ndjson')
    await writeLines(lines, 0, ROWS)
    const best = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, build] of Object.entries({ with: HERE, without: WITHOUT })) {
        const history = join(folder, `${name}-${round}.sqlite`)
        best[name] = Math.min(best[name], worked(build, 'import', lines, '--history', history))
      }
    }
    console.log(
      `import of ${ROWS} rows, with the log against without: ${(best.with / best.without).toFixed(2)} times (target: at most 1.3)`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
