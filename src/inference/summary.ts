import type { Bounds, Replicates } from './types.js'

/** All that is kept of the replicates of one test. */
export interface BootstrapSummary {
  /** Place of the test in the input. */
  readonly test: number
  /** Replicates without a single pair; when there are any, the figures cover the others only. */
  readonly empty: number
  /** Null when every replicate is empty. */
  readonly replicates: Replicates | null
  /** Null when any replicate is empty: there is no p-value and no bound then. */
  readonly tails: Tails | null
}

/** The outermost replicates of one test in each tail, from its end inwards: as many as bounds at alpha ask for. */
export interface Tails {
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/**
 * @param statistics one per replicate, NaN where it drew no pair
 * @param alpha the largest level that bounds are asked for
 */
export function summarise(test: number, statistics: Float64Array, alpha: number): BootstrapSummary {
  let [filled, sum, atOrBelowZero, atOrAboveZero] = [0, 0, 0, 0]
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < statistics.length; i++) {
    const value = statistics[i]!
    if (Number.isNaN(value)) continue
    filled++
    sum += value
    if (value < least) least = value
    if (value > greatest) greatest = value
    if (value <= 0) atOrBelowZero++
    if (value >= 0) atOrAboveZero++
  }
  const empty = statistics.length - filled
  if (filled === 0) return { test, empty, replicates: null, tails: null }
  const mean = sum / filled
  const standardDeviation = Math.sqrt(squares(statistics, mean) / filled)
  const replicates = { mean, standardDeviation, least, greatest, atOrBelowZero, atOrAboveZero }
  return {
    test,
    empty,
    replicates,
    tails: empty > 0 ? null : tailsOf(statistics, alpha, replicates),
  }
}

function squares(statistics: Float64Array, mean: number): number {
  let sum = 0
  for (let i = 0; i < statistics.length; i++) {
    const off = statistics[i]! - mean
    if (!Number.isNaN(off)) sum += off * off
  }
  return sum
}

/** The order statistics of both tails that a bound at alpha, or at any smaller level, can ask for. */
function tailsOf(
  statistics: Float64Array,
  alpha: number,
  { mean, standardDeviation }: Replicates,
): Tails {
  const depth = Math.floor(position(statistics.length, alpha)) + 2
  const sortedIf = (outer: (value: number) => boolean): Float64Array => {
    const values = statistics.filter(outer)
    // Sorting the outermost alone takes a tenth of the time; where they are too few, all are sorted.
    return (values.length < depth ? statistics.slice() : values).sort()
  }
  const below = sortedIf((value) => value < mean - 1.5 * standardDeviation)
  const above = sortedIf((value) => value > mean + 1.5 * standardDeviation)
  return { lower: below.slice(0, depth), upper: above.reverse().slice(0, depth) }
}

/** Zero-based position of the lower bound among the ordered replicates (Hyndman and Fan, type 7). */
function position(replicates: number, level: number): number {
  return ((replicates - 1) * level) / 2
}

/**
 * Percentile bounds that leave `level / 2` outside on each side, with linear interpolation between
 * order statistics (type 7). The upper bound is taken from the top by the mirrored formula, so that
 * changing every sign swaps the bounds bit for bit.
 */
export function percentileBounds(tails: Tails, replicates: number, level: number): Bounds {
  const at = position(replicates, level)
  const outer = Math.floor(at)
  const inner = Math.min(outer + 1, replicates - 1)
  const between = (tail: Float64Array) =>
    tail[outer]! + (at - outer) * (tail[inner]! - tail[outer]!)
  return { level, lower: between(tails.lower), upper: between(tails.upper) }
}
