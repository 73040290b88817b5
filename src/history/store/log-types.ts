import type { HistoryEntry, StoredKey } from './entry-types.js'

/** What an entry of a log is about: a key may have a forecast and an attempt. */
export interface LogKey extends StoredKey {
  readonly kind: 'forecast' | 'attempt'
}

/** An entry of a log that has no index yet. */
export interface NewLeaf {
  /** RFC 9162 leaf hash of the entry, 32 bytes. */
  readonly leaf: Uint8Array
  /** In a mirrored log undefined where no row of that hash has been seen. */
  readonly key: LogKey | undefined
}

/** An entry of a log; the first has index 0. */
export interface LogEntry extends NewLeaf {
  readonly index: number
}

/** What an authority said about when a checkpoint was there (RFC 3161). */
export interface CheckpointStamp {
  readonly authority: string
  /** The whole answer of the authority. */
  readonly token: Uint8Array
}

/** The state of a log at a size, as it was published. */
export interface StoredCheckpoint {
  /** Entries it covers: those with an index below. */
  readonly size: number
  /** The signed note, or the body of one. */
  readonly note: string
  /** By name of the authority. */
  readonly stamps: readonly CheckpointStamp[]
}

/** One of the logs that a history holds. */
export interface StoredLog {
  /** Its origin line; undefined for the history's own until the first seal names it. */
  readonly name: string | undefined
  /** The log of this history's own rows; the others are mirrored. */
  readonly own: boolean
  /** How many entries it has. */
  readonly size: number
  /** Size of its newest checkpoint; undefined where there is none. */
  readonly sealed: number | undefined
}

/**
 * What can be asked about a log by whoever reads or writes the history. A log is named by its origin line;
 * without a name the history's own is meant. A name that no log has is that of a log without entries.
 */
export interface LogState {
  logSize(log?: string): Promise<number>
  /** The first entry of a key; undefined where the log has none. */
  logEntry(key: LogKey, log?: string): Promise<LogEntry | undefined>
  /**
   * Hash of the whole subtree of 2^level leaves that begins at leaf index × 2^level.
   * @throws {RangeError} where the log does not have all these leaves.
   */
  logHash(level: number, index: number, log?: string): Promise<Uint8Array>
  /** Undefined where there is none. */
  newestCheckpoint(log?: string): Promise<StoredCheckpoint | undefined>
}

/** The logs of a history, read. */
export interface LogReader extends LogState {
  /** The own one first, then by name; one that has neither entries nor a name is left out. */
  logs(): Promise<StoredLog[]>
  /** As `logEntry`, of many keys in one question; in their order. */
  entriesOfKeys(keys: readonly LogKey[], log?: string): Promise<(LogEntry | undefined)[]>
  /**
   * As `logHash`, of the subtrees from index `from` to `to`, not included: in one reading.
   * @throws {RangeError} where the log does not have all their leaves.
   */
  logHashes(level: number, from: number, to: number, log?: string): Promise<Uint8Array[]>
  /** How many hashes are kept of the log beside its entries. */
  keptHashes(log?: string): Promise<number>
  /** Entries of a range of indices, `to` not included, in order and from one snapshot; in batches. */
  logEntries(from: number, to: number, log?: string): AsyncIterable<readonly LogEntry[]>
  /** Checkpoints of at least a size, smallest first and from one snapshot. */
  checkpoints(log?: string, atLeast?: number): AsyncIterable<StoredCheckpoint>
}

/** The logs of a history, written within the transactions of its writer. */
export interface LogWriter extends LogState {
  /** Origin line of the history's own log; undefined until it is named. */
  logName(): Promise<string | undefined>
  /** Names the history's own log, which has no name yet. */
  nameLog(name: string): Promise<void>
  /** Appends an entry and returns its index; a mirrored log that is new begins with it. */
  appendLeaf(leaf: NewLeaf, log?: string): Promise<number>
  /**
   * Appends entries to the history's own log for the rows that it does not have, which earlier versions
   * or other programs have written: in order of origin, horizon and model, the forecast of a key before
   * its attempt. Costs what is new since the last time.
   * @param leafOf - of one forecast or one attempt; undefined where it can have no entry.
   */
  appendMissing(leafOf: (row: HistoryEntry) => NewLeaf | undefined): Promise<AppendedRows>
  /** False where the log has a checkpoint of that size, which stays. */
  addCheckpoint(size: number, note: string, log?: string): Promise<boolean>
  /** False where that authority's stamp of the checkpoint is there, which stays. */
  addCheckpointStamp(size: number, stamp: CheckpointStamp, log?: string): Promise<boolean>
  /** Takes out what is no stamp of the checkpoint. */
  dropCheckpointStamp(size: number, authority: string, log?: string): Promise<void>
}

/** What came of the rows that were not in a log. */
export interface AppendedRows {
  readonly appended: number
  /** Rows that can have no entry. */
  readonly left: number
}
