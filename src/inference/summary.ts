import type { Tails } from './quantiles.js'
import type { Replicates } from './types.js'

/** All that is kept of the replicates of one test. */
export interface Summary {
  /** Place of the test in the input. */
  readonly test: number
  /** Replicates without a single pair; when there are any, the figures cover the others only. */
  readonly empty: number
  /** Null when every replicate is empty. */
  readonly replicates: Replicates | null
  /** Null when any replicate is empty: there is no p-value and no bound then. */
  readonly tails: Tails | null
}

/** @param statistics one per replicate in the order of drawing; NaN when it drew no pair */
export function summarise(test: number, statistics: Float64Array, ranks: Int32Array): Summary {
  let empty = 0
  let sum = 0
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  let atOrBelowZero = 0
  let atOrAboveZero = 0
  for (let i = 0; i < statistics.length; i++) {
    const value = statistics[i]!
    if (Number.isNaN(value)) {
      empty++
      continue
    }
    sum += value
    if (value < least) least = value
    if (value > greatest) greatest = value
    if (value <= 0) atOrBelowZero++
    if (value >= 0) atOrAboveZero++
  }
  const filled = statistics.length - empty
  if (filled === 0) return { test, empty, replicates: null, tails: null }
  const mean = sum / filled
  const replicates = {
    mean,
    standardDeviation: standardDeviation(statistics, mean, filled),
    least,
    greatest,
    atOrBelowZero,
    atOrAboveZero,
  }
  return { test, empty, replicates, tails: empty > 0 ? null : tailsOf(statistics, ranks) }
}

function standardDeviation(statistics: Float64Array, mean: number, filled: number): number {
  let squares = 0
  for (let i = 0; i < statistics.length; i++) {
    const away = statistics[i]! - mean
    if (!Number.isNaN(away)) squares += away * away
  }
  return Math.sqrt(squares / filled)
}

const SAMPLE = 1024

/** The asked order statistics of both tails, exact; `ranks` ascending. */
export function tailsOf(statistics: Float64Array, ranks: Int32Array): Tails {
  const depth = ranks[ranks.length - 1]! + 1
  if (statistics.length > 4 * SAMPLE && depth < statistics.length / 16) {
    const outer = outerValues(statistics, depth)
    if (outer !== undefined) return pick(outer.below.sort(), outer.above.sort(), ranks)
  }
  // Few replicates, many ties, or a sample that misled. The way taken never shows in the result.
  const all = statistics.slice().sort()
  return pick(all, all, ranks)
}

function pick(below: Float64Array, above: Float64Array, ranks: Int32Array): Tails {
  const lower = new Float64Array(ranks.length)
  const upper = new Float64Array(ranks.length)
  for (let i = 0; i < ranks.length; i++) {
    lower[i] = below[ranks[i]!]!
    upper[i] = above[above.length - 1 - ranks[i]!]!
  }
  return { lower, upper }
}

/** Thresholds that leave a little more than `depth` values outside on either side. */
function sampleThresholds(statistics: Float64Array, depth: number): { low: number; high: number } {
  const step = Math.floor(statistics.length / SAMPLE)
  const sample = new Float64Array(SAMPLE)
  for (let i = 0; i < SAMPLE; i++) sample[i] = statistics[i * step]!
  sample.sort()
  const share = depth / statistics.length
  const spread = Math.sqrt(SAMPLE * share * (1 - share))
  const at = Math.min(SAMPLE - 1, Math.ceil(SAMPLE * share + 5 * spread + 5))
  return { low: sample[at]!, high: sample[SAMPLE - 1 - at]! }
}

/**
 * The values beyond the thresholds, `depth` or more on either side; undefined when they are fewer,
 * or far too many.
 */
function outerValues(statistics: Float64Array, depth: number) {
  const { low, high } = sampleThresholds(statistics, depth)
  const room = 4 * depth + SAMPLE
  const below = new Float64Array(room)
  const above = new Float64Array(room)
  let belows = 0
  let aboves = 0
  for (let i = 0; i < statistics.length; i++) {
    const value = statistics[i]!
    if (value <= low) {
      if (belows === room) return undefined
      below[belows++] = value
    }
    if (value >= high) {
      if (aboves === room) return undefined
      above[aboves++] = value
    }
  }
  if (belows < depth || aboves < depth) return undefined
  return { below: below.subarray(0, belows), above: above.subarray(0, aboves) }
}
