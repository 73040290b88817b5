import type { Registration, SeriesRegistration } from '../contract/types.js'
import type { Memory } from '../inference/ewc.js'
import type { StratumLevel } from '../pairing/types.js'

/** What a test compares; every one but `coverage` is a loss, lower being better. */
export const MEASURES = [
  'point_loss',
  'direction_error',
  'interval_score',
  'pinball_0.1',
  'pinball_0.5',
  'pinball_0.9',
  'coverage',
] as const
export type Measure = (typeof MEASURES)[number]

/** What a verdict rests on: a loss, and the direction. */
export type VerdictMeasure = 'point_loss' | 'direction_error'

/** Widths of intervals follow volatility, which remembers for days; errors of points do not. */
export const MEASURE_MEMORY: Readonly<Record<Measure, Memory>> = {
  point_loss: 'hours',
  direction_error: 'hours',
  interval_score: 'days',
  'pinball_0.1': 'days',
  'pinball_0.5': 'days',
  'pinball_0.9': 'days',
  coverage: 'days',
}

/** Of either version. */
export type AnyRegistration = Registration | SeriesRegistration

/** One test of the registered family: candidate minus comparator, on the keys both have scored. */
export interface TestDefinition {
  /** Unique within the family: `ridge_lags/persistence/point_loss/overall/all`. */
  readonly name: string
  /** Names of models, as history or the built-in rules know them. */
  readonly candidate: string
  readonly comparator: string
  readonly measure: Measure
  /** Hours; or the unweighted mean of the horizons, which exists for the point loss alone. */
  readonly horizon: number | 'overall'
  readonly stratum: StratumLevel
  /** True for the tests that the disposition rests on: point loss and direction, over all origins. */
  readonly decides: boolean
}
