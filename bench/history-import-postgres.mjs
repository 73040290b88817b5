/**
 * `history import` of forecast resources into PostgreSQL against `psql \copy` of the same rows, in one transaction,
 * into the same tables with the same indexes, by the clock. Needs psql, and BENCH_DATABASE, the URL of a scratch
 * database: the schemas bench_import and bench_copy in it are made anew.
 */
import { join } from 'node:path'
import { rows as madeRows, writeLines } from './parts/made-forecasts.mjs'
import { foreproof, inFolder, promise, scratchDatabase, sizes, spent } from './parts/measured.mjs'

const { rows } = sizes({ rows: [200_000, 2000] })
const DATABASE = scratchDatabase()
const [IMPORTED, COPIED] = ['bench_import', 'bench_copy']
/** In the order in which rows refer to one another; the columns in which they were copied out. */
const TABLES = ['origins', 'forecasts', 'log_entries', 'log_subtrees']

const psql = (input) =>
  spent('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', DATABASE], { input })
const urlOf = (schema) => `${DATABASE}?schema=${schema}`
const begin = (schema) => {
  psql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  foreproof(['history', 'init', urlOf(schema)])
  psql('CHECKPOINT')
}
const columnsOf = (table) =>
  psql(
    `SELECT string_agg(column_name, ',' ORDER BY ordinal_position) FROM information_schema.columns
     WHERE table_schema = '${IMPORTED}' AND table_name = '${table}' AND column_name <> 'added'`,
  ).stdout.trim()

await inFolder(async (folder) => {
  const lines = join(folder, 'forecasts.ndjson')
  await writeLines(lines, madeRows(0, rows))
  begin(IMPORTED)
  const imported = foreproof(['history', 'import', lines, '--history', urlOf(IMPORTED)])
  const copies = TABLES.map((table) => {
    const [columns, file] = [columnsOf(table), join(folder, table)]
    psql(`\\copy (SELECT ${columns} FROM ${IMPORTED}.${table} ORDER BY ctid) TO '${file}'`)
    return `\\copy ${COPIED}.${table} (${columns}) FROM '${file}'`
  })
  begin(COPIED)
  const copied = psql(['BEGIN;', ...copies, 'COMMIT;'].join('\n'))
  promise('\\copy / import, by the clock', copied.seconds / imported.seconds, { least: 0.15 })
  psql(`DROP SCHEMA ${IMPORTED} CASCADE; DROP SCHEMA ${COPIED} CASCADE`)
})
