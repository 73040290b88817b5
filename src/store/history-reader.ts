import type { Finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type {
  AttemptRow,
  HistoryRow,
  OriginRow,
  PairingRow,
  RawValue,
  RowKey,
} from '../forecast/row.js'
import type { LogKey } from '../log/log-entry.js'
import type { LogReader } from './stored-log.js'

/** The version of the protocols of the rows: 1, hourly prices; 2, any series. */
export type RowVersion = 1 | 2

/** The position of a row in the order of writing; later rows have larger numbers. */
export interface RowMark {
  readonly row: number
  readonly originAt: string
  readonly model: string
  readonly horizonHours: number
}

/** The number of recorded attempts, and the last one: its position and its values as JSON. */
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
  /** False if all of them existed at the given mark. */
  readonly changed: boolean
}

/** Filters of a page; absent members do not filter. Bounds are inclusive. */
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
  /** Also return the row of `after`, first: shows whether it exists. */
  readonly withAfter?: boolean
  /** Maximum number of rows. Ask for one more than you show to learn whether there are more. */
  readonly limit: number
}

/** Inclusive bounds on the origin. */
export interface PairingWindow {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
}

/** Two equal versions of one reader saw the same rows; both numbers grow. */
export interface HistoryVersion {
  /** Changes if the name refers to another history or an older state: drop all caches. */
  readonly generation: number
  /** Changes if another process has committed: rows may be new, but none has changed. */
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
   * For a service with many callers: PostgreSQL gets more connections and a statement timeout. For a SQLite file, a
   * page may have origins that are not in the stored form.
   */
  readonly serving?: boolean
}

export interface EntryWindow extends PairingWindow {
  /** Only this kind; default both. */
  readonly only?: 'forecasts' | 'attempts' | undefined
  /** Include rows whose origin is not in the stored form, at any position. */
  readonly anyOrder?: boolean
}

/** Rows of a series with origins between two texts, inclusive. */
export interface SeriesRange {
  readonly series: string
  readonly from: string
  readonly to: string
}

/**
 * Reads a forecast history and never writes to it. Reading order is origin descending, horizon ascending, model name
 * ascending (by code point). An origin in a SQLite file that is not in the stored form is rejected by methods that
 * read rows in order (`invalid-input`). If the history cannot be read, every method rejects with a ForeproofError
 * (`not-found`, `io`, `unavailable`, `invalid-input`) that names it. The next call tries again, so a reader survives
 * outages.
 */
export interface HistoryReader extends LogReader {
  /** Its name in messages. */
  readonly path: string
  /** The path or URL to open it again. Never show it: a URL may have a password. */
  readonly location: string
  /** The current version; cheap enough for every request. */
  version(): Promise<HistoryVersion>
  /**
   * The version of its rows. Methods about rows are for version 1 and reject with `invalid-input` for version 2,
   * except `models` and those about series.
   */
  rowVersion(): Promise<RowVersion>
  /** The first row in reading order. */
  latest(): Promise<HistoryRow | undefined>
  page(query: PageQuery): Promise<HistoryRow[]>
  /** The newest matching origin; uses the same index as `page`. */
  newestOrigin(filters?: PageFilters): Promise<Instant | undefined>
  find(key: RowKey): Promise<HistoryRow | undefined>
  /** The number of rows on all pages together. */
  count(): Promise<number>
  /** A mark of the row written last, for `rowsSince`; undefined for an empty history. */
  mark(): Promise<RowMark | undefined>
  /**
   * Keys of the rows written after a mark, in the order of writing, without reading the others. Undefined if the mark
   * is no longer valid, or an origin is not in the stored form.
   */
  rowsSince(mark: RowMark): Promise<RowKey[] | undefined>
  /** Undefined if no attempt is recorded. */
  attemptMark(): Promise<AttemptMark | undefined>
  /**
   * The months of origins with recorded attempts, in order, and which have changed since a mark.
   */
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
   * Every forecast and recorded attempt of the window, one row per key, in origin, horizon, model order and from one
   * snapshot, in batches of about 1,000 rows to limit memory. Invalid numbers (text, or null where a price is
   * required) come as NaN, invalid texts as their spelling.
   * @param onStored - receives the same rows as stored, in the order of an export.
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
   * @param origins - only these, for each series in this order.
   * @param onStored - receives the same rows as stored, in the order of an export.
   * @throws {ForeproofError} `invalid-input` at a text that is not a row.
   */
  seriesRows(origins: readonly string[], onStored?: OnStored): AsyncIterable<readonly PairingRow[]>
  /** Every origin, also those without forecasts, in order of time as text; in batches. */
  origins(): AsyncIterable<readonly StoredOrigin[]>
  /** Notes of writers, without the store's own notes. */
  notes(): Promise<ReadonlyMap<string, string>>
  /** Statistics from one snapshot. */
  stats(): Promise<HistoryStatsResult>
  /**
   * Checks every row in one snapshot, and the store itself.
   * @param report receives each finding, without the name of the history.
   * @param onProgress receives the number of rows checked so far, every few thousand.
   */
  verify(
    report: (finding: Finding) => void,
    onProgress?: (rows: number) => void,
  ): Promise<StoreVerifyResult>
  close(): Promise<void>
}

/** The rows of one key: a forecast, a recorded attempt, or both. */
export interface HistoryEntry {
  readonly forecast: HistoryRow | undefined
  readonly attempt: AttemptRow | undefined
}

/** A row of any series: its key, and the text whose hash is its leaf in the log. */
export interface SeriesEntry {
  readonly key: LogKey
  readonly entry: string
}

/** A row of a history of either version: a forecast, a recorded attempt, or one of any series. */
export type StoredRow = HistoryRow | AttemptRow | SeriesEntry

/** Receives rows as stored. */
export type OnStored = (rows: readonly StoredRow[]) => void

/** The rows of some keys: for each its forecast, then its attempt. */
export const rowsIn = (entries: readonly HistoryEntry[]): (HistoryRow | AttemptRow)[] =>
  entries.flatMap(({ forecast, attempt }) => [forecast, attempt].filter((row) => row !== undefined))

/** The members of an origin that its forecasts do not have. */
export interface OriginNotes {
  /** As the producer recorded it. */
  readonly regime: RawValue
  readonly firstSeenAt: RawValue
  readonly lastSeenAt: RawValue
}

/** An origin with all its stored members. */
export interface StoredOrigin extends OriginRow, OriginNotes {}

export interface ModelStats {
  readonly model: string
  /** Forecasts by horizon: hours, or steps. */
  readonly horizons: Readonly<Record<string, number>>
  readonly forecasts: number
  readonly failed: number
  readonly abstained: number
  /** The origins of its forecasts, as stored. */
  readonly first_origin: string | null
  readonly last_origin: string | null
}

/** Statistics of a history's log. */
export interface LogStats {
  /** Null until the first seal names it. */
  readonly name: string | null
  readonly entries: number
  /** How many entries the newest checkpoint covers; null if there is none. */
  readonly checkpoint: number | null
  /** Authorities whose stamps the newest checkpoint has; the stamps are not verified here. */
  readonly stamped_by: readonly string[]
}

export interface HistoryStatsResult {
  readonly bytes: number
  /** The number of series; only in a history of any series. */
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
  /** SQLite's journal mode, such as delete or wal; null for other stores. */
  readonly journal_mode: string | null
  /** Null if it has neither entries nor a name. */
  readonly log: LogStats | null
  readonly models: readonly ModelStats[]
}

/** What a verification has checked. */
export interface StoreVerifyResult {
  readonly forecasts: number
  readonly attempts: number
  readonly origins: number
  readonly ordering_index: boolean
}
