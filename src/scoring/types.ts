/**
 * The window of an evaluation as scoring holds it: arrays over its hourly origins in time order,
 * numbered from 0, with an entry for every hour. NaN is where there is nothing: means and
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

/** One scored pair, as a measure takes it. */
export interface ScoredPair {
  /** Predicted and realised price, USD. */
  readonly forecast: number
  readonly close: number
  /** Log returns of the two against the close at the origin. */
  readonly predicted: number
  readonly realised: number
  /** Log returns of the 0.1, 0.5 and 0.9 quantiles; NaN unless the interval is scored. */
  readonly lower: number
  readonly median: number
  readonly upper: number
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
}

/** An interval is scored apart: a forecast without quantiles loses nothing at the point. */
export type Estimand = 'point' | 'interval'
