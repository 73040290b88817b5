import { ForeproofError } from '../contract/error.js'
import { isPostgres } from './store/postgres/address.js'
import { initPostgres } from './store/postgres/init.js'
import { shownHistory } from './store/shown.js'

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

/** Makes what a history that is to be written needs first, where it is not there: nothing for a SQLite file. */
export async function prepareHistory(path: string): Promise<void> {
  if (isPostgres(path)) await initPostgres(path)
}
