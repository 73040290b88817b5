/**
 * `history import` of forecast resources into PostgreSQL against `psql \copy` of the same rows, in one transaction,
 * into the same tables with the same indexes. Asked for: at least 60 % of its speed.
 *
 * node bench/history-import-postgres.mjs postgres://user@host/database [rows]
 *
 * The database is a scratch one: the schemas bench_import and bench_copy in it are made anew. It needs `psql`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeLines } from './made-forecasts.mjs'

const [DATABASE, rows = '200000'] = process.argv.slice(2)
const ROWS = Number(rows)
const EXECUTABLE = fileURLToPath(new URL('../bin/foreproof.js', import.meta.url))
const [IMPORTED, COPIED] = ['bench_import', 'bench_copy']
/** In the order in which rows refer to one another; the columns in which they were copied out. */
const TABLES = ['origins', 'forecasts', 'log_entries', 'log_subtrees']

const run = (program, args, input) => {
  const ran = spawnSync(program, args, { encoding: 'utf8', input })
  if (ran.status !== 0) throw new Error(`${program}: ${ran.stderr || ran.stdout}`)
  return ran.stdout.trim()
}
const psql = (script) =>
  run('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', DATABASE], script)
const foreproof = (...args) => run(process.execPath, [EXECUTABLE, ...args])
const urlOf = (schema) => `${DATABASE}?schema=${schema}`
const begin = (schema) => {
  psql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  foreproof('history', 'init', urlOf(schema))
  psql('CHECKPOINT')
}
const seconds = (work) => {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}

if (DATABASE === undefined)
  throw new Error('name a scratch database: postgres://user@host/database')
const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
try {
  const lines = join(folder, 'forecasts.ndjson')
  await writeLines(lines, 0, ROWS)
  begin(IMPORTED)
  const imported = seconds(() =>
    foreproof('history', 'import', lines, '--history', urlOf(IMPORTED)),
  )
  const fileOf = (table) => join(folder, table)
  const columnsOf = (table) =>
    psql(
      `SELECT string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns
       WHERE table_schema = '${IMPORTED}' AND table_name = '${table}' AND column_name <> 'added'`,
    )
  const copies = TABLES.map((table) => {
    const columns = columnsOf(table)
    psql(`\\copy (SELECT ${columns} FROM ${IMPORTED}.${table} ORDER BY ctid) TO '${fileOf(table)}'`)
    return `\\copy ${COPIED}.${table} (${columns}) FROM '${fileOf(table)}'`
  })
  begin(COPIED)
  const copied = seconds(() => psql(['BEGIN;', ...copies, 'COMMIT;'].join('\n')))
  console.log(`rows             ${ROWS.toLocaleString('en')}`)
  console.log(`input            ${(statSync(lines).size / 1e6).toFixed(0)} MB`)
  console.log(`import           ${imported.toFixed(1)} s`)
  console.log(`\\copy            ${copied.toFixed(1)} s`)
  console.log(`\\copy / import   ${(copied / imported).toFixed(2)}  (asked for: 0.6)`)
  if (copied / imported < 0.6) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
  psql(`DROP SCHEMA IF EXISTS ${IMPORTED} CASCADE; DROP SCHEMA IF EXISTS ${COPIED} CASCADE`)
}
