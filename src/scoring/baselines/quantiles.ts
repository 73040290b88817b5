import { exp, ln } from '../../contract/logarithm.js'
import { quantile7 } from '../../contract/quantile.js'

/** How many errors a distribution uses at most, and at least. */
export const ERRORS = 720
export const LEAST_ERRORS = 168

export interface PriceQuantiles {
  readonly q10: Float64Array
  readonly q50: Float64Array
  readonly q90: Float64Array
}

/**
 * Price quantiles of a baseline at one horizon: P̂·exp(quantile), of its own last 720 log errors ln(P1/P̂) whose
 * targets had matured at the origin. NaN below 168 errors, and without a forecast.
 *
 * @param prices closes by hour. @param forecasts predicted prices by hour of the origin.
 */
export function baselineQuantiles(
  prices: Float64Array,
  forecasts: Float64Array,
  horizon: number,
): PriceQuantiles {
  const hours = prices.length
  const column = () => new Float64Array(hours).fill(Number.NaN)
  const q10 = column()
  const q50 = column()
  const q90 = column()
  const errors = new Float64Array(hours)
  let count = 0
  const last = new SortedNumbers(ERRORS)
  const quantile = (level: number) => quantile7(last.size, (index) => last.at(index), level)
  for (let index = 0; index < hours; index++) {
    // Exactly one target matures at this hour.
    const error = ln((prices[index] as number) / (forecasts[index - horizon] ?? Number.NaN))
    if (!Number.isNaN(error)) {
      if (last.size === ERRORS) last.remove(errors[count - ERRORS] as number)
      last.add(error)
      errors[count++] = error
    }
    const forecast = forecasts[index] as number
    if (last.size < LEAST_ERRORS || Number.isNaN(forecast)) continue
    q10[index] = forecast * exp(quantile(0.1))
    q50[index] = forecast * exp(quantile(0.5))
    q90[index] = forecast * exp(quantile(0.9))
  }
  return { q10, q50, q90 }
}

/** Sorted numbers: adding one costs a binary search and one move; sorting again would cost a thousand times as much. */
export class SortedNumbers {
  readonly #values: Float64Array
  #size = 0

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** The number at a sorted position, from 0. */
  at(index: number): number {
    return this.#values[index] as number
  }

  add(value: number): void {
    const entering = this.#position(value)
    this.#values.copyWithin(entering + 1, entering, this.#size)
    this.#values[entering] = value
    this.#size++
  }

  /**
   * @param value - must be in the collection.
   */
  remove(value: number): void {
    const leaving = this.#position(value)
    this.#values.copyWithin(leaving, leaving + 1, this.#size)
    this.#size--
  }

  /** The position of the first number not below `value`. */
  #position(value: number): number {
    let low = 0
    let high = this.#size
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#values[middle] as number) < value) low = middle + 1
      else high = middle
    }
    return low
  }
}
