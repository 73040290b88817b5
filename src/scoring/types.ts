import type { Result } from '../contract/types.js'

/**
 * The window of an evaluation as scoring holds it: arrays over its hourly origins in time order,
 * numbered from 0, with an entry for every hour. NaN stands where there is nothing: means and
 * differences pass over it, and nothing is imputed.
 */
export interface ScoredPairs {
  /** Closes of the vintage at the origin and at the target, USD. NaN unless the point is scored. */
  readonly p0: Float64Array
  readonly p1: Float64Array
  /** Predicted price, USD. NaN unless the point is scored. */
  readonly forecast: Float64Array
  /** Price quantiles, USD. NaN unless the interval is scored. */
  readonly q10: Float64Array
  readonly q50: Float64Array
  readonly q90: Float64Array
  /** Number of the vintage that the forecast recorded as its input, from 1; 0 where it has none. */
  readonly vintage: Uint32Array
}

/** What is scored of every pair, each described in the file of its measure. */
export const COLUMNS = [
  'pointLoss',
  'percentError',
  'logBias',
  'percentBias',
  'directionError',
  'pinball10',
  'pinball50',
  'pinball90',
  'intervalScore',
  'covered',
  'width',
  'widthPercent',
] as const
export type ColumnName = (typeof COLUMNS)[number]

/** The scores of one model at one horizon, origin by origin; NaN where one does not exist. */
export type LossColumns = Readonly<Record<ColumnName, Float64Array>>

type Recorded = Result['measures'][number]

/** The scores of one model in one cell: means over its own scored pairs, null where there are none. */
export type Measures = Pick<
  Recorded,
  | 'pairs'
  | 'point_loss'
  | 'absolute_percent_error'
  | 'log_return_bias'
  | 'percent_bias'
  | 'direction'
> & { readonly interval: Omit<Recorded['interval'], 'coverage_bounds'> }
