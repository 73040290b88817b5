import type { HourlyCloses } from './closes.js'

/**
 * A baseline: for the origin at `index`, writes the predicted price at each horizon into `prices`,
 * or NaN where a close it needs is missing. It reads no close after the origin.
 */
export type BaselineRule = (
  closes: HourlyCloses,
  index: number,
  horizons: readonly number[],
  prices: Float64Array,
) => void
