import { ForeproofError } from '../../contract/error.js'
import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { Random } from './random.js'

/** Hours before the first origin: forecasters and strata look back, never so far. */
export const LEAD_IN = 168

/** Hourly closes, one after another without a gap. */
export interface MarketCloses {
  /** When the bar of the first close ended. */
  readonly first: Instant
  /** USD, greater than 0. */
  readonly values: Float64Array
}

/** The closes around a window of hourly origins. */
export interface Market {
  readonly firstOrigin: Instant
  readonly origins: number
  /** From LEAD_IN hours before the first origin to the last target. */
  readonly closes: MarketCloses
  /** What was known at each origin of the spread of the next hour's log return. */
  readonly volatility: Float64Array
}

/** What a window needs. */
export interface WindowSize {
  readonly origins: number
  /** Hours. */
  readonly longestHorizon: number
}

/**
 * A window of real closes that begins at a random hour.
 * @throws ForeproofError invalid-input where there are too few closes
 */
export function randomWindow(
  closes: MarketCloses,
  { origins, longestHorizon }: WindowSize,
  random: Random,
): Market {
  const length = LEAD_IN + origins + longestHorizon
  const spare = closes.values.length - length
  if (spare < 0) {
    throw new ForeproofError(
      'invalid-input',
      `a window of ${origins} origins needs ${length} closes, not ${closes.values.length}`,
    )
  }
  const start = Math.floor(random.uniform() * (spare + 1))
  const values = closes.values.subarray(start, start + length)
  const first = closes.first + start * MICROS_PER_HOUR
  return {
    firstOrigin: first + LEAD_IN * MICROS_PER_HOUR,
    origins,
    closes: { first, values },
    volatility: volatilityOf(values, origins),
  }
}

/** The close of the bar that ends at the instant, where the market has it. */
export function closeAt({ first, values }: MarketCloses, instant: Instant): number | undefined {
  return values[(instant - first) / MICROS_PER_HOUR]
}

/** Spread of the return of an hour before any is known. */
const HOURLY_SPREAD = 0.006

/** Root of the exponentially weighted mean of squared returns, an hour weighing 3 % of what is known. */
const NEWEST = 0.03

function volatilityOf(values: Float64Array, origins: number): Float64Array {
  const volatility = new Float64Array(origins)
  let variance = HOURLY_SPREAD ** 2
  for (let hour = 1; hour < LEAD_IN + origins; hour++) {
    const change = Math.log(values[hour]! / values[hour - 1]!)
    variance += NEWEST * (change ** 2 - variance)
    if (hour >= LEAD_IN) volatility[hour - LEAD_IN] = Math.sqrt(variance)
  }
  return volatility
}
