/**
 * `history import` of 1,000,000 forecasts as CSV, as Parquet and as NDJSON of the same columns, and as full
 * resources; whole processes, in turns. Target: CSV and Parquet no slower than NDJSON of the same rows, and no
 * more memory for all of them than for a tenth.
 *
 * node bench/history-import-table.mjs [rows]
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tableBytes } from '../dist/table/write.js'
import { rows, writeLines } from './made-forecasts.mjs'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const MEASURED = fileURLToPath(new URL('./measured.mjs', import.meta.url))

const COLUMNS = [
  ['origin_at', 'instant', 'origin'],
  ['horizon_hours', 'integer', 'horizon'],
  ['model', 'text', 'model'],
  ['price_usd', 'number', 'predicted'],
  ['q10_usd', 'number', 'low'],
  ['q50_usd', 'number', 'predicted'],
  ['q90_usd', 'number', 'high'],
  ['generated_at', 'instant', 'generated'],
  ['run_id', 'text', 'run'],
  ['source_price_usd', 'number', 'price'],
]

async function* batches(count) {
  let batch = []
  for (const row of rows(0, count)) {
    batch.push(COLUMNS.map(([, , member]) => row[member]))
    if (batch.length < 10_000) continue
    yield batch
    batch = []
  }
  yield batch
}

async function writeTable(path, count, format) {
  const columns = COLUMNS.map(([name, type]) => ({ name, type }))
  const out = createWriteStream(path)
  for await (const bytes of tableBytes({ columns, rows: batches(count) }, format)) {
    if (!out.write(bytes)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

/** What the whole process takes, from the file on disk to the file on disk. */
function importWith(file, history) {
  const started = performance.now()
  const argv = [MEASURED, 'history', 'import', file, '--history', history]
  const run = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  const seconds = (performance.now() - started) / 1000
  if (run.status !== 0) throw new Error(`${run.stderr}${run.stdout}`)
  rmSync(history)
  return { seconds, ...JSON.parse(run.stderr) }
}

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
try {
  const files = {}
  for (const format of ['csv', 'parquet', 'ndjson']) {
    files[format] = join(folder, `forecasts.${format}`)
    await writeTable(files[format], ROWS, format)
    files[`${format}, a tenth`] = join(folder, `tenth.${format}`)
    await writeTable(files[`${format}, a tenth`], ROWS / 10, format)
  }
  files.resources = join(folder, 'resources.ndjson')
  await writeLines(files.resources, 0, ROWS)
  const figures = {}
  for (const [name, file] of Object.entries(files)) {
    const taken = importWith(file, join(folder, 'history.sqlite'))
    figures[name] = taken
    const size = (statSync(file).size / 1e6).toFixed(0)
    const { seconds, cpu, megabytes } = taken
    console.log(
      `${name.padEnd(18)} ${size} MB: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor, ${megabytes.toFixed(0)} MB of memory`,
    )
  }
  // Processor time: what else the machine does takes no part in it.
  for (const format of ['csv', 'parquet']) {
    const ratio = figures[format].cpu / figures.ndjson.cpu
    console.log(`${format} / ndjson  ${ratio.toFixed(2)}  (no worse than 1)`)
    if (ratio > 1) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
