import { ForeproofError } from '../contract/error.js'
import { isPostgres } from './store/postgres/address.js'
import { initPostgres } from './store/postgres/init.js'
import { shownHistory } from './store/shown.js'
import { undoUnfinished } from './store/sqlite/writable.js'

/**
 * Makes the tables of a history in PostgreSQL; a SQLite file needs none, for the first import makes it.
 * @returns false where they were there already.
 * @throws {ForeproofError} `usage` for what is no such URL; otherwise when the tables cannot be made, or those
 * that are there are others.
 */
export async function initHistory(url: string): Promise<boolean> {
  if (isPostgres(url)) return await initPostgres(url)
  throw new ForeproofError('usage', `${shownHistory(url)}: no URL of a PostgreSQL history`, {
    help: 'Name it as postgres://user@host/database. A SQLite file is made by the first import.',
  })
}

/** Readies a history that is to be written: makes tables in PostgreSQL, undoes what a killed writer left in a file. */
export async function prepareHistory(path: string): Promise<void> {
  if (isPostgres(path)) await initPostgres(path)
  else undoUnfinished(path)
}
