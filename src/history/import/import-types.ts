import type { Finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import type { Piece } from './piece.js'

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

export interface HistoryImportCounts {
  readonly added: number
  /** Already there, the same in every member. */
  readonly unchanged: number
  /** The key is taken by something else, which stays. */
  readonly conflicts: number
}

export interface HistoryImportResult {
  /** What was rejected, every conflict, and warnings; each with file, line and pointer if it has them. */
  readonly findings: readonly Finding[]
  /** Findings beyond `maxFindings`. */
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

/** An import under way. */
export interface HistoryImport {
  /** A JSON value: a forecast resource, an attempt, or an API body with forecasts. */
  add(value: unknown, source?: ValueSource): Promise<void>
  /** The text of one value of a file. */
  addText(piece: Piece, file: string): Promise<void>
  /** True once something was rejected: what follows is checked, not written. */
  readonly refused: boolean
  /** True once a text turned out to be no JSON text at all, but binary or of another encoding. */
  readonly unreadable: boolean
  readonly rows: number
  /** Values so far that differ from what the history holds for their key. */
  readonly conflicts: number
  /** Commits what has been added and noted so far, unless something was rejected. */
  commit(): Promise<void>
  /** Keeps a text beside the rows, in the same transaction. */
  note(key: string, text: string): Promise<void>
  noted(key: string): Promise<string | undefined>
  /** Commits, or undoes everything since the last whole batch when anything was rejected. */
  finish(): Promise<HistoryImportResult>
  /** Undoes what is not committed and closes the file. */
  abort(): Promise<void>
}
