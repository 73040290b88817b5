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

/**
 * The last so many errors of a forecaster, kept in order of size: adding one costs a binary search
 * and one move, where sorting anew for every origin would cost a thousand times that.
 */
export class ErrorWindow {
  readonly #sorted: Float64Array
  /** In order of arrival, to know which one leaves. */
  readonly #arrivals: Float64Array
  #next = 0
  #size = 0

  constructor(capacity: number) {
    this.#sorted = new Float64Array(capacity)
    this.#arrivals = new Float64Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  add(error: number): void {
    const sorted = this.#sorted
    if (this.#size === sorted.length) {
      const leaving = this.#position(this.#arrivals[this.#next] as number)
      sorted.copyWithin(leaving, leaving + 1, this.#size)
      this.#size--
    }
    const entering = this.#position(error)
    sorted.copyWithin(entering + 1, entering, this.#size)
    sorted[entering] = error
    this.#size++
    this.#arrivals[this.#next] = error
    this.#next = (this.#next + 1) % sorted.length
  }

  /**
   * Empirical quantile with linear interpolation between order statistics (type 7 of Hyndman & Fan
   * 1996, the default of R and numpy). NaN while the window is empty.
   */
  quantile(level: number): number {
    const place = (this.#size - 1) * level
    const below = Math.floor(place)
    const low = this.#sorted[below] as number
    if (below >= this.#size - 1) return this.#size === 0 ? Number.NaN : low
    return low + (place - below) * ((this.#sorted[below + 1] as number) - low)
  }

  /** Where the first value not below `error` is. */
  #position(error: number): number {
    let low = 0
    let high = this.#size
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] as number) < error) low = middle + 1
      else high = middle
    }
    return low
  }
}
