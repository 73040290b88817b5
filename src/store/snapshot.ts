import type { Finding } from '../contract/findings/finding.js'
import { type Instant, NO_INSTANT, parseInstant } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { AttemptRow, HistoryRow, RawKey } from '../forecast/row.js'
import type { Dialect, SqlQuery, SqlTask, Value, Values } from './dialect.js'
import type {
  EntryWindow,
  HistoryEntry,
  HistoryStatsResult,
  PairingWindow,
} from './history-reader.js'
import { rowsWithOrigins, toAttemptRow } from './hourly-rows.js'

/** Receives every finding. */
export type ReportFinding = (finding: Finding) => void

/** A consistent snapshot of a history, over its own connection. Later writes are not in it. */
export interface HistorySnapshot {
  readonly dialect: Dialect
  run<T>(asking: SqlTask<T>): Promise<T>
  /** The rows of a large query, in batches. */
  rows(question: SqlQuery): AsyncGenerator<Values[], void, undefined>
  /** Facts that only the store itself knows. */
  location(): SqlTask<StorePlace>
  /** The same for hourly rows. */
  facts(): SqlTask<StoreFacts>
  readonly checks: StoreChecks
  end(): Promise<void>
}

export type StorePlace = Pick<HistoryStatsResult, 'bytes' | 'journal_mode'>

export interface StoreFacts
  extends Pick<HistoryStatsResult, 'runs' | 'with_provenance' | 'kept_whole' | 'ordering_index'> {
  /** Number of origins on the hour that have forecasts. */
  readonly onTheHour: number
}

/** Checks that only one store has. */
export interface StoreChecks {
  /** Runs before any row is read. */
  first?(report: ReportFinding): void
  /** Runs after all rows were checked. */
  last(snapshot: HistorySnapshot, report: ReportFinding): Promise<void>
  /** SQL that creates the index in reading order. */
  readonly orderingIndex: string
}

/** See `HistoryReader.entries`. */
export async function* readEntries(
  snapshot: HistorySnapshot,
  window: EntryWindow,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const { only, anyOrder = false } = window
  const { demandOrder } = snapshot.dialect
  if (only !== 'attempts' && !anyOrder && demandOrder) await snapshot.run(demandOrder())
  yield* mergeBatches(
    only === 'attempts' ? emptyStream() : scanForecasts(snapshot, window),
    only === 'forecasts' ? emptyStream() : scanAttempts(snapshot, window),
  )
}

/** The rows of a query without values, one by one. */
export async function* eachRow(
  { rows }: HistorySnapshot,
  sql: string,
): AsyncGenerator<Values, void, undefined> {
  for await (const batch of rows({ sql, values: [] })) yield* batch
}

async function* emptyStream<T>(): AsyncGenerator<T, void, undefined> {}

/** Every forecast of a window, oldest origin first, then by horizon and model; in batches. */
export async function* scanForecasts(
  snapshot: HistorySnapshot,
  window: PairingWindow = {},
): AsyncGenerator<HistoryRow[], void, undefined> {
  const { dialect, run, rows } = snapshot
  for await (const batch of rows(windowSql(dialect, 'forecasts', window))) {
    yield await run(rowsWithOrigins(dialect, batch))
  }
}

/** Every recorded attempt of a window in the same order; in batches. */
export async function* scanAttempts(
  { dialect, rows }: HistorySnapshot,
  window: PairingWindow = {},
): AsyncGenerator<AttemptRow[], void, undefined> {
  for await (const batch of rows(windowSql(dialect, 'attempts', window))) {
    yield batch.map((values) => toAttemptRow(dialect, values))
  }
}

function windowSql(
  dialect: Dialect,
  table: 'forecasts' | 'attempts',
  { from, to }: PairingWindow,
): SqlQuery {
  const { columns, joins } = dialect[table]
  const sql = `SELECT ${columns} FROM ${dialect.table(table)} p ${joins}
    WHERE p.origin_at BETWEEN $1 AND $2 ORDER BY p.origin_at, p.horizon_hours, p.${dialect.model}`
  return { sql, values: originBounds(dialect, from, to) }
}

/** The bounds of a range of origins, both included. */
export function originBounds(
  { stored, lowest, highest }: Dialect,
  from: Instant | undefined,
  to: Instant | undefined,
): [low: Value, high: Value] {
  return [from === undefined ? lowest : stored(from), to === undefined ? highest : stored(to)]
}

/** Merges two ordered streams, in batches; items with the same key come together. */
export async function* mergeBatches(
  forecasts: AsyncGenerator<readonly HistoryRow[]>,
  attempts: AsyncGenerator<readonly AttemptRow[]>,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  const [a, b] = [new Lookahead(forecasts), new Lookahead(attempts)]
  try {
    for (;;) {
      await a.fill()
      await b.fill()
      const entries: HistoryEntry[] = []
      let [forecast, attempt] = [a.next, b.next]
      // While both streams have an item read ahead.
      while (a.isKnown && b.isKnown && (forecast !== undefined || attempt !== undefined)) {
        const order =
          forecast === undefined ? 1 : attempt === undefined ? -1 : compare(forecast, attempt)
        entries.push({
          forecast: order <= 0 ? forecast : undefined,
          attempt: order >= 0 ? attempt : undefined,
        })
        if (order <= 0) forecast = a.advance()
        if (order >= 0) attempt = b.advance()
      }
      if (entries.length === 0) return
      yield entries
    }
  } finally {
    // An unfinished statement would keep its database open.
    await forecasts.return(undefined)
    await attempts.return(undefined)
  }
}

/** The rows of a stream that were read ahead. */
class Lookahead<T> {
  #rows: readonly T[] = []
  #at = 0
  #isOver = false

  constructor(private readonly batches: AsyncIterator<readonly T[]>) {}

  /** Reads the next batch if none is left. */
  async fill(): Promise<void> {
    while (!this.isKnown) {
      const { done = false, value } = await this.batches.next()
      this.#isOver = done
      this.#rows = done ? [] : value
      this.#at = 0
    }
  }

  /** Whether `next` is valid; `next` is undefined at the end. */
  get isKnown(): boolean {
    return this.#isOver || this.#at < this.#rows.length
  }

  get next(): T | undefined {
    return this.#rows[this.#at]
  }

  advance(): T | undefined {
    this.#at++
    return this.next
  }
}

function compare(a: HistoryRow, b: AttemptRow): number {
  const origin = ({ originAt }: RawKey) => parseInstant(originAt) ?? NO_INSTANT
  // Values that are not numbers come last.
  const horizon = ({ horizonHours }: RawKey) =>
    typeof horizonHours === 'number' ? horizonHours : Number.POSITIVE_INFINITY
  return (
    origin(a) - origin(b) ||
    horizon(a) - horizon(b) ||
    compareText(String(a.model ?? ''), String(b.model ?? ''))
  )
}
