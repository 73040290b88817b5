import type { Instant } from '../../contract/instant.js'
import type { HistoryRow, PairingRow, RowKey } from '../../forecast/row.js'

/** A row by its place in the file: rows written later have larger numbers. */
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
  /** At most so many rows; ask for one more than is shown to learn whether there are more. */
  readonly limit: number
}

/** Inclusive bounds on the origin; rows whose origin is no timestamp belong to every window. */
export interface PairingWindow {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** Two equal versions of one reader saw the same rows. */
export interface HistoryVersion {
  /** Changes when the file was replaced or recovered: nothing kept from before holds. */
  readonly generation: number
  /** Changes when another process has committed: rows may have come, none has changed. */
  readonly revision: number
}

/** Origins of the first and last forecast or recorded attempt. */
export interface HistoryExtent {
  readonly firstOrigin: Instant
  readonly lastOrigin: Instant
}

/**
 * Reads a forecast history and never writes to it. Reading order is origin descending, horizon
 * ascending, model name ascending (by code point), with origins compared as instants. Every method throws a
 * ForeproofError (`not-found`, `io`, `unavailable`, `invalid-input`) that names the file when the
 * database cannot be read; the next call tries again, so a reader outlives such a spell.
 */
export interface HistoryReader {
  readonly path: string
  /** Looks at the file; cheap enough for every request. */
  version(): HistoryVersion
  /** The first row in reading order. */
  latest(): HistoryRow | undefined
  page(query: PageQuery): HistoryRow[]
  /** The newest origin that matches; from the same index as `page`. */
  newestOrigin(filters?: PageFilters): Instant | undefined
  find(key: RowKey): HistoryRow | undefined
  /**
   * A mark of the row written last, for `rowsSince`; undefined for an empty history, and where the
   * file's spelling or layout does not allow to follow it by what was written last.
   */
  mark(): RowMark | undefined
  /**
   * Keys of the rows written after a mark, in the order they were written, without looking at the
   * others. Undefined where the mark no longer holds, or a row is spelt so that all must be looked at.
   */
  rowsSince(mark: RowMark): RowKey[] | undefined
  /** Whether a key has a row: a look into one index. */
  has(key: RowKey): boolean
  /**
   * Keys of some rows by their place in reading order, the newest being 0; undefined where the file's
   * spelling does not allow to tell without reading all.
   * @param of how many rows there are: from the nearer end it is not so far.
   */
  keysAt(offset: number, count: number, of: number): RowKey[] | undefined
  /** How many rows all pages together have; quick unless the file spells its timestamps oddly. */
  count(): number
  /** Undefined where no attempt is recorded. */
  attemptMark(): AttemptMark | undefined
  /** The months of origins with recorded attempts, in order; which have changed since a mark. */
  attemptMonths(since?: AttemptMark): AttemptMonth[]
  /** Undefined for an empty history; from indices, whatever its size. */
  extent(): HistoryExtent | undefined
  /** Names of all models with a forecast or a recorded attempt, by code point; reads every key. */
  models(): string[]
  /**
   * Every forecast and recorded attempt of the window, one row per key, in origin, horizon, model
   * order; streams, so that memory does not grow. Numbers that are none (text, or null where a price
   * is required) come as NaN, texts that are none as their spelling; an origin that is no timestamp
   * comes before all others, whatever the window.
   */
  pairingRows(window?: PairingWindow): Iterable<PairingRow>
  /**
   * Reads ahead what filters by model, horizon and run need, a slice at a time; true when done.
   * Without it, the first filtered page does all of it at once.
   */
  warm(): boolean
  close(): void
}
