import { formatStored, instantOf, parseTimestamp } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import {
  type HistoryRow,
  type OriginRow,
  type RawValue,
  type RowKey,
  rowKey,
} from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import type { RecordedKey } from './record.js'

/** The history changed while it was read: the plan no longer fits it. */
export class HistoryMoved extends Error {}

/** Rows that are read at once: so many first, for a head takes no more, */
const FIRST_BATCH = 128
/** and later as many as this, if their texts are no longer than that together. */
const MOST_ROWS = 2000
const MOST_TEXT = 32 << 20

/** Every row from the newest on, or from the one after a key. */
export async function* rowsFrom(reader: HistoryReader, after?: RowKey): AsyncGenerator<HistoryRow> {
  let last = after
  let limit = FIRST_BATCH
  while (true) {
    const rows = await reader.page({ after: last, limit })
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < limit) return
    last = rowKey(end)
    limit = nextBatch(rows)
  }
}

/** A manifest can be as long as a million others: rows like these must fit into memory together. */
function nextBatch(rows: readonly HistoryRow[]): number {
  let text = 0
  let origin: OriginRow | undefined
  for (const row of rows) {
    if (row.origin !== origin) text += lengthOf(row.origin?.manifestJson)
    origin = row.origin
    text += lengthOf(row.whole)
  }
  const fitting = Math.floor((MOST_TEXT * rows.length) / Math.max(text, 1))
  return Math.max(1, Math.min(fitting, MOST_ROWS))
}

function lengthOf(value: RawValue | undefined): number {
  return typeof value === 'string' ? value.length : 0
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
export async function take(rows: AsyncIterator<HistoryRow>, count: number): Promise<HistoryRow[]> {
  const taken: HistoryRow[] = []
  while (taken.length < count) {
    const { value, done } = await rows.next()
    if (done) throw new HistoryMoved()
    taken.push(value)
  }
  return taken
}
