import { statSync } from 'node:fs'
import { ForeproofError } from '../contract/error.js'
import { isPostgres } from './store/postgres/address.js'
import { shownHistory } from './store/shown.js'
import { backupSqlite } from './store/sqlite/backup.js'

/**
 * Makes a SQLite file a copy of a history in another one, while both may be in use.
 * @returns the size of the copy, in bytes.
 * @throws {ForeproofError} `usage` for a history in PostgreSQL; otherwise as readers and writers do.
 */
export async function backupHistory(from: string, to: string): Promise<number> {
  const elsewhere = [from, to].find(isPostgres)
  if (elsewhere !== undefined) {
    throw new ForeproofError('usage', `${shownHistory(elsewhere)}: no SQLite file`, {
      help: 'Back up PostgreSQL with pg_dump; `foreproof history copy` makes a SQLite file of it.',
    })
  }
  await backupSqlite(from, to)
  return statSync(to).size
}
