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

/** A Monday, so that strata of hours and weekdays begin alike each time. */
const MONDAY = Date.UTC(2024, 0, 1) * 1000
const START_PRICE = 40_000
const HOURLY_SPREAD = 0.006

/**
 * GARCH(1, 1) of hourly log returns with jumps: volatility that lasts for days, fat tails. One hour
 * in 200 has a jump on top, four times as wide as the hour's own return, and volatility follows it.
 */
const GARCH = { shock: 0.08, persistence: 0.9 } as const
const JUMP = { rate: 1 / 200, size: 4 } as const
const PERSISTENCE = GARCH.shock * (1 + JUMP.rate * JUMP.size ** 2) + GARCH.persistence

/** A made market; no close of it says anything of the next return's sign. */
export function madeMarket(size: WindowSize, random: Random): Market {
  const length = hoursOf(size)
  const values = new Float64Array(length)
  const long = HOURLY_SPREAD ** 2
  let variance = long
  let logPrice = Math.log(START_PRICE)
  // As many hours again as the lead-in let the volatility forget where it began.
  for (let hour = -LEAD_IN; hour < length; hour++) {
    if (hour >= 0) values[hour] = Math.exp(logPrice)
    const spread = Math.sqrt(variance)
    const jump = random.uniform() < JUMP.rate ? JUMP.size * random.normal() : 0
    const change = spread * (random.normal() + jump)
    if (hour >= 0) logPrice += change
    variance = (1 - PERSISTENCE) * long + GARCH.shock * change ** 2 + GARCH.persistence * variance
  }
  return marketOf({ first: MONDAY, values }, size)
}

/**
 * A window of real closes that begins at a random hour.
 * @param closes - as many as `longestSimulated` asks for, or more.
 */
export function randomWindow(closes: MarketCloses, size: WindowSize, random: Random): Market {
  const length = hoursOf(size)
  const start = Math.floor(random.uniform() * (closes.values.length - length + 1))
  const values = closes.values.subarray(start, start + length)
  return marketOf({ first: closes.first + start * MICROS_PER_HOUR, values }, size)
}

/** The close of the bar that ends at the instant, where the market has it. */
export function closeAt({ first, values }: MarketCloses, instant: Instant): number | undefined {
  return values[(instant - first) / MICROS_PER_HOUR]
}

function hoursOf({ origins, longestHorizon }: WindowSize): number {
  return LEAD_IN + origins + longestHorizon
}

function marketOf(closes: MarketCloses, { origins }: WindowSize): Market {
  const firstOrigin = closes.first + LEAD_IN * MICROS_PER_HOUR
  return { firstOrigin, origins, closes, volatility: volatilityOf(closes.values, origins) }
}

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
