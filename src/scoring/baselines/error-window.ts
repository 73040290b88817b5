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

  /** Where the first value not below `error` stands. */
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
