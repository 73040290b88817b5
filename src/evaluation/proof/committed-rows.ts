import { objectIn } from '../../contract/is-object.js'
import { canonicalize } from '../../document/canonical.js'
import { saysItsColumns } from '../../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import { createLeafReader, storedRows } from '../../history/leaf.js'
import type { LogKey } from '../../log/log-entry.js'
import type { SeriesEntry, StoredRow } from '../../store/history-reader.js'
import { toStoredKey } from '../../store/hourly-rows.js'
import { streamRows } from '../../store/open.js'
import { rowIn, seriesKey } from '../../store/series-rows.js'
import type { LeafOfRow } from './commitments.js'

/** Every row of a history and its leaf: of a key its forecast, then its attempt; of any series the attempt first. */
export async function* committedRows(history: string): AsyncGenerator<readonly LeafOfRow[]> {
  const readLeaf = createLeafReader()
  const leafAndKey = (row: StoredRow): LeafOfRow => {
    if ('entry' in row) return { key: row.key, leaf: isOwn(row) ? readLeaf(row)?.leaf : undefined }
    if ('status' in row) return { key: toLogKey('attempt', row), leaf: readLeaf(row)?.leaf }
    return { key: toLogKey('forecast', row), leaf: isAsKept(row) ? readLeaf(row)?.leaf : undefined }
  }
  for await (const rows of streamRows(history, storedRows)) yield rows.map(leafAndKey)
}

/** Whether a row is stored under the key in its text; otherwise it could explain the entry of another row. */
function isOwn(row: SeriesEntry): boolean {
  const committed = rowIn(row)
  return committed !== undefined && canonicalize(seriesKey(committed)) === canonicalize(row.key)
}

/** The key of a row as pairing reads it. */
function toLogKey(kind: LogKey['kind'], row: HistoryRow | AttemptRow): LogKey {
  return { kind, ...toStoredKey(row) }
}

/** Whether the columns of a row, which pairing reads, agree with the log: a leaf proves only the resource. */
export function isAsKept(row: HistoryRow): boolean {
  if (row.whole === null) return true
  const resource = objectIn(String(row.whole))
  // Otherwise the resource of one row could be stored under the key of another, and explain its entry.
  return resource !== undefined && saysItsColumns(resource, row)
}
