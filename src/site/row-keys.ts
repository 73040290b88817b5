import { formatStored, parseInstant } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import type { HistoryRow, RowKey } from '../forecast/row.js'
import type { HistoryReader } from '../store/history-reader.js'
import type { RecordedKey } from './record.js'

/** Thrown if the history changed during a build, so that the plan no longer fits. */
export class HistoryMoved extends Error {}

/**
 * Reads an exact number of rows, from the newest on or after a key.
 * @throws {HistoryMoved} if there are fewer.
 */
export async function readExactRows(
  reader: HistoryReader,
  after: RowKey | undefined,
  count: number,
): Promise<readonly HistoryRow[]> {
  const rows = count === 0 ? [] : await reader.page({ after, limit: count })
  if (rows.length !== count) throw new HistoryMoved()
  return rows
}

export function toRowKey(key: RecordedKey): RowKey {
  const { origin_at, horizon_hours: horizonHours, model_name: model } = key
  return { origin: parseInstant(origin_at) ?? Number.NaN, horizonHours, model }
}

export function compareRows(a: RowKey, b: RowKey): number {
  return compareKeys(
    { origin: a.origin, horizon: a.horizonHours, model: a.model },
    { origin: b.origin, horizon: b.horizonHours, model: b.model },
  )
}

export function toRecordedKey(row: HistoryRow | undefined): RecordedKey | null {
  if (row === undefined) return null
  return {
    origin_at: formatStored(parseInstant(row.originAt) ?? 0),
    horizon_hours: Number(row.horizonHours),
    model_name: String(row.model),
  }
}
