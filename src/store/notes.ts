import type { LogKey } from '../log/log-entry.js'
import { type Dialect, queryRows, queryValue, type SqlTask } from './dialect.js'

/** The note with the last row of a kind that was checked: the log has every row up to it. */
export function lastLoggedKey(kind: LogKey['kind']): string {
  return `log has each ${kind} up to`
}

/** The note with the name of the log. */
export const LOG_NAME = 'log name'

/** Notes that only this store can use; a copy leaves them out. */
const OWN_NOTES = new Set([
  'layout_version',
  'history_id',
  LOG_NAME,
  lastLoggedKey('forecast'),
  lastLoggedKey('attempt'),
])

/** Notes that writers of the history have stored. */
export function* readWriterNotes(dialect: Dialect): SqlTask<Map<string, string>> {
  const all = yield* queryRows(`SELECT key, value FROM ${dialect.table('meta')}`)
  const notes = all.map(([key, value]): [string, string] => [String(key), String(value)])
  return new Map(notes.filter(([key]) => !OWN_NOTES.has(key)))
}

/** Stores a small text under a key, and replaces an earlier one. */
export function* writeNote(dialect: Dialect, key: string, text: string): SqlTask<void> {
  yield* queryRows(
    `INSERT INTO ${dialect.table('meta')} (key, value) VALUES ($1, $2)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [key, text],
  )
}

export function* readStoredNote(dialect: Dialect, key: string): SqlTask<string | undefined> {
  const value = yield* queryValue(`SELECT value FROM ${dialect.table('meta')} WHERE key = $1`, [
    key,
  ])
  return value === undefined ? undefined : String(value)
}
