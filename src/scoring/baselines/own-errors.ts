import { quantile7 } from '../../contract/quantile.js'
import { SortedNumbers } from './quantiles.js'

/**
 * The errors of a forecaster at one series and step: distances on a transformed scale, over its newest forecasts whose
 * targets have a value. Values are revised, so a distance may change, appear or vanish.
 */
export class OwnErrors {
  readonly #points: Float64Array
  readonly #distances: Float64Array
  readonly #sorted: SortedNumbers
  /** Index of the oldest forecast whose distance is in `#sorted`. */
  #oldest = 0

  /**
   * @param window - the largest number of distances. @param count - of forecasts; they are numbered from 0, in order.
   */
  constructor(
    private readonly window: number,
    count: number,
  ) {
    this.#points = new Float64Array(count).fill(Number.NaN)
    this.#distances = new Float64Array(count).fill(Number.NaN)
    // A new distance is added before the oldest is removed, so there is room for one more.
    this.#sorted = new SortedNumbers(Math.min(window, count) + 1)
  }

  get size(): number {
    return this.#sorted.size
  }

  /** Adds a forecast. @param point - transformed. @param outcome - as of `revise`. */
  forecast(at: number, point: number, outcome: number): void {
    this.#points[at] = point
    this.revise(at, outcome)
  }

  /** Changes the outcome of a forecast. @param outcome - transformed; NaN if missing or not yet known. */
  revise(at: number, outcome: number): void {
    const before = this.#distances[at] as number
    const now = Math.abs(outcome - (this.#points[at] as number))
    this.#distances[at] = now
    if (at < this.#oldest || Object.is(before, now)) return
    if (!Number.isNaN(before)) this.#sorted.remove(before)
    if (!Number.isNaN(now)) this.#sorted.add(now)
    this.#fit()
  }

  /** The quantile of the distances taken with both signs, as errors above and below: 0 at level 0.5. */
  quantile(level: number): number {
    const { size } = this
    const at = (index: number) =>
      index < size ? -this.#sorted.at(size - 1 - index) : this.#sorted.at(index - size)
    return quantile7(2 * size, at, level)
  }

  /** Keeps the newest distances in the window, as many as it holds. */
  #fit(): void {
    while (this.size > this.window) {
      const leaving = this.#distances[this.#oldest] as number
      if (!Number.isNaN(leaving)) this.#sorted.remove(leaving)
      this.#oldest++
    }
    while (this.size < this.window && this.#oldest > 0) {
      this.#oldest--
      const entering = this.#distances[this.#oldest] as number
      if (!Number.isNaN(entering)) this.#sorted.add(entering)
    }
  }
}
