/**
 * `foreproof pair` against the sqlite3 shell printing the rows that pairing reads, joined and in the
 * same order, from one database; and the peak memory of pairing at a tenth of the size.
 *
 * `node bench/pairing.mjs [ATTEMPTS]` (1,000,000). Needs `npm run build` and sqlite3. Promised: at
 * most 3 times the shell, below 300 MB, and the same peak at a tenth of the rows within 20 percent.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../dist/history/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER } from '../test/history/producer-tables.mjs'

const HOUR = 3_600_000
const HORIZONS = [2, 4, 8, 16]
const MODELS = Array.from({ length: 16 }, (_, index) => `model_${String(index).padStart(2, '0')}`)
const FIRST = Date.UTC(2024, 0, 1)
const ROUNDS = 3
const LIMITS = { ratio: 3, megabytes: 300, drift: 0.2 }

const root = new URL('..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
const stored = (millis) => `${new Date(millis).toISOString().slice(0, 19)}+00:00`

/** Tables as producers and foreproof write them: provenance for all, some failures, some gaps. */
function makeHistory(path, attempts) {
  const db = openSqlite(path)
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.exec(PRODUCER_TABLES + READING_ORDER)
  const origin = db.prepare(
    `INSERT INTO forecast_origins VALUES (?, ?, 'made', 'BTC/USD', ?, 'calm', '{}', ?, ?, 'run-1', 'c-1', '{"manifest_version":1}')`,
  )
  const prediction = db.prepare(
    'INSERT INTO forecast_predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0.75)',
  )
  const origins = Math.ceil(attempts / (HORIZONS.length * MODELS.length))
  let rows = 0
  db.transaction(() => {
    for (let hour = 0; hour < origins; hour++) {
      const at = FIRST + hour * HOUR
      const text = stored(at)
      const price = closeAt(hour)
      origin.run(text, stored(at + 60_000), price, text, text)
      for (const horizon of HORIZONS) {
        const target = stored(at + horizon * HOUR)
        MODELS.forEach((model, index) => {
          if ((hour * 7 + index * 13 + horizon) % 50 === 0) return
          const predicted = Math.round(price * (100 + Math.sin(hour + index))) / 100
          prediction.run(
            text,
            model,
            horizon,
            target,
            predicted,
            predicted / price - 1,
            predicted - 400.25,
            predicted,
            predicted + 400.25,
          )
          rows++
        })
      }
    }
  })()
  db.close()
  return { attempts: origins * HORIZONS.length * MODELS.length, rows, hours: origins + 16 }
}

function closeAt(hour) {
  return Math.round((60_000 + 5_000 * Math.sin(hour / 300)) * 100) / 100
}

function makeVintage(path, hours) {
  const lines = Array.from({ length: hours + 1 }, (_, hour) => {
    const price = closeAt(hour)
    const at = new Date(FIRST + hour * HOUR).toISOString().replace('.000Z', 'Z')
    return `${at},${Number.isInteger(price) ? `${price}.0` : price}\n`
  })
  writeFileSync(path, `close_at,close_usd\n${lines.join('')}`)
}

const QUERY = `
  SELECT p.origin_at, p.model_name, p.horizon_hours, p.target_at, p.predicted_price_usd,
    p.q10_usd, p.q50_usd, p.q90_usd, o.generated_at, o.source_price_usd
  FROM forecast_predictions p LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at
  ORDER BY p.origin_at, p.horizon_hours, p.model_name`

function seconds(command, args, outFile) {
  const out = openSync(outFile, 'w')
  const start = process.hrtime.bigint()
  const done = spawnSync(command, args, { stdio: ['ignore', out, 'pipe'], encoding: 'utf8' })
  const took = Number(process.hrtime.bigint() - start) / 1e9
  closeSync(out)
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${done.stderr || done.error}`)
  return { took, stderr: done.stderr }
}

const MEASURED = `
  import { run } from ${JSON.stringify(join(root, 'dist/cli/main.js'))}
  process.exitCode = await run(process.argv.slice(1))
  process.stderr.write('\\nmaxRSS ' + process.resourceUsage().maxRSS + '\\n')`

function pair(database, vintage, out) {
  const args = [
    ...['--input-type=module', '-e', MEASURED, '--'],
    ...['pair', '--protocol', join(root, 'protocols/btcusd-hourly-1.json')],
    ...['--history', database, '--outcomes', vintage, '--out', out, '--format', 'json'],
  ]
  const { took, stderr } = seconds(process.execPath, args, join(folder, 'summary.json'))
  return { took, megabytes: Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024 }
}

/** Other work on the machine only ever adds to a time. */
const least = (values) => Math.min(...values)

function measure(attempts, rounds) {
  const database = join(folder, `${attempts}.sqlite`)
  const vintage = join(folder, `${attempts}.csv`)
  const made = makeHistory(database, attempts)
  makeVintage(vintage, made.hours)
  const shell = []
  const ours = []
  const out = join(folder, 'pairs.ndjson')
  for (let round = 0; round < rounds; round++) {
    shell.push(seconds('sqlite3', ['-readonly', database, QUERY], join(folder, 'rows.txt')).took)
    ours.push(pair(database, vintage, out))
  }
  return {
    ...made,
    bytes: statSync(out).size,
    shell: least(shell),
    ours: least(ours.map(({ took }) => took)),
    megabytes: Math.max(...ours.map(({ megabytes }) => megabytes)),
  }
}

try {
  const attempts = Number(process.argv[2] ?? 1_000_000)
  const large = measure(attempts, ROUNDS)
  const small = measure(attempts / 10, 1)
  const ratio = large.ours / large.shell
  const drift = large.megabytes / small.megabytes - 1
  console.log(
    `attempts            ${large.attempts} (${large.rows} rows), ${large.bytes} bytes written`,
  )
  console.log(`sqlite3 shell       ${large.shell.toFixed(2)} s`)
  console.log(`foreproof pair      ${large.ours.toFixed(2)} s, ${ratio.toFixed(2)} times the shell`)
  console.log(`peak memory         ${large.megabytes.toFixed(0)} MB`)
  console.log(
    `at a tenth          ${small.megabytes.toFixed(0)} MB, ${(drift * 100).toFixed(1)} percent apart`,
  )
  const holds =
    ratio <= LIMITS.ratio && large.megabytes < LIMITS.megabytes && Math.abs(drift) <= LIMITS.drift
  console.log(holds ? 'holds' : 'does not hold')
  process.exitCode = holds ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
