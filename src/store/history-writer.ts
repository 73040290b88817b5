import type {
  AttemptRow,
  ForecastRow,
  HistoryRow,
  OriginRow,
  SoundAttempt,
} from '../forecast/row.js'
import type { CheckpointStamp, LogKey, NewLeaf, StoredKey } from '../log/log-entry.js'
import type { OriginNotes, SeriesEntry, StoredRow } from './history-reader.js'
import type { LogState } from './stored-log.js'

/** A new origin with its notes; missing notes get the values of an origin seen now. */
export interface NewOrigin extends OriginRow, Partial<OriginNotes> {}

/**
 * Thrown for a row that violates a constraint of the tables; a producer may have added stricter ones.
 */
export class RefusedRow extends Error {}

/** A history open for writing its log, within transactions that the caller begins and ends. */
export interface LogFile extends LogWriter {
  /** Its name in messages. */
  readonly path: string
  /** Begins a transaction. */
  begin(): Promise<void>
  commit(): Promise<void>
  /** Rolls back to `begin`. */
  rollback(): Promise<void>
  /** Stores a note, committed with the rows. */
  note(key: string, text: string): Promise<void>
  noted(key: string): Promise<string | undefined>
  /** Rolls back. A new history without rows is removed. */
  close(): Promise<void>
}

/**
 * Writes rows and the log. The first transaction creates a missing history. The first write of a key wins; existing
 * rows never change. Methods reject as those of a reader do; those that add a row also with a `RefusedRow`.
 */
export interface HistoryWriter extends LogFile {
  /** How many keys to pass to `expect` at once; 1 if batching brings nothing. */
  readonly keysAtOnce: number
  /**
   * Announces the keys to be read or written next, so that a remote store can fetch them in one query. Only a hint.
   */
  expect(keys: readonly StoredKey[]): Promise<void>
  /** Undefined if it does not exist yet. */
  origin(originAt: string): Promise<OriginRow | undefined>
  /** The stored forecast of a key. */
  forecast(key: StoredKey): Promise<HistoryRow | undefined>
  /** The recorded attempt of a key. */
  attempt(key: StoredKey): Promise<AttemptRow | undefined>
  /** Adds a new origin; call it before adding its forecasts. */
  addOrigin(row: NewOrigin): Promise<void>
  /** False if its key has a forecast already. */
  addForecast(row: ForecastRow): Promise<boolean>
  /** Adds a recorded attempt whose key has none yet. */
  addAttempt(row: SoundAttempt): Promise<void>
  /** The stored text of a row of any series. */
  seriesEntry(key: LogKey): Promise<string | undefined>
  /** Adds a row of any series whose key has none yet, as its log entry. */
  addSeriesEntry(row: SeriesEntry): Promise<void>
}

/** Writes the log of a history, within the transactions of its writer. */
export interface LogWriter extends LogState {
  /** Its origin line; undefined until it is named. */
  logName(): Promise<string | undefined>
  /** Names the log, which has no name yet. */
  nameLog(name: string): Promise<void>
  /** Appends an entry and returns its index. */
  appendLeaf(leaf: NewLeaf): Promise<number>
  /**
   * Appends entries for rows that are not in the log, which other programs have written: by origin, horizon and
   * model, the forecast of a key before its attempt. The cost depends only on the rows since the last time.
   * @param toLeaf - undefined if a row cannot have an entry.
   */
  appendMissing(toLeaf: (row: StoredRow) => NewLeaf | undefined): Promise<AppendedRows>
  /** False if the log has a checkpoint of that size already; it stays. */
  addCheckpoint(size: number, note: string): Promise<boolean>
  /**
   * Adds the signatures of a note to the checkpoint of that size, see `mergeNotes`. False if that changes nothing, or
   * there is no such checkpoint.
   */
  addSignatures(size: number, note: string): Promise<boolean>
  /** False if the checkpoint has a stamp of that authority already; it stays. */
  addCheckpointStamp(size: number, stamp: CheckpointStamp): Promise<boolean>
}

/** The result for rows that were not in the log. */
export interface AppendedRows {
  readonly appended: number
  /** Rows that can have no entry. */
  readonly left: number
}
