/** What a store notes for itself: it means nothing in another one. */
const OWN_NOTES = /^(?:layout_version|history_id|tables_made_by|log has each \w+ up to)$/

/** What the writers of a history have noted. @param all - everything that is kept under a key. */
export function writersNotes(all: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(all.filter(([key]) => !OWN_NOTES.test(key)))
}
