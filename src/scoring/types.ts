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

/** What is scored of one model at one horizon, origin by origin; NaN where it does not exist. */
export interface LossColumns {
  /** |r̂ − r|, log return. */
  readonly pointLoss: Float64Array
  /** 100·|P̂ − P1| / P1, per cent. */
  readonly percentError: Float64Array
  /** r̂ − r, log return. */
  readonly logBias: Float64Array
  /** 100·(P̂ − P1) / P1, per cent. */
  readonly percentBias: Float64Array
  /** 1 where the direction is wrong, 0 where it is right; NaN where either has no direction. */
  readonly directionError: Float64Array
  readonly pinball10: Float64Array
  readonly pinball50: Float64Array
  readonly pinball90: Float64Array
  readonly intervalScore: Float64Array
  /** 1 where the interval holds the outcome, else 0. */
  readonly covered: Float64Array
  /** U − L, log return. */
  readonly width: Float64Array
  /** 100·(e^U − e^L), per cent of the price at the origin. */
  readonly widthPercent: Float64Array
}

/** The scores of one model in one cell: means over its own scored pairs, null where there are none. */
export interface Measures {
  readonly pairs: number
  readonly pointLoss: number | null
  readonly absolutePercentError: number | null
  readonly logReturnBias: number | null
  readonly percentBias: number | null
  readonly direction: {
    /** Pairs in which both the outcome and the forecast have a direction. */
    readonly eligible: number
    readonly accuracy: number | null
    readonly errorRate: number | null
  }
  readonly interval: {
    readonly pairs: number
    readonly score: number | null
    readonly pinball: {
      readonly '0.1': number | null
      readonly '0.5': number | null
      readonly '0.9': number | null
    }
    readonly coverage: number | null
    /** Coverage minus 0.8. */
    readonly coverageDifference: number | null
    readonly width: number | null
    readonly widthPercent: number | null
  }
}
