import type { LogEntry, LogKey, StoredCheckpoint } from '../log/log-entry.js'

/** The log of a history. */
export interface StoredLog {
  /** Its origin line; undefined until the first seal names it. */
  readonly name: string | undefined
  /** How many entries it has. */
  readonly size: number
  /** Size of its newest checkpoint; undefined if there is none. */
  readonly sealed: number | undefined
}

/** Queries about the log, for readers and writers. */
export interface LogState {
  logSize(): Promise<number>
  /** The first entry of a key; undefined if the log has none. */
  logEntry(key: LogKey): Promise<LogEntry | undefined>
  /**
   * Hash of the complete subtree of 2^level leaves that begins at leaf index × 2^level.
   * @throws {RangeError} if the log does not have all these leaves.
   */
  logHash(level: number, index: number): Promise<Uint8Array>
  /** Undefined if there is none. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>
}

/** The log of a history, read. */
export interface LogReader extends LogState {
  /** Undefined if it has neither entries nor a name. */
  log(): Promise<StoredLog | undefined>
  /** Like `logEntry`, for many keys in one query; in their order. */
  entriesOfKeys(keys: readonly LogKey[]): Promise<(LogEntry | undefined)[]>
  /**
   * Like `logHash`, for the subtrees from index `from` to before `to`, in one query.
   * @throws {RangeError} if the log does not have all their leaves.
   */
  logHashes(level: number, from: number, to: number): Promise<Uint8Array[]>
  /** How many hashes are stored with the entries. */
  keptHashes(): Promise<number>
  /** Entries from index `from` to before `to`, in order and from one snapshot; in batches. */
  logEntries(from: number, to: number): AsyncIterable<readonly LogEntry[]>
  /** Checkpoints of at least a size, smallest first and from one snapshot. */
  checkpoints(atLeast?: number): AsyncIterable<StoredCheckpoint>
}
