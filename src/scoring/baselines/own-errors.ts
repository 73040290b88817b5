import { quantile7 } from '../../contract/quantile.js'
import { SortedNumbers } from './quantiles.js'

/**
 * How far a forecaster was off, at one series and step, by its newest forecasts whose targets have a value: distances on
 * a transformed scale. Values are revised, so a distance may change, appear and vanish.
 */
export class OwnErrors {
  readonly #points: Float64Array
  readonly #distances: Float64Array
  readonly #sorted: SortedNumbers
  /** Distances from this forecast on are those in `#sorted`. */
  #oldest = 0

  /** @param window - so many distances at most. @param count - of forecasts; they are named from 0 on, in order. */
  constructor(
    private readonly window: number,
    count: number,
  ) {
    this.#points = new Float64Array(count).fill(Number.NaN)
    this.#distances = new Float64Array(count).fill(Number.NaN)
    // One more than is kept enters before the oldest leaves.
    this.#sorted = new SortedNumbers(Math.min(window, count) + 1)
  }

  get size(): number {
    return this.#sorted.size
  }

  /** A forecast is made. @param point - transformed. @param outcome - as of `revise`. */
  forecast(at: number, point: number, outcome: number): void {
    this.#points[at] = point
    this.revise(at, outcome)
  }

  /** The outcome of a forecast is another one. @param outcome - transformed; NaN where there is none, or none yet. */
  revise(at: number, outcome: number): void {
    const before = this.#distances[at] as number
    const now = Math.abs(outcome - (this.#points[at] as number))
    this.#distances[at] = now
    if (at < this.#oldest || Object.is(before, now)) return
    if (!Number.isNaN(before)) this.#sorted.remove(before)
    if (!Number.isNaN(now)) this.#sorted.add(now)
    this.#fit()
  }

  /** The quantile of the distances taken both ways, as errors above and below: 0 at level 0.5. */
  quantile(level: number): number {
    const { size } = this
    const at = (place: number) =>
      place < size ? -this.#sorted.at(size - 1 - place) : this.#sorted.at(place - size)
    return quantile7(2 * size, at, level)
  }

  /** The newest are in the window, as many as there are and it holds. */
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
