import { ErrorWindow } from './error-window.js'

/** Errors a distribution is made from, and the least number it takes. */
export const ERRORS = 720
export const LEAST_ERRORS = 168

export interface PriceQuantiles {
  readonly q10: Float64Array
  readonly q50: Float64Array
  readonly q90: Float64Array
}

/**
 * Price quantiles of a baseline at one horizon: P̂·exp(quantile), of its own last 720 log errors
 * ln(P1/P̂) whose targets had matured at the origin. NaN below 168 errors, and where there is no
 * forecast.
 *
 * @param prices closes by hour. @param forecasts predicted prices by hour of the origin.
 */
export function quantilesOf(
  prices: Float64Array,
  forecasts: Float64Array,
  horizon: number,
): PriceQuantiles {
  const hours = prices.length
  const column = () => new Float64Array(hours).fill(Number.NaN)
  const q10 = column()
  const q50 = column()
  const q90 = column()
  const errors = new ErrorWindow(ERRORS)
  for (let index = 0; index < hours; index++) {
    // The one target that matures at this hour.
    const error = Math.log((prices[index] as number) / (forecasts[index - horizon] ?? Number.NaN))
    if (!Number.isNaN(error)) errors.add(error)
    const forecast = forecasts[index] as number
    if (errors.size < LEAST_ERRORS || Number.isNaN(forecast)) continue
    q10[index] = forecast * Math.exp(errors.quantile(0.1))
    q50[index] = forecast * Math.exp(errors.quantile(0.5))
    q90[index] = forecast * Math.exp(errors.quantile(0.9))
  }
  return { q10, q50, q90 }
}
