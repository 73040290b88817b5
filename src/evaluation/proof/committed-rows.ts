import { isObject, objectIn } from '../../contract/is-object.js'
import type { Provenance } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { normalTimestamp, type StoredResource } from '../../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import { leafReader, storedRows } from '../../history/leaf.js'
import type { LogKey } from '../../log/types.js'
import { streamedRows } from '../../store/open.js'
import { storedKeyOf } from '../../store/rows.js'
import { rowIn, seriesKey } from '../../store/series-rows.js'
import type { SeriesEntry, StoredRow } from '../../store/types.js'
import type { LeafOfRow } from './commitments.js'

/** Every row of a history and its leaf: of a key its forecast, then its attempt; of any series the attempt first. */
export async function* committedRows(history: string): AsyncGenerator<readonly LeafOfRow[]> {
  const leafOf = leafReader()
  const leafAndKey = (row: StoredRow): LeafOfRow => {
    if ('entry' in row) return { key: row.key, leaf: isOwn(row) ? leafOf(row)?.leaf : undefined }
    if ('status' in row) return { key: keyOf('attempt', row), leaf: leafOf(row)?.leaf }
    return { key: keyOf('forecast', row), leaf: isAsKept(row) ? leafOf(row)?.leaf : undefined }
  }
  for await (const rows of streamedRows(history, storedRows)) yield rows.map(leafAndKey)
}

/** Whether a row of any series lies under the key that its text says: else it could explain the entry of another. */
function isOwn(row: SeriesEntry): boolean {
  const said = rowIn(row)
  return said !== undefined && canonicalize(seriesKey(said)) === canonicalize(row.key)
}

/** The key of a row as pairing reads it. */
function keyOf(kind: LogKey['kind'], row: HistoryRow | AttemptRow): LogKey {
  return { kind, ...storedKeyOf(row) }
}

/**
 * Whether the columns of a row, which pairing reads, say what its resource says, which is what the log has:
 * they lie apart where a forecast is kept whole, and a leaf proves the resource alone.
 */
function isAsKept(row: HistoryRow): boolean {
  if (row.whole === null) return true
  const resource = wholeOf(row)
  if (resource === undefined) return false
  const { estimate, interval, target_at, lineage, model } = resource
  const kept: Partial<Provenance> = lineage.provenance ?? {}
  const { provenance: said } = row
  const pairs = [
    // Else the resource of one row could lie under the key of another, and explain its entry.
    [normalTimestamp(row.originAt), normalTimestamp(resource.origin_at)],
    [row.model, model.name],
    [row.horizonHours, resource.horizon_hours],
    [row.targetAt, target_at],
    [row.priceUsd, estimate.price_usd],
    [row.q10Usd, interval.lower_usd],
    [row.q50Usd, interval.median_usd],
    [row.q90Usd, interval.upper_usd],
    [said?.inputAvailableAt, kept.input_available_at],
    [said?.selectionDataThrough, kept.selection_data_through],
    [said?.vintageId, kept.vintage_id],
    [said?.vintageSha256, kept.vintage_sha256],
  ]
  return pairs.every(([column, member]) => (column ?? null) === (member ?? null))
}

/** Undefined for what is no forecast: it has no leaf either. */
function wholeOf({ whole }: HistoryRow): StoredResource | undefined {
  const resource = objectIn(String(whole))
  const parts = [resource?.estimate, resource?.interval, resource?.lineage, resource?.model]
  return parts.every(isObject) ? (resource as unknown as StoredResource) : undefined
}
