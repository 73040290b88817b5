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

/** True where the series has a pair at this origin. */
function paired(series: Series, origin: number): boolean {
  if (series.members !== undefined && series.members[origin] !== 1) return false
  return !Number.isNaN(series.values[origin])
}

export function seriesFigures(series: Series, blockLength: number): SeriesFigures {
  const origins = series.values.length
  const inFullBlocks = Math.floor(origins / blockLength) * blockLength
  let pairs = 0
  let sum = 0
  let effectiveBlocks = 0
  let lastBlock = -1
  for (let origin = 0; origin < origins; origin++) {
    if (!paired(series, origin)) continue
    pairs++
    sum += series.values[origin]!
    const block = Math.floor(origin / blockLength)
    if (block !== lastBlock && origin < inFullBlocks) {
      effectiveBlocks++
      lastBlock = block
    }
  }
  return { pairs, effectiveBlocks, mean: sum / pairs }
}

/** Copies a series into `out`, NaN where there is no pair; tells whether there was a gap. */
export function copySeries(series: Series, out: Float64Array): { readonly gaps: boolean } {
  let gaps = false
  for (let origin = 0; origin < out.length; origin++) {
    if (paired(series, origin)) {
      out[origin] = series.values[origin]!
    } else {
      out[origin] = Number.NaN
      gaps = true
    }
  }
  return { gaps }
}

/**
 * The sum of every block of `blockLength` consecutive origins, gaps as 0, by doubling: sums over 1,
 * 2, 4, ... origins, joined from the smallest power upwards along the binary digits of the length.
 * The cost grows with the logarithm of the length; and a block's sum depends on nothing outside the
 * block, as it would with differences of a running total, where blocks with the same content would
 * differ in the last bits.
 *
 * @param values NaN where there is no pair
 * @param scratch as long as `values`; overwritten
 * @param sums receives `values.length - blockLength + 1` sums
 */
export function blockSums(
  values: Float64Array,
  blockLength: number,
  scratch: Float64Array,
  sums: Float64Array,
): void {
  const origins = values.length
  const starts = origins - blockLength + 1
  for (let i = 0; i < origins; i++) {
    const value = values[i]!
    scratch[i] = Number.isNaN(value) ? 0 : value
  }
  let joined = 0
  for (let size = 1; ; size *= 2) {
    if (Math.floor(blockLength / size) % 2 === 1) {
      if (joined === 0) for (let i = 0; i < starts; i++) sums[i] = scratch[i]!
      else for (let i = 0; i < starts; i++) sums[i] = sums[i]! + scratch[i + joined]!
      joined += size
    }
    if (size * 2 > blockLength) return
    for (let i = 0; i + 2 * size <= origins; i++) scratch[i] = scratch[i]! + scratch[i + size]!
  }
}

/** The number of pairs in every block, by a window that slides by one. */
export function blockCounts(
  values: Float64Array,
  blockLength: number,
  write: (start: number, count: number) => void,
): void {
  let count = 0
  for (let end = 0; end < values.length; end++) {
    if (!Number.isNaN(values[end])) count++
    const start = end - blockLength + 1
    if (start < 0) continue
    write(start, count)
    if (!Number.isNaN(values[start])) count--
  }
}
