import { instantOf } from '../contract/instant.js'
import type { Horizon, ResultStratum } from '../evaluation/result/types.js'

/** A timestamp as a cell of a column of instants; null if it is not one. */
export function instantCell(text: string | null): string | null {
  return instantOf(text) === undefined ? null : text
}

/** A number as a cell of a column of whole numbers; null if it is not one. */
export function integerCell(value: number | null): number | null {
  return Number.isSafeInteger(value) ? value : null
}

/** What a figure belongs to, as columns. */
export interface Coordinates {
  /** Hours; null for all horizons. */
  readonly horizon: number | null
  /** `all` for both if it covers every origin. */
  readonly stratum: string
  readonly level: string
}

export function coordinatesOf(horizon: Horizon, stratum: ResultStratum): Coordinates {
  const hours = horizon === 'overall' ? null : horizon
  return stratum === 'all'
    ? { horizon: hours, stratum: 'all', level: 'all' }
    : { horizon: hours, stratum: stratum.name, level: stratum.level }
}

/** Two names of scoringutils: the first on the scale of log prices, the second at the level of 80 %. */
const NAME_OF: Readonly<Record<string, string>> = {
  point_loss: 'ae_point',
  coverage: 'interval_coverage_80',
}

/** The name of a measure or figure in tables: as in scoringutils if it has one, otherwise as in registrations. */
export function tidyName(name: string): string {
  return NAME_OF[name] ?? name
}
