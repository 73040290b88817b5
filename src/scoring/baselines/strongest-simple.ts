import { logReturn } from '../log-return.js'
import { pointLoss } from '../point-loss.js'
import { CompensatedSum } from '../sum.js'

/** A target may be learned from if it matured at least this long before the origin, in hours. */
export const MATURITY_HOURS = 16

/**
 * For each origin, the forecast of the pool member with the lowest mean point loss so far at that horizon: over all
 * earlier origins of the vintage whose targets had matured 16 h before the origin. Members are compared only at origins
 * where all of them have a scored forecast, so that none gains from missing hours. Ties go to the first name.
 * NaN if no target has matured yet, or if the chosen member has no forecast: no other member replaces it.
 *
 * @param prices closes by hour, NaN in gaps. @param pool forecasts by hour, in the order of names.
 */
export function strongestSimple(
  prices: Float64Array,
  pool: readonly Float64Array[],
  horizon: number,
): Float64Array {
  const forecasts = new Float64Array(prices.length).fill(Number.NaN)
  const losses = pool.map(() => new CompensatedSum())
  let matured = 0
  for (let index = 0; index < prices.length; index++) {
    const origin = index - MATURITY_HOURS - horizon
    if (origin >= 0 && comparable(prices, pool, origin, horizon)) {
      const p0 = prices[origin] as number
      const realised = logReturn(prices[origin + horizon] as number, p0)
      for (const [member, series] of pool.entries()) {
        losses[member]?.add(pointLoss(logReturn(series[origin] as number, p0), realised))
      }
      matured++
    }
    if (matured === 0) continue
    const chosen = pool[lowest(losses)]
    if (chosen !== undefined) forecasts[index] = chosen[index] as number
  }
  return forecasts
}

function comparable(
  prices: Float64Array,
  pool: readonly Float64Array[],
  origin: number,
  horizon: number,
): boolean {
  if (Number.isNaN(prices[origin]) || Number.isNaN(prices[origin + horizon])) return false
  return pool.every((series) => !Number.isNaN(series[origin]))
}

/** All counts are equal, so the lowest sum is the lowest mean. */
function lowest(losses: readonly CompensatedSum[]): number {
  let best = 0
  let smallest = Number.POSITIVE_INFINITY
  for (const [member, { value }] of losses.entries()) {
    if (value < smallest) {
      best = member
      smallest = value
    }
  }
  return best
}
