import type { Series } from './family-input.js'

/** Of an origin: some component has a value there; some has a pair, not only a value filled in. */
const VALUE = 1
const PAIR = 2

/** The number of pairs, and of blocks [jL, (j+1)L), j = 0 .. floor(N/L) - 1, that hold at least one. */
export interface PairCounts {
  readonly pairs: number
  readonly effectiveBlocks: number
}

/** A mean difference without its mean. */
export interface Centred {
  readonly estimate: number
  /** The contribution of each origin with a pair, in time order. */
  readonly values: Float64Array
}

/**
 * What a test keeps of its components: so each can be let go as soon as it was added. At an origin these are
 * Σ (d − mean) / n over the components and two marks, and for all origins the least counts of any component.
 */
export class MeanSums {
  /** How many were added. */
  components = 0
  /** Where all of them count; undefined: everywhere. */
  members: Uint8Array | undefined
  /** The least of any component, with values that were filled in, and without. */
  min: PairCounts = NONE_YET
  leastPaired: PairCounts = NONE_YET
  #means = 0
  readonly #shares: Float64Array
  readonly #marks: Uint8Array
  /** Σ d / n; undefined if nobody asks for contributions. */
  readonly #complete: Float64Array | undefined

  /** @param isWhole - whether the contributions of origins are asked for. */
  constructor(
    origins: number,
    private readonly blockLength: number,
    isWhole = false,
  ) {
    this.#shares = new Float64Array(origins)
    this.#complete = isWhole ? new Float64Array(origins) : undefined
    this.#marks = new Uint8Array(origins)
  }

  /** Adds a component. @param times - how often. */
  add({ values, members, filled }: Series, times = 1): void {
    const [all, paired] = [new PairCounter(this.blockLength), new PairCounter(this.blockLength)]
    const origins = values.length
    let sum = 0
    for (let at = 0; at < origins; at++) {
      const value = values[at] as number
      if (Number.isNaN(value) || (members !== undefined && members[at] !== 1)) continue
      sum += value
      all.count(at, origins)
      if (filled?.[at] === 1) this.#marks[at]! |= VALUE
      else {
        this.#marks[at]! |= VALUE | PAIR
        paired.count(at, origins)
      }
    }
    const mean = sum / all.pairs
    const weight = times / all.pairs
    for (let at = 0; at < origins; at++) {
      const value = values[at] as number
      if (Number.isNaN(value) || (members !== undefined && members[at] !== 1)) continue
      this.#shares[at]! += (value - mean) * weight
      if (this.#complete !== undefined) this.#complete[at]! += value * weight
    }
    this.members = members
    this.components += times
    this.#means += times * mean
    this.min = lower(this.min, all)
    this.leastPaired = lower(this.leastPaired, paired)
  }

  /** Adds what others have added, except to contributions. */
  addAll(others: MeanSums): void {
    for (const [at, mark] of others.#marks.entries()) {
      this.#marks[at]! |= mark
      this.#shares[at]! += others.#shares[at] as number
    }
    this.members = others.members
    this.components += others.components
    this.#means += others.#means
    this.min = lower(this.min, others.min)
    this.leastPaired = lower(this.leastPaired, others.leastPaired)
  }

  /** The mean of the components' means; NaN if one has no value. */
  get mean(): number {
    return this.#means / this.components
  }

  /** The origins at which any component has a pair. */
  anyPaired(): PairCounts {
    const counter = new PairCounter(this.blockLength)
    const marks = this.#marks
    for (let at = 0; at < marks.length; at++) {
      if (((marks[at] as number) & PAIR) !== 0) counter.count(at, marks.length)
    }
    return counter
  }

  /** Less the mean: an origin counts if any component has a value there, each with its share in its mean. */
  centred(): Centred {
    const marks = this.#marks
    const values = new Float64Array(marks.length)
    let count = 0
    for (let at = 0; at < marks.length; at++) {
      if (((marks[at] as number) & VALUE) !== 0) values[count++] = this.#shares[at] as number
    }
    const scaled = values.subarray(0, count)
    for (let at = 0; at < count; at++) {
      scaled[at] = ((scaled[at] as number) * count) / this.components
    }
    return { estimate: this.mean, values: scaled }
  }

  /** The contribution of every origin to the mean; 0 without a pair. */
  contributions(): Float64Array {
    return (this.#complete ?? new Float64Array()).map((value) => value / this.components)
  }
}

const NONE_YET: PairCounts = { pairs: Infinity, effectiveBlocks: Infinity }

const lower = (a: PairCounts, b: PairCounts): PairCounts => ({
  pairs: Math.min(a.pairs, b.pairs),
  effectiveBlocks: Math.min(a.effectiveBlocks, b.effectiveBlocks),
})

/** Counts pairs, in time order, and the full blocks that hold one. */
class PairCounter implements PairCounts {
  pairs = 0
  effectiveBlocks = 0
  #block = -1

  constructor(private readonly blockLength: number) {}

  count(at: number, origins: number): void {
    this.pairs++
    const block = Math.floor(at / this.blockLength)
    if (block === this.#block || block >= Math.floor(origins / this.blockLength)) return
    this.#block = block
    this.effectiveBlocks++
  }
}

/** The sums of components that are all at hand. */
export function createMeanSums(components: readonly Series[], blockLength: number): MeanSums {
  const sums = new MeanSums(components[0]?.values.length ?? 0, blockLength, true)
  for (const component of components) sums.add(component)
  return sums
}
