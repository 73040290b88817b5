import { exp } from '../../contract/logarithm.js'
import type { BaselineRule, HourlyCloses } from './closes.js'

/** How many hourly log returns the fit uses. */
export const AR1_RETURNS = 720

/**
 * First-order autoregression of hourly log returns: r_t on r_{t−1} with an intercept, by ordinary least squares over
 * the last 720 returns (719 pairs), iterated h steps; P̂ = P0·exp(their sum).
 * A gap among the 721 closes makes the forecast missing. If all returns are equal, every slope fits equally well; 0 is
 * used, the slope of least norm.
 */
export const ar1: BaselineRule = (closes, index, horizons, prices) => {
  prices.fill(Number.NaN)
  if ((closes.unbroken[index] as number) < AR1_RETURNS) return
  const { intercept, slope } = fit(closes, index)
  const last = closes.prices[index] as number
  const farthest = Math.max(...horizons)
  let step = closes.returns[index] as number
  let sum = 0
  for (let ahead = 1; ahead <= farthest; ahead++) {
    step = intercept + slope * step
    sum += step
    const at = horizons.indexOf(ahead)
    if (at !== -1) prices[at] = last * exp(sum)
  }
}

/** In two centred passes: this avoids cancellation, and the result depends only on these returns. */
function fit({ returns }: HourlyCloses, index: number): { intercept: number; slope: number } {
  const first = index - AR1_RETURNS + 2
  const pairs = AR1_RETURNS - 1
  let before = 0
  let after = 0
  for (let at = first; at <= index; at++) {
    before += returns[at - 1] as number
    after += returns[at] as number
  }
  before /= pairs
  after /= pairs
  let variation = 0
  let covariation = 0
  for (let at = first; at <= index; at++) {
    const lagged = (returns[at - 1] as number) - before
    variation += lagged * lagged
    covariation += lagged * ((returns[at] as number) - after)
  }
  const slope = variation > 0 ? covariation / variation : 0
  return { intercept: after - slope * before, slope }
}
