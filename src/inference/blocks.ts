import { LANES } from './kernel.js'
import type { Series } from './types.js'

/** What can be said of a series before anything is drawn. */
export interface SeriesFigures {
  /** Origins with a pair. */
  readonly pairs: number
  /** Blocks [jL, (j+1)L), j = 0 .. floor(N/L) - 1, that hold at least one pair. */
  readonly effectiveBlocks: number
  /** Mean difference, summed in time order; NaN without pairs. */
  readonly mean: number
}

export function seriesFigures(series: Series, blockLength: number): SeriesFigures {
  const { values, members } = series
  const inFullBlocks = Math.floor(values.length / blockLength) * blockLength
  let pairs = 0
  let sum = 0
  let effectiveBlocks = 0
  let nextBlock = 0
  let counted = true
  for (let origin = 0; origin < values.length; origin++) {
    if (origin === nextBlock) {
      counted = origin >= inFullBlocks
      nextBlock += blockLength
    }
    const value = values[origin]!
    if (Number.isNaN(value) || (members !== undefined && members[origin] !== 1)) continue
    pairs++
    sum += value
    if (counted) continue
    effectiveBlocks++
    counted = true
  }
  return { pairs, effectiveBlocks, mean: sum / pairs }
}

/**
 * Writes a series into its lane of `rows`, which hold a number of each lane per origin: NaN where
 * there is no pair. Tells whether there was a gap.
 */
export function fillLane(series: Series, rows: Float64Array, lane: number): boolean {
  const { values, members } = series
  let gaps = false
  for (let origin = 0, to = lane; origin < values.length; origin++, to += LANES) {
    const value = members === undefined || members[origin] === 1 ? values[origin]! : Number.NaN
    if (Number.isNaN(value)) gaps = true
    rows[to] = value
  }
  return gaps
}
