import type { LogKey } from './log-types.js'

/** Under which note a store keeps the last row of a kind that it has looked at: the log has all up to it. */
export function lastLoggedNote(kind: LogKey['kind']): string {
  return `log has each ${kind} up to`
}

/** What a store notes for itself: it means nothing in another one. */
const OWN_NOTES = new Set([
  'layout_version',
  'history_id',
  'tables_made_by',
  lastLoggedNote('forecast'),
  lastLoggedNote('attempt'),
])

/** What the writers of a history have noted. @param all - everything that is kept under a key. */
export function writersNotes(all: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(all.filter(([key]) => !OWN_NOTES.has(key)))
}
