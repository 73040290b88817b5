import { logReturn } from './log-return.js'

/**
 * Signed log-return bias of one forecast.
 *
 * Definition: the predicted log return minus the realised one.
 * Formula: r̂ − r = ln(P̂ / P1). Range: (−∞, ∞), in log returns.
 * Orientation: none; 0 means neither too high nor too low on average, above 0 too high.
 * Missing data: NaN where either price is NaN. Errors of opposite sign cancel in a mean.
 * Reference: mean error, Hyndman & Koehler (2006).
 */
export function logReturnBias(forecast: number, close: number): number {
  return logReturn(forecast, close)
}

/**
 * Signed percent bias of one forecast.
 *
 * Definition: the predicted price minus the realised one, relative to the latter.
 * Formula: 100·(P̂ − P1) / P1, prices in USD. Range: (−100, ∞), per cent.
 * Orientation: none; above 0 is too high. Missing data: NaN where either price is NaN.
 * Reference: mean percentage error, Hyndman & Koehler (2006).
 */
export function percentBias(forecast: number, close: number): number {
  return (100 * (forecast - close)) / close
}
