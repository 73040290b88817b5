import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import { ln } from '../../contract/logarithm.js'
import type { Closes } from '../../truth/closes/closes-truth.js'

/** A vintage as arrays over its hours, so that a baseline can look up any earlier hour by index. */
export interface HourlyCloses {
  /** Close instant of index 0. */
  readonly first: Instant
  /** USD; NaN where the vintage has no close. */
  readonly prices: Float64Array
  /** Log return from the hour before; NaN where either close is missing. */
  readonly returns: Float64Array
  /** How many consecutive returns without a gap end at an index. */
  readonly unbroken: Uint32Array
}

export function createHourlyCloses(closes: Closes): HourlyCloses {
  const hours = (closes.last - closes.first) / MICROS_PER_HOUR + 1
  const prices = new Float64Array(hours)
  const returns = new Float64Array(hours).fill(Number.NaN)
  const unbroken = new Uint32Array(hours)
  for (let index = 0; index < hours; index++) {
    const price = closes.closeAt(closes.first + index * MICROS_PER_HOUR) ?? Number.NaN
    prices[index] = price
    if (index === 0) continue
    const change = ln(price / (prices[index - 1] as number))
    returns[index] = change
    if (!Number.isNaN(change)) unbroken[index] = (unbroken[index - 1] as number) + 1
  }
  return { first: closes.first, prices, returns, unbroken }
}

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
