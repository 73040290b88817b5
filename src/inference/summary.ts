import type { Bounds, Replicates } from './test-result.js'

/** The summary that is kept of the replicates of one test. */
export interface BootstrapSummary {
  /** Position of the test in the input. */
  readonly test: number
  /** Replicates without any pair; if there are any, the figures cover only the others. */
  readonly empty: number
  /** Null if every replicate is empty. */
  readonly replicates: Replicates | null
  /** Null if any replicate is empty: then there is no p-value and no bound. */
  readonly tails: Tails | null
}

/** The order statistics that the bounds of one test may need, counted from the outer end of each tail. */
export interface Tails {
  readonly ranks: readonly number[]
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/**
 * @param statistics one per replicate, NaN if it drew no pair
 * @param ranks the order statistics to keep
 */
export function summarise(
  test: number,
  statistics: Float64Array,
  ranks: readonly number[],
): BootstrapSummary {
  let [filled, sum, atOrBelowZero, atOrAboveZero] = [0, 0, 0, 0]
  for (let i = 0; i < statistics.length; i++) {
    const value = statistics[i]!
    if (Number.isNaN(value)) continue
    filled++
    sum += value
    if (value <= 0) atOrBelowZero++
    if (value >= 0) atOrAboveZero++
  }
  const empty = statistics.length - filled
  if (filled === 0) return { test, empty, replicates: null, tails: null }
  const mean = sum / filled
  const standardDeviation = Math.sqrt(squares(statistics, mean) / filled)
  const replicates = { mean, standardDeviation, atOrBelowZero, atOrAboveZero }
  return {
    test,
    empty,
    replicates,
    tails: empty > 0 ? null : computeTails(statistics, ranks, replicates),
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

/** The requested order statistics of both tails, exact. */
function computeTails(
  statistics: Float64Array,
  ranks: readonly number[],
  { mean, standardDeviation }: Replicates,
): Tails {
  const depth = Math.max(...ranks) + 1
  const sortedOuter = (outer: (value: number) => boolean): Float64Array => {
    const values = statistics.filter(outer)
    // Sorting only the outermost takes a tenth of the time; if they are too few, all are sorted.
    return (values.length < depth ? statistics.slice() : values).sort()
  }
  const below = sortedOuter((value) => value < mean - 1.5 * standardDeviation)
  const above = sortedOuter((value) => value > mean + 1.5 * standardDeviation)
  return {
    ranks,
    lower: Float64Array.from(ranks, (rank) => below[rank]!),
    upper: Float64Array.from(ranks, (rank) => above.at(-1 - rank)!),
  }
}

/** The order statistics that bounds at this level need. */
export function neededRanks(replicates: number, level: number): number[] {
  const { outer, inner } = tailPositions(replicates, level)
  return [...new Set([outer, inner])]
}

/**
 * The two order statistics around a bound, from 0, and how far the bound lies from the outer to the inner one (Hyndman
 * and Fan, type 7).
 */
function tailPositions(replicates: number, level: number) {
  const at = ((replicates - 1) * level) / 2
  const outer = Math.floor(at)
  return { outer, inner: Math.min(outer + 1, replicates - 1), share: at - outer }
}

/**
 * Percentile bounds that leave `level / 2` outside on each side, with linear interpolation between order statistics
 * (type 7). The upper bound uses the mirrored formula from the top, so that changing every sign swaps the bounds bit
 * for bit.
 * @param level - the one for which `neededRanks` kept the order statistics.
 */
export function percentileBounds(tails: Tails, replicates: number, level: number): Bounds {
  const { outer, inner, share } = tailPositions(replicates, level)
  const [from, to] = [tails.ranks.indexOf(outer), tails.ranks.indexOf(inner)]
  if (from < 0 || to < 0) throw new RangeError('no order statistics were kept for this level')
  const between = (tail: Float64Array) => tail[from]! + share * (tail[to]! - tail[from]!)
  return { level, lower: between(tails.lower), upper: between(tails.upper) }
}
