import {
  LEAD_IN,
  type Market,
  randomWindow,
  type WindowSize,
} from '../../../src/lint/power/market.js'
import type { Random } from '../../../src/lint/power/random.js'

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
  const length = LEAD_IN + size.origins + size.longestHorizon
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
  return randomWindow({ first: MONDAY, values }, size, random)
}
