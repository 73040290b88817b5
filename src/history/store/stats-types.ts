export interface ModelStats {
  readonly model: string
  /** Forecasts by horizon in hours. */
  readonly horizons: Readonly<Record<string, number>>
  readonly forecasts: number
  readonly failed: number
  readonly abstained: number
  /** Of its forecasts; as stored. */
  readonly first_origin: string | null
  readonly last_origin: string | null
}

/** One of the logs that a history holds. */
export interface LogStats {
  /** Null for the history's own until the first seal names it. */
  readonly name: string | null
  /** False for one that was mirrored. */
  readonly own: boolean
  readonly entries: number
  /** How many entries the newest checkpoint covers; null where there is none. */
  readonly checkpoint: number | null
  /** Authorities whose stamps the newest checkpoint has; the stamps are not verified here. */
  readonly stamped_by: readonly string[]
}

export interface HistoryStatsResult {
  readonly bytes: number
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
  /** The own one first. */
  readonly logs: readonly LogStats[]
  readonly models: readonly ModelStats[]
}

/** What was looked at when a history was verified. */
export interface StoreVerifyResult {
  readonly forecasts: number
  readonly attempts: number
  readonly origins: number
  readonly ordering_index: boolean
}
