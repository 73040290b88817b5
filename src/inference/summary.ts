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

/** The order statistics kept of one test: rank r from below, and rank r from above. */
export interface Tails {
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/**
 * @param statistics one per replicate, NaN where it drew no pair
 * @param ranks the order statistics to keep, ascending
 */
export function summarise(
  test: number,
  statistics: Float64Array,
  ranks: Int32Array,
): BootstrapSummary {
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
    tails: empty > 0 ? null : tailsOf(statistics, ranks, replicates),
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

/** The asked order statistics of both tails, exact. */
function tailsOf(
  statistics: Float64Array,
  ranks: Int32Array,
  { mean, standardDeviation }: Replicates,
): Tails {
  const depth = ranks[ranks.length - 1]! + 1
  const sortedIf = (outer: (value: number) => boolean): Float64Array => {
    const values = statistics.filter(outer)
    // Sorting the outermost alone takes a tenth of the time; where they are too few, all are sorted.
    return (values.length < depth ? statistics.slice() : values).sort()
  }
  const below = sortedIf((value) => value < mean - 1.5 * standardDeviation)
  const above = sortedIf((value) => value > mean + 1.5 * standardDeviation)
  return {
    lower: Float64Array.from(ranks, (rank) => below[rank]!),
    upper: Float64Array.from(ranks, (rank) => above[above.length - 1 - rank]!),
  }
}

/**
 * Which order statistics the bounds can ask for. Holm's levels are alpha / k with k = 1 .. m, known
 * only when every p-value is; but their set is known beforehand, so a few hundred order statistics
 * of each tail are enough for all replicates, and every bound is exact.
 *
 * @returns ascending, distinct ranks from 0, counted from the outer end of either tail
 */
export function neededRanks(replicates: number, alpha: number, familySize: number): Int32Array {
  const ranks = new Set<number>([0])
  for (let multiplier = 1; multiplier <= Math.max(1, familySize); multiplier++) {
    const below = Math.floor(position(replicates, alpha / multiplier))
    ranks.add(below)
    ranks.add(Math.min(below + 1, replicates - 1))
    // From here on every rank down to 0 is asked for, one by one or not at all.
    if (below === 0) break
  }
  return Int32Array.from(ranks).sort()
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
export function percentileBounds(
  tails: Tails,
  ranks: Int32Array,
  replicates: number,
  level: number,
): Bounds {
  const at = position(replicates, level)
  const below = Math.floor(at)
  const share = at - below
  const inner = find(ranks, Math.min(below + 1, replicates - 1))
  const outer = find(ranks, below)
  return {
    level,
    lower: between(tails.lower[outer]!, tails.lower[inner]!, share),
    upper: between(tails.upper[outer]!, tails.upper[inner]!, share),
  }
}

function between(outer: number, inner: number, share: number): number {
  return outer + share * (inner - outer)
}

function find(ranks: Int32Array, rank: number): number {
  let low = 0
  let high = ranks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranks[middle]! < rank) low = middle + 1
    else high = middle
  }
  if (ranks[low] !== rank) throw new Error(`order statistic ${rank} was not kept`)
  return low
}
