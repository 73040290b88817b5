import type { Horizon, ResultStratum } from '../evaluation/result/types.js'

/** Where a figure belongs, as columns. */
export interface Coordinates {
  /** Hours; null where it is of all horizons. */
  readonly horizon: number | null
  /** Both `all` where it is of every origin. */
  readonly stratum: string
  readonly level: string
}

export function coordinatesOf(horizon: Horizon, stratum: ResultStratum): Coordinates {
  const hours = horizon === 'overall' ? null : horizon
  return stratum === 'all'
    ? { horizon: hours, stratum: 'all', level: 'all' }
    : { horizon: hours, stratum: stratum.name, level: stratum.level }
}
