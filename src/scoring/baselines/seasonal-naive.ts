import type { BaselineRule } from './closes.js'

const SEASON = 24

/**
 * The price at the same hour of the latest day that was complete at the origin: P̂ is the close at target − 24 h or,
 * for horizons beyond a day, as many whole days earlier as needed.
 * Reference: seasonal naive method, Hyndman & Athanasopoulos §5.2.
 */
export const seasonalNaive24h: BaselineRule = (closes, index, horizons, prices) => {
  for (const [at, horizon] of horizons.entries()) {
    const source = index + horizon - SEASON * Math.ceil(horizon / SEASON)
    // Without a close at the origin, a forecast could not be scored.
    const origin = closes.prices[index] as number
    prices[at] = Number.isNaN(origin) ? origin : (closes.prices[source] ?? Number.NaN)
  }
}
