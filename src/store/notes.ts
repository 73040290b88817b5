import type { LogKey } from '../log/types.js'
import { type Dialect, queryRows, queryValue, type SqlTask } from './dialect.js'

/** Under which note a store keeps the last row of a kind that it has looked at: the log has all up to it. */
export function lastLoggedKey(kind: LogKey['kind']): string {
  return `log has each ${kind} up to`
}

/** Under which note it keeps the name of the log. */
export const LOG_NAME = 'log name'

/** What a store notes for itself: it means nothing in another one. */
const OWN_NOTES = new Set([
  'layout_version',
  'history_id',
  LOG_NAME,
  lastLoggedKey('forecast'),
  lastLoggedKey('attempt'),
])

/** What the writers of a history have noted. */
export function* readWriterNotes(dialect: Dialect): SqlTask<Map<string, string>> {
  const all = yield* queryRows(`SELECT key, value FROM ${dialect.table('meta')}`)
  const notes = all.map(([key, value]): [string, string] => [String(key), String(value)])
  return new Map(notes.filter(([key]) => !OWN_NOTES.has(key)))
}

/** Keeps a small text, instead of what was kept under its key. */
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
