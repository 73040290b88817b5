import type { RawValue } from '../../../forecast/row.js'
import type { StoredOrigin } from '../entry-types.js'
import { originColumns, originRow } from './columns.js'
import type { Opened } from './connection.js'
import type { Database } from './driver.js'
import { columnOrNull } from './layout.js'

/** See `HistoryReader.origins`. */
export function* storedOrigins({ db, layout }: Opened): Generator<StoredOrigin> {
  const notes = ['regime', 'first_seen_at', 'last_seen_at'].map((name) =>
    columnOrNull(layout.origins, 'o', name),
  )
  const rows = db
    .prepare<[], readonly RawValue[]>(
      `SELECT ${originColumns(layout)}, ${notes.join(', ')} FROM forecast_origins o ORDER BY o.origin_at`,
    )
    .raw()
  for (const values of rows.iterate()) {
    const [regime = null, firstSeenAt = null, lastSeenAt = null] = values.slice(-notes.length)
    const row = originRow(values)
    if (row !== undefined) yield { ...row, regime, firstSeenAt, lastSeenAt }
  }
}

/** Everything that is noted under a key. */
export function allNotes(db: Database): [string, string][] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'foreproof_meta'").get()
  if (isThere === undefined) return []
  return db.prepare<[], [string, string]>('SELECT key, value FROM foreproof_meta').raw().all()
}
