import type { LogKey, NewLeaf } from '../log/log-entry.js'
import {
  type Dialect,
  keyFromColumns,
  queryRows,
  ROW_TABLES,
  type SqlTask,
  type Values,
} from './dialect.js'
import type { StoredRow } from './history-reader.js'
import type { AppendedRows, HistoryWriter } from './history-writer.js'
import { queryRowsByKey, rowsWithOrigins, toAttemptRow } from './hourly-rows.js'
import type { LogAppender } from './log-writer.js'
import { rowAt } from './marks.js'
import { lastLoggedKey, readStoredNote, writeNote } from './notes.js'
import type { SeriesRows } from './series-rows.js'

/**
 * The rows and logs of a history within the transactions of a writer; see `HistoryWriter` for each method.
 */
export interface WrittenRows
  extends TaskMethod<
    'origin' | 'forecast' | 'attempt' | 'addOrigin' | 'addForecast' | 'addAttempt'
  > {
  readonly dialect: Dialect
  readonly log: LogAppender
  readonly series: SeriesRows
}

type TaskMethod<Method extends keyof HistoryWriter> = {
  [M in Method]: HistoryWriter[M] extends (...args: infer Args) => Promise<infer T>
    ? (...args: Args) => SqlTask<T>
    : never
}

/**
 * The methods that the writers of all stores share.
 * @param run - runs a task within the transaction.
 */
export function writerMethods(
  run: <T>(work: (rows: WrittenRows) => SqlTask<T>) => Promise<T>,
): Omit<
  HistoryWriter,
  'path' | 'keysAtOnce' | 'expect' | 'begin' | 'commit' | 'rollback' | 'close'
> {
  return {
    origin: (originAt) => run((rows) => rows.origin(originAt)),
    forecast: (key) => run((rows) => rows.forecast(key)),
    attempt: (key) => run((rows) => rows.attempt(key)),
    addOrigin: (row) => run((rows) => rows.addOrigin(row)),
    addForecast: (row) => run((rows) => rows.addForecast(row)),
    addAttempt: (row) => run((rows) => rows.addAttempt(row)),
    seriesEntry: (key) => run(({ series }) => series.text(key)),
    addSeriesEntry: (row) => run(({ series }) => series.add(row)),
    note: (key, text) => run(({ dialect }) => writeNote(dialect, key, text)),
    noted: (key) => run(({ dialect }) => readStoredNote(dialect, key)),
    logName: () => run(({ log }) => log.name()),
    nameLog: (name) => run(({ log }) => log.setName(name)),
    logSize: () => run(({ log }) => log.size()),
    logEntry: (key) => run(({ log }) => log.entry(key)),
    logHash: (level, index) => run(({ log }) => log.hash(level, index)),
    newestCheckpoint: () => run(({ log }) => log.newestCheckpoint()),
    appendLeaf: (leaf) => run(({ log }) => log.append(leaf)),
    appendMissing: (toLeaf) => run((rows) => appendMissing(rows, toLeaf)),
    addCheckpoint: (size, text) => run(({ log }) => log.addCheckpoint(size, text)),
    addSignatures: (size, text) => run(({ log }) => log.addSignatures(size, text)),
    addCheckpointStamp: (size, stamp) => run(({ log }) => log.addStamp(size, stamp)),
  }
}

type Kind = LogKey['kind']

const KINDS = Object.keys(ROW_TABLES) as Kind[]

/** See `LogWriter.appendMissing`. All added rows must be in their tables. */
function* appendMissing(
  source: WrittenRows,
  toLeaf: (row: StoredRow) => NewLeaf | undefined,
): SqlTask<AppendedRows> {
  const { dialect, log } = source
  let appended = 0
  let left = 0
  const held = dialect.openCursor(yield* missingSql(dialect))
  yield* queryRows(held.begin)
  for (let count = 0; ; ) {
    const batch = yield* queryRows(held.next(count))
    if (batch.length === 0) break
    count += batch.length
    const keys = batch.map((values) => toLogKey(dialect, values))
    for (const [at, row] of (yield* storedRows(source, keys)).entries()) {
      const leaf = row && toLeaf(row)
      // Compare origins as instants: a row whose origin is spelled differently from its entry would stay missing
      // forever.
      if (leaf === undefined || leaf.key?.originAt !== keys[at]?.originAt) left++
      else {
        yield* log.append(leaf)
        appended++
      }
    }
  }
  yield* queryRows(held.end)
  // A row without an entry may get one later, so all rows must be checked again next time.
  if (left === 0) for (const kind of KINDS) yield* noteLastLogged(dialect, kind)
  return { appended, left }
}

/** The stored rows of some keys, in their order, each of its kind. */
function* storedRows(
  { dialect, series }: WrittenRows,
  keys: readonly LogKey[],
): SqlTask<(StoredRow | undefined)[]> {
  if (dialect.version === 2) return yield* series.stored(keys)
  const of = (wanted: Kind) => keys.filter(({ kind }) => kind === wanted)
  const rows = yield* queryRowsByKey(dialect, 'forecasts', of('forecast'))
  const forecasts = (yield* rowsWithOrigins(dialect, rows)).values()
  const attempts = (yield* queryRowsByKey(dialect, 'attempts', of('attempt'))).values()
  return keys.map(({ kind }) =>
    kind === 'forecast'
      ? forecasts.next().value
      : toAttemptRow(dialect, attempts.next().value ?? []),
  )
}

/** The SQL for keys of rows that are not in the log, in the order of their entries. */
function* missingSql(dialect: Dialect): SqlTask<string> {
  const selects: string[] = []
  for (const kind of KINDS)
    selects.push(missingOfKindSql(dialect, kind, yield* readLastLogged(dialect, kind)))
  return `${selects.join(' UNION ALL ')} ORDER BY ${dialect.key.join(', ')}, kind DESC`
}

function missingOfKindSql(dialect: Dialect, kind: Kind, after: number | undefined): string {
  const isNew = after === undefined ? '' : `r.${dialect.added} > ${after} AND`
  return `SELECT ${dialect.key.join(', ')}, '${kind}' AS kind FROM ${dialect.table(ROW_TABLES[kind])} r
    WHERE ${isNew} NOT EXISTS (
      SELECT 1 FROM ${dialect.table('log_entries')} e
      WHERE e.kind = '${kind}'
        AND ${dialect.key.map((name) => `e.${name} = r.${name}`).join(' AND ')})`
}

/** All rows written up to this one are in the log. Undefined if all rows must be checked. */
function* readLastLogged(dialect: Dialect, kind: Kind): SqlTask<number | undefined> {
  const before = yield* readStoredNote(dialect, lastLoggedKey(kind))
  const added = Number(/^\[(-?\d{1,16}),/.exec(before ?? '')?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(added)) return undefined
  return (yield* readRowMark(dialect, kind, added)) === before ? added : undefined
}

function* noteLastLogged(dialect: Dialect, kind: Kind): SqlTask<void> {
  const last = yield* readRowMark(dialect, kind)
  if (last !== undefined) yield* writeNote(dialect, lastLoggedKey(kind), last)
}

/**
 * A row by its position in the order of writing, with its key, because the position may have been reused.
 */
function* readRowMark(
  dialect: Dialect,
  kind: Kind,
  position?: number,
): SqlTask<string | undefined> {
  const row = yield* rowAt(dialect, ROW_TABLES[kind], position)
  return row && JSON.stringify(row)
}

/** As stored; the verification of rows reports invalid columns. */
function toLogKey(dialect: Dialect, values: Values): LogKey {
  return { ...keyFromColumns(dialect, values.slice(0, -1)), kind: values.at(-1) } as LogKey
}
