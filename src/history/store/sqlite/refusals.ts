import { ForeproofError } from '../../../contract/error.js'
import type { Database } from './driver.js'
import type { HistoryLayout } from './layout.js'
import { chooseOrder } from './order.js'
import { TABLE_KEYS, WRITTEN_COLUMNS } from './tables.js'

const IMPORT_ELSEWHERE =
  'Import into a new file; `foreproof history export` gives what this one holds.'

/**
 * Refuses tables that rows cannot be put into.
 * @throws {ForeproofError} `invalid-input` where they lack columns or a key, or spell timestamps otherwise.
 */
export function refuseUnwritable(db: Database, layout: HistoryLayout, file: string): void {
  refuseOldLayout(layout, file)
  refuseWithoutKeys(db, file)
  const tables = [
    'forecast_predictions',
    ...(layout.own.has('foreproof_attempts') ? ['foreproof_attempts'] : []),
  ]
  if (chooseOrder(db, tables).areMixed) throw oddTimestamps(file)
}

function refuseOldLayout(layout: HistoryLayout, file: string): void {
  const absent = [
    ...WRITTEN_COLUMNS.origins.filter((column) => !layout.origins.has(column)),
    ...WRITTEN_COLUMNS.predictions.filter((column) => !layout.predictions.has(column)),
  ]
  if (absent.length === 0) return
  throw new ForeproofError(
    'invalid-input',
    `${file}: the layout is an old one without ${absent.join(', ')}: the history can be read, but not written`,
    { file, help: IMPORT_ELSEWHERE },
  )
}

/** The first write of a key wins, which takes a table that can hold no key twice. */
function refuseWithoutKeys(db: Database, file: string): void {
  for (const [table, key] of Object.entries(TABLE_KEYS)) {
    if (isUnique(db, table, key)) continue
    throw new ForeproofError(
      'invalid-input',
      `${file}: ${table} has no unique key of ${key.join(', ')}: the history can be read, but not written`,
      { file, help: IMPORT_ELSEWHERE },
    )
  }
}

/** Whether a primary key or another unique index is over just these columns, in any order. */
function isUnique(db: Database, table: string, columns: readonly string[]): boolean {
  const columnsOf = db.prepare<[string], string>('SELECT name FROM pragma_index_info(?)').pluck()
  const wanted = [...columns].sort().join()
  return db
    .prepare<[string], string>(
      'SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0',
    )
    .pluck()
    .all(table)
    .some((index) => columnsOf.all(index).sort().join() === wanted)
}

function oddTimestamps(file: string): ForeproofError {
  return new ForeproofError(
    'invalid-input',
    `${file}: some origins are not in the stored form, so keys cannot be compared`,
    {
      file,
      help: '`foreproof history verify` names them; export them and import into a new file.',
    },
  )
}
