import { formatStored, instantOf, parseTimestamp } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import { type HistoryRow, type RowKey, rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import type { RecordedKey } from './record.js'

/** The history changed while it was read: the plan no longer fits it. */
export class HistoryMoved extends Error {}

const BATCH_ROWS = 1000

/** All rows from the newest on, a batch at a time. */
export async function* rowsFrom(reader: HistoryReader): AsyncGenerator<readonly HistoryRow[]> {
  let after: RowKey | undefined
  while (true) {
    const rows = await reader.page({ after, limit: BATCH_ROWS })
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH_ROWS) return
    after = rowKey(last)
  }
}

/**
 * Exactly so many rows, from the newest on or from the one after a key.
 * @throws {HistoryMoved} when there are fewer.
 */
export async function exactRows(
  reader: HistoryReader,
  after: RowKey | undefined,
  count: number,
): Promise<readonly HistoryRow[]> {
  const rows = count === 0 ? [] : await reader.page({ after, limit: count })
  if (rows.length !== count) throw new HistoryMoved()
  return rows
}

export function rowKeyOf(key: RecordedKey): RowKey {
  const parsed = parseTimestamp(key.origin_at)
  return {
    origin: parsed.ok ? parsed.instant : Number.NaN,
    horizonHours: key.horizon_hours,
    model: key.model_name,
  }
}

export function compareRows(a: RowKey, b: RowKey): number {
  return compareKeys(
    { origin: a.origin, horizon: a.horizonHours, model: a.model },
    { origin: b.origin, horizon: b.horizonHours, model: b.model },
  )
}

export function recordedKey(row: HistoryRow | undefined): RecordedKey | null {
  if (row === undefined) return null
  return {
    origin_at: formatStored(instantOf(row.originAt) ?? 0),
    horizon_hours: Number(row.horizonHours),
    model_name: String(row.model),
  }
}
