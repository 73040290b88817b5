import { instantOf } from '../contract/instant.js'
import type { Horizon, ResultStratum } from '../evaluation/result/types.js'

/** A timestamp as a cell of a column of instants; null where it is none. */
export function instantCell(text: string | null): string | null {
  return instantOf(text) === undefined ? null : text
}

/** A number as a cell of a column of whole numbers; null where it is none. */
export function integerCell(value: number | null): number | null {
  return Number.isSafeInteger(value) ? value : null
}

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

/** scoringutils has these two: the first on the scale of log prices, the second at the level of 80 %. */
const NAME_OF: Readonly<Record<string, string>> = {
  point_loss: 'ae_point',
  coverage: 'interval_coverage_80',
}

/** What tables call a measure or a figure of one: as scoringutils does where it has it, otherwise as registrations do. */
export function tidyName(name: string): string {
  return NAME_OF[name] ?? name
}
