/**
 * One model in one cell, as scoring holds it: arrays over the origins of the window in order,
 * numbered from 0. NaN is where there is nothing: means and
 * differences pass over it, and nothing is imputed.
 */
export interface ScoredPairs {
  /** The value at the origin; NaN where there is none. */
  readonly p0: Float64Array
  /** The outcome. NaN unless the point is scored. */
  readonly p1: Float64Array
  /** Predicted value. NaN unless the point is scored. */
  readonly forecast: Float64Array
  /** Quantiles by level. NaN unless the interval is scored. */
  readonly quantiles: readonly Float64Array[]
  /** Number of the vintage that the forecast recorded as its input, from 1; 0 where it has none. */
  readonly vintage: Uint32Array
}

/** One scored pair, as a measure takes it. */
export interface ScoredPair {
  /** Prices, USD: at the origin, predicted and realised. The first is NaN where the vintage has none. */
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

/** An interval is scored apart: a forecast without quantiles loses nothing at the point. */
export type Estimand = 'point' | 'interval'
