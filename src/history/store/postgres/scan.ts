import type { AttemptRow, HistoryRow } from '../../../forecast/row.js'
import type { HistoryEntry } from '../entry-types.js'
import { mergeBatches } from '../merge.js'
import type { EntryWindow, PairingWindow } from '../types.js'
import type { Values } from './pool.js'
import {
  ATTEMPT_COLUMNS,
  attemptRow,
  FORECAST_COLUMNS,
  historyRow,
  listedColumns,
  ORIGIN_COLUMNS,
  originRow,
} from './rows.js'
import type { ServerSnapshot } from './snapshot.js'
import { quotedName } from './tables.js'

/** See `HistoryReader.entries`. */
export function entriesOf(
  snapshot: ServerSnapshot,
  schema: string,
  window: EntryWindow,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const { only } = window
  return mergeBatches(
    only === 'attempts' ? none() : scanRows(snapshot, schema, window),
    only === 'forecasts' ? none() : scanAttempts(snapshot, schema, window),
  )
}

async function* none<T>(): AsyncGenerator<T, void, undefined> {}

/** Every forecast of a window, oldest origin first, then by horizon and model; in batches. */
export async function* scanRows(
  { rows, ask }: ServerSnapshot,
  schema: string,
  window: PairingWindow = {},
): AsyncGenerator<HistoryRow[], void, undefined> {
  for await (const batch of rows(...windowSql(schema, 'forecasts', FORECAST_COLUMNS, window))) {
    const origins = await ask(
      `SELECT ${listedColumns(ORIGIN_COLUMNS, 'o')} FROM ${quotedName(schema)}.origins o
       WHERE o.origin_at BETWEEN $1 AND $2`,
      [batch[0]?.[0], batch.at(-1)?.[0]],
    )
    const byOrigin = new Map(origins.map((values) => [values[0], originRow(values)]))
    yield batch.map((values) => historyRow(values, byOrigin.get(values[0] as number)))
  }
}

/** Every recorded attempt of a window in the same order; in batches. */
export async function* scanAttempts(
  { rows }: ServerSnapshot,
  schema: string,
  window: PairingWindow = {},
): AsyncGenerator<AttemptRow[], void, undefined> {
  for await (const batch of rows(...windowSql(schema, 'attempts', ATTEMPT_COLUMNS, window))) {
    yield batch.map((values: Values) => attemptRow(values))
  }
}

function windowSql(
  schema: string,
  table: string,
  columns: readonly string[],
  { from, to }: PairingWindow,
): [sql: string, values: unknown[]] {
  const values: unknown[] = []
  const conditions = [
    ...(from === undefined ? [] : [`t.origin_at >= $${values.push(from)}`]),
    ...(to === undefined ? [] : [`t.origin_at <= $${values.push(to)}`]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT ${listedColumns(columns, 't')} FROM ${quotedName(schema)}.${table} t ${where}
    ORDER BY t.origin_at, t.horizon_hours, t.model`
  return [sql, values]
}
