import type { AttemptRow, HistoryRow, OriginRow, RawValue } from '../../forecast/row.js'

/** The key of a forecast or an attempt as it is stored. */
export interface StoredKey {
  readonly originAt: string
  readonly model: string
  readonly horizonHours: number
}

/** What is stored under one key: a forecast, a recorded attempt, or both. */
export interface HistoryEntry {
  readonly forecast: HistoryRow | undefined
  readonly attempt: AttemptRow | undefined
}

/** What a history keeps of an origin beside what its forecasts say. */
export interface OriginNotes {
  /** As the producer recorded it. */
  readonly regime: RawValue
  readonly firstSeenAt: RawValue
  readonly lastSeenAt: RawValue
}

/** All that a history keeps of an origin. */
export interface StoredOrigin extends OriginRow, OriginNotes {}
