import type { LogKey, NewLeaf } from '../log/types.js'
import { type Asking, ask, type Dialect, keyOfColumns, ROW_TABLES, type Values } from './dialect.js'
import type { WrittenLog } from './log-writer.js'
import { rowAt } from './marks.js'
import { lastLoggedNote, noted, writeNote } from './notes.js'
import { attemptRow, rowsOfKeys, rowsWithOrigins } from './rows.js'
import type { SeriesRows } from './series-rows.js'
import type { AppendedRows, HistoryWriter, StoredRow } from './types.js'

/** The rows and logs of a history within the transactions of a writer; what each method does is said of `HistoryWriter`. */
export interface WrittenRows
  extends AskedAs<'origin' | 'forecast' | 'attempt' | 'addOrigin' | 'addForecast' | 'addAttempt'> {
  readonly dialect: Dialect
  readonly log: WrittenLog
  readonly series: SeriesRows
}

type AskedAs<Method extends keyof HistoryWriter> = {
  [M in Method]: HistoryWriter[M] extends (...args: infer Args) => Promise<infer T>
    ? (...args: Args) => Asking<T>
    : never
}

/** What the writers of all stores do alike. @param run - work within its transaction. */
export function writerMethods(
  run: <T>(work: (rows: WrittenRows) => Asking<T>) => Promise<T>,
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
    noted: (key) => run(({ dialect }) => noted(dialect, key)),
    logName: () => run(({ log }) => log.name()),
    nameLog: (name) => run(({ log }) => log.setName(name)),
    logSize: () => run(({ log }) => log.size()),
    logEntry: (key) => run(({ log }) => log.entry(key)),
    logHash: (level, index) => run(({ log }) => log.hash(level, index)),
    newestCheckpoint: () => run(({ log }) => log.newestCheckpoint()),
    appendLeaf: (leaf) => run(({ log }) => log.append(leaf)),
    appendMissing: (leafOf) => run((rows) => appendMissing(rows, leafOf)),
    addCheckpoint: (size, text) => run(({ log }) => log.addCheckpoint(size, text)),
    addSignatures: (size, text) => run(({ log }) => log.addSignatures(size, text)),
    addCheckpointStamp: (size, stamp) => run(({ log }) => log.addStamp(size, stamp)),
  }
}

type Kind = LogKey['kind']

const KINDS = Object.keys(ROW_TABLES) as Kind[]

/** See `LogWriter.appendMissing`. Every row that was added has arrived in its table. */
function* appendMissing(
  source: WrittenRows,
  leafOf: (row: StoredRow) => NewLeaf | undefined,
): Asking<AppendedRows> {
  const { dialect, log } = source
  let appended = 0
  let left = 0
  const held = dialect.hold(yield* missingSql(dialect))
  yield* ask(held.begin)
  for (let taken = 0; ; ) {
    const batch = yield* ask(held.next(taken))
    if (batch.length === 0) break
    taken += batch.length
    const keys = batch.map((values) => logKeyOf(dialect, values))
    for (const [at, row] of (yield* storedRows(source, keys)).entries()) {
      const leaf = row && leafOf(row)
      // An origin that is spelt otherwise in the row than in its entry would be missing for ever.
      if (leaf === undefined || leaf.key?.originAt !== keys[at]?.originAt) left++
      else {
        yield* log.append(leaf)
        appended++
      }
    }
  }
  yield* ask(held.end)
  // A row that has no entry now may have one later: then all rows have to be looked at again.
  if (left === 0) for (const kind of KINDS) yield* remember(dialect, kind)
  return { appended, left }
}

/** What is stored under some keys, in their order: of each what its kind says. */
function* storedRows(
  { dialect, series }: WrittenRows,
  keys: readonly LogKey[],
): Asking<(StoredRow | undefined)[]> {
  if (dialect.version === 2) return yield* series.stored(keys)
  const of = (wanted: Kind) => keys.filter(({ kind }) => kind === wanted)
  const found = yield* rowsOfKeys(dialect, 'forecasts', of('forecast'))
  const forecasts = (yield* rowsWithOrigins(dialect, found)).values()
  const attempts = (yield* rowsOfKeys(dialect, 'attempts', of('attempt'))).values()
  return keys.map(({ kind }) =>
    kind === 'forecast' ? forecasts.next().value : attemptRow(dialect, attempts.next().value ?? []),
  )
}

/** Asks for the keys of rows that the log does not have, in the order of their entries. */
function* missingSql(dialect: Dialect): Asking<string> {
  const selects: string[] = []
  for (const kind of KINDS) selects.push(missingOf(dialect, kind, yield* lastSeen(dialect, kind)))
  return `${selects.join(' UNION ALL ')} ORDER BY ${dialect.key.join(', ')}, kind DESC`
}

function missingOf(dialect: Dialect, kind: Kind, after: number | undefined): string {
  const isNew = after === undefined ? '' : `r.${dialect.added} > ${after} AND`
  return `SELECT ${dialect.key.join(', ')}, '${kind}' AS kind FROM ${dialect.table(ROW_TABLES[kind])} r
    WHERE ${isNew} NOT EXISTS (
      SELECT 1 FROM ${dialect.table('log_entries')} e
      WHERE e.kind = '${kind}'
        AND ${dialect.key.map((name) => `e.${name} = r.${name}`).join(' AND ')})`
}

/** Rows that were written up to this one are in the log; undefined where only a look at all of them can show that. */
function* lastSeen(dialect: Dialect, kind: Kind): Asking<number | undefined> {
  const before = yield* noted(dialect, lastLoggedNote(kind))
  const added = Number(/^\[(-?\d{1,16}),/.exec(before ?? '')?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(added)) return undefined
  return (yield* seenAt(dialect, kind, added)) === before ? added : undefined
}

function* remember(dialect: Dialect, kind: Kind): Asking<void> {
  const last = yield* seenAt(dialect, kind)
  if (last !== undefined) yield* writeNote(dialect, lastLoggedNote(kind), last)
}

/** A row by its place in the order of writing, with its key: the place may have been given to another one since. */
function* seenAt(dialect: Dialect, kind: Kind, place?: number): Asking<string | undefined> {
  const row = yield* rowAt(dialect, ROW_TABLES[kind], place)
  return row && JSON.stringify(row)
}

/** As stored: columns that hold something else are reported where rows are verified. */
function logKeyOf(dialect: Dialect, values: Values): LogKey {
  return { ...keyOfColumns(dialect, values.slice(0, -1)), kind: values.at(-1) } as LogKey
}
