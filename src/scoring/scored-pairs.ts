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

/** One scored pair, in the form that measures take. */
export interface ScoredPair {
  /** Prices, USD: at the origin, predicted and realised. The first is NaN if the vintage has none. */
  readonly origin: number
  readonly forecast: number
  readonly close: number
  /** Log returns of the two against the close at the origin or, where there is none, at the target: what compares returns is the same by either. */
  readonly predicted: number
  readonly realised: number
  /** Log returns of the 0.1, 0.5 and 0.9 quantiles; NaN unless the interval is scored. */
  readonly lower: number
  readonly median: number
  readonly upper: number
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
}

/** Intervals are scored separately: a forecast without quantiles still has its point score. */
export type Estimand = 'point' | 'interval'
