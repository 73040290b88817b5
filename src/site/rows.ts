import { formatStored, parseTimestamp } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import { instantOf } from '../history/order.js'
import { keyOf } from '../history/pages.js'
import type { HistoryReader, HistoryRow, RowKey } from '../history/types.js'
import type { RecordedKey } from './record.js'

/** The history changed while it was read: the plan no longer fits it. */
export class HistoryMoved extends Error {}

const BATCH = 1000

/** Every row from the newest on, or from the one after a key. */
export function* rowsFrom(reader: HistoryReader, after?: RowKey): Generator<HistoryRow> {
  let last = after
  while (true) {
    const rows = reader.page({ after: last, limit: BATCH })
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < BATCH) return
    last = keyOf(end)
  }
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

/** Exactly so many rows. */
export function take(rows: Iterator<HistoryRow>, count: number): HistoryRow[] {
  const taken: HistoryRow[] = []
  while (taken.length < count) {
    const { value, done } = rows.next()
    if (done) throw new HistoryMoved()
    taken.push(value)
  }
  return taken
}
