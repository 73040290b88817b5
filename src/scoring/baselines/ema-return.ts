import { exp } from '../../contract/logarithm.js'
import type { BaselineRule } from './closes.js'

export const EMA_SPAN = 24
export const EMA_RETURNS = 168

/** (1 − 2/(span + 1))^k, the newest return first, and their sum. */
const WEIGHTS = new Float64Array(EMA_RETURNS)
for (let age = 0, weight = 1; age < EMA_RETURNS; age++, weight *= 1 - 2 / (EMA_SPAN + 1)) {
  WEIGHTS[age] = weight
}
const TOTAL = WEIGHTS.reduce((sum, weight) => sum + weight, 0)

/**
 * Continues the exponentially weighted mean m of the last 168 hourly log returns (span 24, weights scaled to sum to 1):
 * P̂ = P0·exp(h·m). A gap among the 169 closes makes the forecast missing.
 */
export const emaReturn24h: BaselineRule = (closes, index, horizons, prices) => {
  prices.fill(Number.NaN)
  if ((closes.unbroken[index] as number) < EMA_RETURNS) return
  let sum = 0
  for (let age = 0; age < EMA_RETURNS; age++) {
    sum += (WEIGHTS[age] as number) * (closes.returns[index - age] as number)
  }
  const last = closes.prices[index] as number
  for (const [at, horizon] of horizons.entries()) {
    prices[at] = last * exp((horizon * sum) / TOTAL)
  }
}
