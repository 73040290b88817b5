import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { importResources } from '../../src/history/import/import.js'
import type { HistoryReader } from '../../src/store/history-reader.js'
import type { HistoryWriter } from '../../src/store/history-writer.js'
import { openHistory } from '../../src/store/open.js'
import { type Database, openSqlite } from '../../src/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER, stamp } from '../store/producer-tables.mjs'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'

export const HOUR = 3_600_000
export { stamp }

export const EPOCH = Date.UTC(2026, 0, 1)

/** The tables as producers of today write them, and the index that some make. */
export { PRODUCER_TABLES as PRODUCER_DDL, READING_ORDER as ORDERING_INDEX_DDL }

/** The tables as old producers wrote them. */
export const OLD_DDL = `
  CREATE TABLE forecast_origins (
    origin_at TEXT PRIMARY KEY, generated_at TEXT NOT NULL, source_price_usd REAL NOT NULL);
  CREATE TABLE forecast_predictions (
    origin_at TEXT NOT NULL, model_name TEXT NOT NULL, horizon_hours INTEGER NOT NULL,
    target_at TEXT NOT NULL, predicted_price_usd REAL NOT NULL, predicted_change_pct REAL NOT NULL,
    PRIMARY KEY (origin_at, model_name, horizon_hours));`

export interface MadeRow {
  readonly hour: number
  readonly model: string
  readonly horizon: number
  readonly run?: string | null
}

/** Rows of each hour from one on and before another: of every model and horizon. */
export function hourlyRows(
  from: number,
  to: number,
  models: readonly string[] = ['alpha'],
  horizons: readonly number[] = [2, 4, 8, 16],
): MadeRow[] {
  const hours = Array.from({ length: to - from }, (_, at) => from + at)
  return hours.flatMap((hour) =>
    models.flatMap((model) =>
      horizons.map((horizon) => ({ hour, model, horizon, run: `run-${hour}` })),
    ),
  )
}

/** Writes a producer's database with the given rows. */
export function writeProducer(path: string, rows: readonly MadeRow[], extra = ''): void {
  const db = openSqlite(path)
  // A test's file need not outlive a crash of the machine.
  db.pragma('synchronous = OFF')
  db.exec(PRODUCER_TABLES + extra)
  addRows(db, rows)
  db.close()
}

/** All of what comes one by one. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** All of what comes in batches. */
export const inBatches = async <T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> =>
  (await allOf(batches)).flat()

/** Adds rows as a producer does: the origin unless it is there, then the predictions. Their numbers agree. */
export function addRows(to: Database | string, rows: readonly MadeRow[]): void {
  const db = typeof to === 'string' ? openSqlite(to) : to
  const origin = db.prepare(
    `INSERT INTO forecast_origins VALUES (?, ?, 'made', 'BTC/USD', 50000, NULL, '{}', ?, ?, ?, 'c1', '{"manifest_version":1}')
     ON CONFLICT (origin_at) DO NOTHING`,
  )
  const prediction = db.prepare(
    'INSERT OR IGNORE INTO forecast_predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0.75)',
  )
  db.exec('BEGIN')
  for (const { hour, model, horizon, run } of rows) {
    const at = EPOCH + hour * HOUR
    const text = stamp(at)
    origin.run(text, stamp(at + 60_000), text, text, run ?? null)
    const [target, price] = [stamp(at + horizon * HOUR), 50_000 + hour]
    const interval = [price * 0.9, price, price * 1.1]
    prediction.run(text, model, horizon, target, price, hour / 500, ...interval)
  }
  db.exec('COMMIT')
  if (typeof to === 'string') db.close()
}

/** Writes what an old producer had: a forecast with times in its own form. @param more - rows of others, in SQL. */
export const writeOld = (path: string, more = ''): void =>
  alter(
    path,
    `${OLD_DDL}
    INSERT INTO forecast_origins VALUES ('${stamp(EPOCH)}', '2026-01-01T00:01:00Z', 50000);
    INSERT INTO forecast_predictions VALUES
      ('${stamp(EPOCH)}', 'a', 2, '2026-01-01T02:00:00Z', 50500, 1)${more};`,
  )

/** A change that begins a history, with more rows than a small cache holds. */
export const FILLING = `${PRODUCER_TABLES}
  WITH RECURSIVE hours (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM hours WHERE n < 2000)
  INSERT INTO forecast_origins
  SELECT 'hour ' || n, '', 'made', 'BTC/USD', 1, NULL, '{}', '', '', NULL, NULL, NULL FROM hours;`

/** Puts at `at` what a killed writer leaves of a history: half of its change, and a journal that undoes it. */
export function leaveUnfinished(history: string, at: string, change: string): void {
  const writer = openSqlite(history)
  try {
    // So small that pages are written before the end.
    writer.pragma('cache_size = 2')
    writer.exec(`BEGIN; ${change}`)
    for (const end of ['', '-journal']) copyFileSync(`${history}${end}`, `${at}${end}`)
  } finally {
    writer.exec('ROLLBACK')
    writer.close()
  }
}

/** A reader, which is closed at the end of the file. */
export function opened(path: string, options: { busyTimeoutMs?: number } = {}): HistoryReader {
  const reader = openHistory(path, options)
  atEnd(() => reader.close())
  return reader
}

/** Changes a history as no program of ours does. @param values - of a single statement that has places for them. */
export function alter(path: string, sql: string, ...values: unknown[]): void {
  const db = openSqlite(path)
  if (values.length === 0) db.exec(sql)
  else db.prepare(sql).run(...values)
  db.close()
}

/** A history of these values, in a folder of its own. */
export async function historyOf(values: readonly unknown[]): Promise<string> {
  const path = join(temporaryFolder(), 'history.sqlite')
  const { rejected } = await importResources(path, values, { now: EPOCH * 1000 })
  if (rejected > 0) throw new Error('values that are none of a history')
  return path
}

/** Writes in one transaction. */
export async function inTransaction<T>(
  opening: Promise<HistoryWriter>,
  put: (writer: HistoryWriter) => Promise<T>,
): Promise<T> {
  const writer = await opening
  try {
    await writer.begin()
    const result = await put(writer)
    await writer.commit()
    return result
  } finally {
    await writer.close()
  }
}
