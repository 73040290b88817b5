import type { AttemptRow, HistoryRow } from '../../forecast/row.js'

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
