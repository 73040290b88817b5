/**
 * The values of one model in one cell: arrays over the origins of the window, in order, numbered from 0. NaN marks
 * missing values: means and differences skip them, and nothing is imputed.
 */
export interface ScoredPairs {
  /** The value at the origin; NaN if missing. */
  readonly p0: Float64Array
  /** The outcome. NaN unless the point is scored. */
  readonly p1: Float64Array
  /** Predicted value. NaN unless the point is scored. */
  readonly forecast: Float64Array
  /** Quantiles by level. NaN unless the interval is scored. */
  readonly quantiles: readonly Float64Array[]
  /** Number of the vintage that the forecast recorded as its input, from 1; 0 if it recorded none. */
  readonly vintage: Uint32Array
}

/** Intervals are scored separately: a forecast without quantiles still has its point score. */
export type Estimand = 'point' | 'interval'
