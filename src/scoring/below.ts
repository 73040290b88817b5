import type { ScoredPairs } from './types.js'

/** The quantiles of a forecast, named by the share of outcomes expected below each. */
export const QUANTILE_NAMES = ['0.1', '0.5', '0.9'] as const
export type Quantile = (typeof QUANTILE_NAMES)[number]

/**
 * Reliability of one quantile, origin by origin: a diagnostic.
 *
 * Definition: whether the outcome lies below the quantile; the mean is the observed share.
 * Formula: 1[y < Q]. Range: 0 or 1. Orientation: none; the share should be the quantile's level.
 * Missing data: NaN where the interval is not scored. Ties: an outcome on the quantile is not below it.
 * Reference: Gneiting, Balabdaoui & Raftery (2007), Probabilistic forecasts, calibration and sharpness.
 */
export function belowQuantile(pairs: ScoredPairs, quantile: Quantile): Float64Array {
  const prices = pairs.quantiles[QUANTILE_NAMES.indexOf(quantile)] as Float64Array
  return prices.map((price, at) => {
    const close = pairs.p1[at] as number
    return Number.isNaN(price + close) ? Number.NaN : Number(close < price)
  })
}
