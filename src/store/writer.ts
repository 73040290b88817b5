import type {
  AttemptRow,
  ForecastRow,
  HistoryRow,
  OriginRow,
  SoundAttempt,
} from '../forecast/row.js'
import type { StoredKey } from '../log/types.js'
import type { Asking } from './dialect.js'
import { appendMissing, type MissingSource } from './missing-entries.js'
import { noted, writeNote } from './notes.js'
import type { SeriesRows } from './series-rows.js'
import type { HistoryWriter, NewOrigin } from './types.js'

/** The rows and logs of a history within the transactions of a writer; what each method does is said of `HistoryWriter`. */
export interface WrittenRows extends MissingSource {
  readonly series: SeriesRows
  origin(originAt: string): Asking<OriginRow | undefined>
  forecast(key: StoredKey): Asking<HistoryRow | undefined>
  attempt(key: StoredKey): Asking<AttemptRow | undefined>
  addOrigin(row: NewOrigin): Asking<void>
  addForecast(row: ForecastRow): Asking<boolean>
  addAttempt(row: SoundAttempt): Asking<void>
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
    logName: () => run(({ logs }) => logs.name()),
    nameLog: (name) => run(({ logs }) => logs.setName(name)),
    logSize: (log) => run(({ logs }) => logs.size(log)),
    logEntry: (key, log) => run(({ logs }) => logs.entry(key, log)),
    logHash: (level, index, log) => run(({ logs }) => logs.hash(level, index, log)),
    newestCheckpoint: (log) => run(({ logs }) => logs.newestCheckpoint(log)),
    appendLeaf: (leaf, log) => run(({ logs }) => logs.append(leaf, log)),
    appendMissing: (leafOf) => run((rows) => appendMissing(rows, leafOf)),
    addCheckpoint: (size, text, log) => run(({ logs }) => logs.addCheckpoint(size, text, log)),
    addSignatures: (size, text, log) => run(({ logs }) => logs.addSignatures(size, text, log)),
    addCheckpointStamp: (size, stamp, log) => run(({ logs }) => logs.addStamp(size, stamp, log)),
  }
}
