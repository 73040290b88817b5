/**
 * `history import` of forecast resources, as a whole process, against a bare loop over prepared statements that
 * inserts the same rows from memory into the same tables.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../dist/store/sqlite/driver.js'
import { addRows, rows as madeRows, writeLines } from './parts/made-forecasts.mjs'
import { foreproof, inFolder, inTurns, least, promise, sizes, worked } from './parts/measured.mjs'

const { rows, rounds } = sizes({ rows: [1_000_000, 2000], rounds: [2, 1] })

/** The tables and indexes of forecasts of a history. */
function tablesOf(history) {
  const db = openSqlite(history)
  const made = db
    .prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE 'forecast%'")
    .all()
  db.close()
  return made.map(({ sql }) => sql).join(';')
}

await inFolder(async (folder) => {
  const lines = join(folder, 'forecasts.ndjson')
  const history = join(folder, 'history.sqlite')
  const bare = join(folder, 'bare.sqlite')
  await writeLines(lines, madeRows(0, rows))
  const made = [...madeRows(0, rows)]
  const { imported, looped } = await inTurns(rounds, {
    imported: () => {
      rmSync(history, { force: true })
      return foreproof(['history', 'import', lines, '--history', history])
    },
    looped: () => {
      rmSync(bare, { force: true })
      return worked(() => addRows(bare, made, tablesOf(history)))
    },
  })
  promise('import / bare loop', least(imported) / least(looped), { most: 12 })
})
