import type { AttemptRow, HistoryRow } from '../forecast/row.js'
import type { Asking, Dialect, Question, ScanOrder, Values } from './dialect.js'
import { mergeBatches } from './merge.js'
import { attemptRow, rowsWithOrigins } from './rows.js'
import type { EntryWindow, HistoryEntry, HistoryStatsResult, PairingWindow } from './types.js'
import type { ReportFinding } from './verify-rows.js'

/** What is read from one snapshot of a history, without what others write meanwhile, over a connection of its own. */
export interface HistorySnapshot {
  readonly dialect: Dialect
  run<T>(asking: Asking<T>): Promise<T>
  /** The rows of a question that are too many to hold at once; in batches. */
  rows(question: Question): AsyncGenerator<Values[], void, undefined>
  /** How forecasts are read in order of time. */
  forecastOrder(): ScanOrder
  /** What only the store knows of itself. */
  place(): Asking<StorePlace>
  /** The same of hourly rows. */
  facts(): Asking<StoreFacts>
  readonly checks: StoreChecks
  end(): Promise<void>
}

export type StorePlace = Pick<HistoryStatsResult, 'bytes' | 'journal_mode'>

export interface StoreFacts
  extends Pick<HistoryStatsResult, 'runs' | 'with_provenance' | 'kept_whole' | 'ordering_index'> {
  /** Origins with forecasts that are on the hour. */
  readonly onTheHour: number
}

/** What one store looks at beside what all do. */
export interface StoreChecks {
  /** Before any row is read. */
  first?(report: ReportFinding): void
  /** With each forecast and attempt. */
  each?(row: HistoryRow | AttemptRow, report: ReportFinding): void
  /** When all rows have been looked at. */
  last(snapshot: HistorySnapshot, report: ReportFinding): Promise<void>
  /** SQL that makes the index of the reading order. */
  readonly orderingIndex: string
}

/**
 * See `HistoryReader.entries`.
 * @param withLost - also the forecasts whose origin is no timestamp, for any window.
 */
export function entriesOf(
  snapshot: HistorySnapshot,
  window: EntryWindow,
  withLost = false,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const { only } = window
  return mergeBatches(
    only === 'attempts' ? none() : scanForecasts(snapshot, window, withLost),
    only === 'forecasts' ? none() : scanAttempts(snapshot, window),
  )
}

async function* none<T>(): AsyncGenerator<T, void, undefined> {}

/** Every forecast of a window, oldest origin first, then by horizon and model; in batches. */
export async function* scanForecasts(
  snapshot: HistorySnapshot,
  window: PairingWindow = {},
  withLost = false,
): AsyncGenerator<HistoryRow[], void, undefined> {
  const { dialect, run } = snapshot
  const order = snapshot.forecastOrder()
  for await (const batch of snapshot.rows(
    windowSql(dialect, dialect.forecasts, order, window, withLost),
  )) {
    yield await run(rowsWithOrigins(dialect, batch))
  }
}

/** Every recorded attempt of a window in the same order; in batches. */
export async function* scanAttempts(
  { dialect, rows }: HistorySnapshot,
  window: PairingWindow = {},
): AsyncGenerator<AttemptRow[], void, undefined> {
  const { attempts, attemptOrder } = dialect
  for await (const batch of rows(windowSql(dialect, attempts, attemptOrder, window, false))) {
    yield batch.map((values) => attemptRow(dialect, values))
  }
}

function windowSql(
  { model }: Dialect,
  { columns, joins }: Dialect['forecasts'],
  { from: table, key, keyOf, lowest, highest, areMixed }: ScanOrder,
  { from, to }: PairingWindow,
  withLost: boolean,
): Question {
  const sql = `SELECT ${columns} FROM ${table} ${joins}
    WHERE ${key} BETWEEN $1 AND $2 ${areMixed && withLost ? `OR ${key} = ${lowest}` : ''}
    ORDER BY ${key}, p.horizon_hours, p.${model}${areMixed ? ', p.origin_at' : ''}`
  const values = [from === undefined ? lowest : keyOf(from), to === undefined ? highest : keyOf(to)]
  return { sql, values }
}
