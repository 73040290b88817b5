import { logReturn } from './log-return.js'

/**
 * Width of one interval in log returns.
 *
 * Formula: U − L = ln(Q90 / Q10), the prices of its bounds. Range: [0, ∞). Orientation: lower is sharper, and better
 * only at equal coverage.
 * Missing data: NaN where a bound is NaN. Equal bounds are a width of 0, not a crossing.
 * Reference: sharpness, Gneiting, Balabdaoui & Raftery (2007).
 */
export function width(lower: number, upper: number): number {
  return logReturn(upper, lower)
}

/**
 * Width of one interval in per cent of the price at the origin.
 *
 * Formula: 100·(e^U − e^L) = 100·(Q90 − Q10) / P0. Range: [0, ∞), per cent. Missing data: NaN where there is no such
 * price. Otherwise as the width in log returns.
 */
export function widthPercent(lower: number, upper: number, origin: number): number {
  return (100 * (upper - lower)) / origin
}
