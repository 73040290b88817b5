import { instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { PairingRow } from '../../forecast/row.js'
import type { ComparatorErrors, MarketCloses } from './comparator.js'
import type { Resemblance } from './design.js'

/** With fewer pairs at a horizon, an estimate is meaningless. */
export const LEAST_PAIRS = 100
/** A candidate with the same errors as the comparator has no test. */
const MOST = 0.999

/** Sums for one correlation. */
class Correlation {
  pairs = 0
  #a = 0
  #b = 0
  #aa = 0
  #bb = 0
  #ab = 0

  add(a: number, b: number): void {
    this.pairs++
    this.#a += a
    this.#b += b
    this.#aa += a * a
    this.#bb += b * b
    this.#ab += a * b
  }

  get value(): number {
    const n = this.pairs
    const spread = Math.sqrt((this.#aa - this.#a ** 2 / n) * (this.#bb - this.#b ** 2 / n))
    return (this.#ab - (this.#a * this.#b) / n) / spread
  }
}

/**
 * Estimates the correlation of candidates' errors with those of the comparator before the window: the mean over the
 * horizons. Later forecasts are skipped.
 */
export class Resemblances {
  readonly #comparator: ComparatorErrors
  readonly #closes: MarketCloses
  readonly #sums: ReadonlyMap<string, readonly Correlation[]>

  constructor(comparator: ComparatorErrors, closes: MarketCloses, candidates: readonly string[]) {
    this.#comparator = comparator
    this.#closes = closes
    this.#sums = new Map(
      candidates.map((name) => [name, comparator.horizons.map(() => new Correlation())]),
    )
  }

  add({ model, horizon, originAt, forecast }: PairingRow): void {
    const at = this.#comparator.horizons.indexOf(horizon as number)
    const sums = this.#sums.get(model)?.[at]
    const origin = instantOrNaN(originAt)
    const error = this.#comparator.errors[at]?.[(origin - this.#comparator.first) / MICROS_PER_HOUR]
    if (sums === undefined || error === undefined || forecast === null || !(forecast > 0)) return
    const target = (origin - this.#closes.first) / MICROS_PER_HOUR + (horizon as number)
    sums.add(Math.log(forecast / (this.#closes.values[target] as number)), error)
  }

  /** One for every candidate with enough pairs at each horizon. */
  get found(): Resemblance[] {
    return this.#estimates().flatMap(({ mean, candidate, pairs }) =>
      mean === undefined
        ? []
        : [{ correlation: Math.min(MOST, Math.max(0, mean)), candidate, pairs }],
    )
  }

  /** The other candidates, and their number of pairs at the horizon with the fewest. */
  get missed(): { readonly candidate: string; readonly pairs: number }[] {
    return this.#estimates()
      .filter(({ mean }) => mean === undefined)
      .map(({ candidate, pairs }) => ({ candidate, pairs }))
  }

  #estimates() {
    return [...this.#sums].map(([candidate, sums]) => {
      const pairs = Math.min(...sums.map((each) => each.pairs))
      const mean = sums.reduce((sum, each) => sum + each.value, 0) / sums.length
      const isUsable = pairs >= LEAST_PAIRS && !Number.isNaN(mean)
      return { candidate, pairs, mean: isUsable ? mean : undefined }
    })
  }
}
