/**
 * Absolute percent error of one forecast.
 *
 * Definition: distance between the predicted price and the realised one, relative to the latter.
 * Formula: 100·|P̂ − P1| / P1, prices in USD.
 * Range: [0, ∞), per cent. Orientation: lower is better.
 * Missing data: NaN where either price is NaN.
 * Not symmetric: an overestimate may exceed 100 per cent, an underestimate cannot.
 * Reference: Hyndman & Koehler (2006), Another look at measures of forecast accuracy, §2.2.
 */
export function absolutePercentError(forecast: number, close: number): number {
  return (100 * Math.abs(forecast - close)) / close
}
