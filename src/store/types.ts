import type { Finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type {
  AttemptRow,
  ForecastRow,
  HistoryRow,
  OriginRow,
  PairingRow,
  RawValue,
  RowKey,
  SoundAttempt,
} from '../forecast/row.js'
import type {
  CheckpointStamp,
  LogEntry,
  LogKey,
  NewLeaf,
  StoredCheckpoint,
  StoredKey,
} from '../log/types.js'

/** Of which protocols the rows are: those of one price by the hour, or of any series. */
export type RowVersion = 1 | 2

/** A row by its place in the order of writing: rows written later have larger numbers. */
export interface RowMark {
  readonly row: number
  readonly originAt: string
  readonly model: string
  readonly horizonHours: number
}

/** How many attempts are recorded, and the one written last: its place and its values as JSON. */
export interface AttemptMark {
  readonly count: number
  readonly row: number
  readonly last: string
}

/** The recorded attempts of one month of origins. */
export interface AttemptMonth {
  /** `2026-01`, UTC. */
  readonly month: string
  readonly attempts: number
  /** False where all of them were there at the mark that was asked about. */
  readonly changed: boolean
}

/** Which rows a page may hold; an absent member does not filter. Bounds are inclusive. */
export interface PageFilters {
  readonly originFrom?: Instant | undefined
  readonly originTo?: Instant | undefined
  readonly horizonHours?: number | undefined
  readonly model?: string | undefined
  readonly runId?: string | undefined
}

export interface PageQuery {
  readonly filters?: PageFilters | undefined
  /** Rows strictly after this key in reading order; it need not exist. */
  readonly after?: RowKey | undefined
  /** The row of `after` too, as the first one: shows whether it exists. */
  readonly withAfter?: boolean
  /** At most so many rows; ask for one more than is shown to learn whether there are more. */
  readonly limit: number
}

/** Inclusive bounds on the origin. */
export interface PairingWindow {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** Two equal versions of one reader saw the same rows; both numbers grow. */
export interface HistoryVersion {
  /** Changes when another history is under the name, or this one went back: nothing kept from before holds. */
  readonly generation: number
  /** Changes when another process has committed: rows may have come, none has changed. */
  readonly revision: number
}

/** Origins of the first and last forecast or recorded attempt. */
export interface HistoryExtent {
  readonly firstOrigin: Instant
  readonly lastOrigin: Instant
}

export interface HistoryOptions {
  /** How long to wait for another process's lock on a SQLite file; the wait blocks the thread. Default 5000. */
  readonly busyTimeoutMs?: number
  /**
   * For a service, whose many callers are not to wait long. PostgreSQL is then asked over more connections, and
   * each question has a limit of time. Of a SQLite file, a page may hold origins that are not in the stored form.
   */
  readonly serving?: boolean
}

export interface EntryWindow extends PairingWindow {
  /** Leave out the other kind; both by default. */
  readonly only?: 'forecasts' | 'attempts' | undefined
  /** Rows with an origin that is not in the stored form come too, wherever it puts them. */
  readonly anyOrder?: boolean
}

/** Rows of a series with origins that are, as texts, from one to another, both included. */
export interface SeriesRange {
  readonly series: string
  readonly from: string
  readonly to: string
}

/**
 * Reads a forecast history and never writes to it. Reading order is origin descending, horizon
 * ascending, model name ascending (by code point). An origin in a SQLite file that is not in the stored form is
 * refused by what reads rows in order (`invalid-input`). Every method
 * rejects with a ForeproofError (`not-found`, `io`, `unavailable`, `invalid-input`) that names the
 * history when it cannot be read; the next call tries again, so a reader outlives such a spell.
 */
export interface HistoryReader extends LogReader {
  /** What messages call it. */
  readonly path: string
  /** What opens it again; the URL of a history may have a password, so it is never shown. */
  readonly location: string
  /** Looks at the history; cheap enough for every request. */
  version(): Promise<HistoryVersion>
  /**
   * Of which protocols its rows are. The methods about rows are for those of version 1, but those about series and
   * `models`: in a history of version 2 they end with `invalid-input`.
   */
  rowVersion(): Promise<RowVersion>
  /** The first row in reading order. */
  latest(): Promise<HistoryRow | undefined>
  page(query: PageQuery): Promise<HistoryRow[]>
  /** The newest origin that matches; from the same index as `page`. */
  newestOrigin(filters?: PageFilters): Promise<Instant | undefined>
  find(key: RowKey): Promise<HistoryRow | undefined>
  /** How many rows all pages together have. */
  count(): Promise<number>
  /** A mark of the row written last, for `rowsSince`; undefined for an empty history. */
  mark(): Promise<RowMark | undefined>
  /**
   * Keys of the rows written after a mark, in the order they were written, without looking at the
   * others. Undefined where the mark no longer holds, or an origin is not in the stored form.
   */
  rowsSince(mark: RowMark): Promise<RowKey[] | undefined>
  /** Undefined where no attempt is recorded. */
  attemptMark(): Promise<AttemptMark | undefined>
  /** The months of origins with recorded attempts, in order; which have changed since a mark. */
  attemptMonths(since?: AttemptMark): Promise<AttemptMonth[]>
  /** Undefined for an empty history; from indices, at any size. */
  extent(): Promise<HistoryExtent | undefined>
  /** Names of all models with a forecast or a recorded attempt, by code point; reads every key. */
  models(): Promise<string[]>
  /**
   * The regime recorded with each origin of a window, both ends included, in time order; origins
   * without one are left out.
   */
  regimes(window: PairingWindow): Promise<ReadonlyMap<Instant, string>>
  /**
   * Every forecast and recorded attempt of the window, one row per key, in origin, horizon, model
   * order and from one snapshot; in batches of some 1,000 rows, so that memory does not grow. Numbers
   * that are none (text, or null where a price is required) come as NaN, texts that are none as their
   * spelling.
   * @param onStored - gets the same rows as stored, in the order of an export.
   */
  pairingRows(window?: PairingWindow, onStored?: OnStored): AsyncIterable<readonly PairingRow[]>
  /**
   * Every forecast and recorded attempt of the window as stored, in origin, horizon, model order and
   * from one snapshot; in batches.
   */
  entries(window?: EntryWindow): AsyncIterable<readonly HistoryEntry[]>
  /**
   * Rows of any series as stored, by series, the text of the origin, horizon and model (texts by code point), a
   * forecast after an attempt of its key; from one snapshot, in batches.
   */
  seriesEntries(among?: SeriesRange): AsyncIterable<readonly SeriesEntry[]>
  /**
   * The same for pairing, one row per key.
   * @param origins - only these, of each series in their order.
   * @param onStored - gets the same rows as stored, in the order of an export.
   * @throws {ForeproofError} `invalid-input` at a text that is no row.
   */
  seriesRows(origins: readonly string[], onStored?: OnStored): AsyncIterable<readonly PairingRow[]>
  /** Every origin, also those without forecasts, in order of time as text; in batches. */
  origins(): AsyncIterable<readonly StoredOrigin[]>
  /** What writers have noted beside the rows, without what a store notes for itself. */
  notes(): Promise<ReadonlyMap<string, string>>
  /** What it holds, counted in one snapshot. */
  stats(): Promise<HistoryStatsResult>
  /**
   * Looks at every row in one snapshot, and whether the store is sound.
   * @param report gets each finding, without the name of the history.
   * @param onProgress gets the rows looked at so far, every few thousand.
   */
  verify(
    report: (finding: Finding) => void,
    onProgress?: (rows: number) => void,
  ): Promise<StoreVerifyResult>
  close(): Promise<void>
}

/** An origin with everything a history keeps of it; what is left out is that of one seen now. */
export interface NewOrigin extends OriginRow, Partial<OriginNotes> {}

/** Thrown for a row that the history's own rules refuse: a producer may have made them stricter. */
export class RefusedRow extends Error {}

/** A history that is open for writing its log, inside transactions that the caller begins and ends. */
export interface LogFile extends LogWriter {
  /** What messages call it. */
  readonly path: string
  /** Begins a transaction. */
  begin(): Promise<void>
  commit(): Promise<void>
  /** Undoes what came since `begin`. */
  rollback(): Promise<void>
  /** Keeps a small text beside the rows, committed with them. */
  note(key: string, text: string): Promise<void>
  noted(key: string): Promise<string | undefined>
  /** Undoes what is not committed; a history that did not exist before, and got no row, is gone again. */
  close(): Promise<void>
}

/**
 * Writes rows too, into a history that is made in the first transaction where there is none. The first write of a
 * key wins: what is there is never changed. Methods reject as those of a reader do; those that add a row
 * reject with a `RefusedRow` too.
 */
export interface HistoryWriter extends LogFile {
  /** How many keys `expect` should get at once; 1 where that brings nothing. */
  readonly keysAtOnce: number
  /**
   * Says which keys are asked about or written next: a store that is far away learns with one question what
   * it has of them. Nothing else depends on it.
   */
  expect(keys: readonly StoredKey[]): Promise<void>
  /** Undefined where there is none of that name yet. */
  origin(originAt: string): Promise<OriginRow | undefined>
  /** The stored forecast of a key. */
  forecast(key: StoredKey): Promise<HistoryRow | undefined>
  /** The recorded attempt of a key. */
  attempt(key: StoredKey): Promise<AttemptRow | undefined>
  /** An origin that is new; its forecasts come after it. */
  addOrigin(row: NewOrigin): Promise<void>
  /** False where its key has a forecast already. */
  addForecast(row: ForecastRow): Promise<boolean>
  /** A recorded attempt whose key has none yet. */
  addAttempt(row: SoundAttempt): Promise<void>
  /** The stored text of a row of any series. */
  seriesEntry(key: LogKey): Promise<string | undefined>
  /** A row of any series whose key has none yet, as its entry in the log. */
  addSeriesEntry(row: SeriesEntry): Promise<void>
}

/** What is stored under one key: a forecast, a recorded attempt, or both. */
export interface HistoryEntry {
  readonly forecast: HistoryRow | undefined
  readonly attempt: AttemptRow | undefined
}

/** A row of any series: its key, and the text that its leaf in the log is the hash of. */
export interface SeriesEntry {
  readonly key: LogKey
  readonly entry: string
}

/** A row of a history of either version: a forecast, a recorded attempt, or one of any series. */
export type StoredRow = HistoryRow | AttemptRow | SeriesEntry

/** Gets rows as they are stored. */
export type OnStored = (rows: readonly StoredRow[]) => void

/** The rows of keys: of each its forecast, then its attempt. */
export const rowsIn = (entries: readonly HistoryEntry[]): (HistoryRow | AttemptRow)[] =>
  entries.flatMap(({ forecast, attempt }) => [forecast, attempt].filter((row) => row !== undefined))

/** What a history keeps of an origin beside what its forecasts say. */
export interface OriginNotes {
  /** As the producer recorded it. */
  readonly regime: RawValue
  readonly firstSeenAt: RawValue
  readonly lastSeenAt: RawValue
}

/** All that a history keeps of an origin. */
export interface StoredOrigin extends OriginRow, OriginNotes {}

/** The log of a history. */
export interface StoredLog {
  /** Its origin line; undefined until the first seal names it. */
  readonly name: string | undefined
  /** How many entries it has. */
  readonly size: number
  /** Size of its newest checkpoint; undefined where there is none. */
  readonly sealed: number | undefined
}

/** What can be asked about the log by readers and writers of the history. */
export interface LogState {
  logSize(): Promise<number>
  /** The first entry of a key; undefined where the log has none. */
  logEntry(key: LogKey): Promise<LogEntry | undefined>
  /**
   * Hash of the whole subtree of 2^level leaves that begins at leaf index × 2^level.
   * @throws {RangeError} where the log does not have all these leaves.
   */
  logHash(level: number, index: number): Promise<Uint8Array>
  /** Undefined where there is none. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>
}

/** The log of a history, read. */
export interface LogReader extends LogState {
  /** Undefined where it has neither entries nor a name. */
  log(): Promise<StoredLog | undefined>
  /** As `logEntry`, of many keys in one question; in their order. */
  entriesOfKeys(keys: readonly LogKey[]): Promise<(LogEntry | undefined)[]>
  /**
   * As `logHash`, of the subtrees from index `from` to `to`, not included: in one reading.
   * @throws {RangeError} where the log does not have all their leaves.
   */
  logHashes(level: number, from: number, to: number): Promise<Uint8Array[]>
  /** How many hashes are kept beside the entries. */
  keptHashes(): Promise<number>
  /** Entries of a range of indices, `to` not included, in order and from one snapshot; in batches. */
  logEntries(from: number, to: number): AsyncIterable<readonly LogEntry[]>
  /** Checkpoints of at least a size, smallest first and from one snapshot. */
  checkpoints(atLeast?: number): AsyncIterable<StoredCheckpoint>
}

/** The log of a history, written within the transactions of its writer. */
export interface LogWriter extends LogState {
  /** Its origin line; undefined until it is named. */
  logName(): Promise<string | undefined>
  /** Names the log, which has no name yet. */
  nameLog(name: string): Promise<void>
  /** Appends an entry and returns its index. */
  appendLeaf(leaf: NewLeaf): Promise<number>
  /**
   * Appends entries for the rows that the log does not have, which earlier versions
   * or other programs have written: in order of origin, horizon and model, the forecast of a key before
   * its attempt. Costs what is new since the last time.
   * @param leafOf - undefined where a row can have no entry.
   */
  appendMissing(leafOf: (row: StoredRow) => NewLeaf | undefined): Promise<AppendedRows>
  /** False where the log has a checkpoint of that size, which stays. */
  addCheckpoint(size: number, note: string): Promise<boolean>
  /**
   * Adds the signatures that a note has to the checkpoint of that size, as `mergedNote` says. False where that changes
   * nothing, or there is no such checkpoint.
   */
  addSignatures(size: number, note: string): Promise<boolean>
  /** False where that authority's stamp of the checkpoint is there, which stays. */
  addCheckpointStamp(size: number, stamp: CheckpointStamp): Promise<boolean>
}

/** What came of the rows that were not in a log. */
export interface AppendedRows {
  readonly appended: number
  /** Rows that can have no entry. */
  readonly left: number
}

export interface ModelStats {
  readonly model: string
  /** Forecasts by horizon: hours, or steps. */
  readonly horizons: Readonly<Record<string, number>>
  readonly forecasts: number
  readonly failed: number
  readonly abstained: number
  /** Of its forecasts; as stored. */
  readonly first_origin: string | null
  readonly last_origin: string | null
}

/** What a history's log holds. */
export interface LogStats {
  /** Null until the first seal names it. */
  readonly name: string | null
  readonly entries: number
  /** How many entries the newest checkpoint covers; null where there is none. */
  readonly checkpoint: number | null
  /** Authorities whose stamps the newest checkpoint has; the stamps are not verified here. */
  readonly stamped_by: readonly string[]
}

export interface HistoryStatsResult {
  readonly bytes: number
  /** How many there are; only of a history of any series. */
  readonly series?: number
  readonly forecasts: number
  readonly attempts: { readonly failed: number; readonly abstained: number }
  readonly origins: number
  readonly first_origin: string | null
  readonly last_origin: string | null
  /** Hours from the first to the last origin, both counted, that have no origin. */
  readonly hours_without_origin: number | null
  readonly runs: number | null
  readonly with_provenance: number
  readonly kept_whole: number
  readonly ordering_index: boolean
  /** SQLite's journal mode, such as delete or wal; null for another store. */
  readonly journal_mode: string | null
  /** Null where it has neither entries nor a name. */
  readonly log: LogStats | null
  readonly models: readonly ModelStats[]
}

/** What was looked at when a history was verified. */
export interface StoreVerifyResult {
  readonly forecasts: number
  readonly attempts: number
  readonly origins: number
  readonly ordering_index: boolean
}
