import type { Finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'

export interface HistoryImportOptions {
  /** Kept as the time at which an origin was first seen. */
  readonly now: Instant
  /**
   * Commit after so many rows. Without it the whole import is one transaction: all of it, or, when
   * anything is rejected, nothing.
   */
  readonly batchRows?: number | undefined
  /** Findings beyond so many are counted, not kept. Default 10,000. */
  readonly maxFindings?: number | undefined
}

export interface ImportProgress {
  /** Told of the rows put so far, and of those committed: about once per mebibyte read, and when a fault ends it. */
  readonly onProgress?: ((rows: number, committed: number) => void) | undefined
}

export interface HistoryImportCounts {
  readonly added: number
  /** Already there, the same in every member. */
  readonly unchanged: number
  /** The key is taken by something else, which stays. */
  readonly conflicts: number
}

export interface HistoryImportResult {
  /**
   * What was rejected, every conflict, and warnings, each with file, line and pointer if it has them; a
   * `history-more` counts what was not kept of a kind.
   */
  readonly findings: readonly Finding[]
  /** How many findings were counted and not kept. */
  readonly withheld: number
  /** Of what was committed. */
  readonly forecasts: HistoryImportCounts
  readonly attempts: HistoryImportCounts
  /** Values that were not accepted; when there is one, only batches before it were written. */
  readonly rejected: number
  /** Rows that are in the file because of this import. */
  readonly written: number
}

/** Where a value came from, for findings. */
export interface ValueSource {
  readonly file?: string | undefined
  readonly line?: number | undefined
}
