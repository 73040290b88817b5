import { compareText } from '../../contract/order.js'
import type { Reading } from '../../contract/types.js'
import { meanOfMeans } from '../../scoring/sum.js'
import { cellsIn } from './cells.js'
import { primaryIn, type ReadingBasis } from './infer.js'
import type { CellSums, ComparedPair } from './sum.js'

const QUANTILES = 21
const NAMED = 10

/** The distribution of the overall differences of the primary score over series. */
export function spreadOf(basis: ReadingBasis, sums: CellSums): Reading['spread'] {
  const { harm } = basis.registered.rules.limits
  return sums.pairs.map((pair) => {
    const sorted = bySeries(basis, sums, pair)
    const values = sorted.map(({ difference }) => difference)
    return {
      ...pair,
      series: sorted.length,
      worse: values.filter((value) => value > harm).length,
      quantiles: values.length === 0 ? [] : quantilesOf(values),
      best: sorted.slice(0, NAMED),
      worst: sorted.slice(-NAMED).reverse(),
    }
  })
}

/** Lowest first; excludes series without a difference, or with a comparator whose loss is 0. */
function bySeries(
  { registered: { rules }, cells }: ReadingBasis,
  { comparedIn, isAsked }: CellSums,
  pair: ComparedPair,
) {
  const primary = primaryIn(rules)
  const own = new Map<string, { observed: number | null; comparator_mean: number | null }[]>()
  for (const cell of cellsIn(cells, { step: 'overall', group: 'all' })) {
    if (!cell.isShown || !isAsked(pair.comparator, cell.series)) continue
    const compared = comparedIn(pair, cell, 'all').scores[primary]!
    own.set(cell.series, [...(own.get(cell.series) ?? []), compared])
  }
  const found = [...own].flatMap(([series, each]) => {
    const observed = meanOfMeans(each.map((of) => of.observed))
    const base = meanOfMeans(each.map((of) => of.comparator_mean))
    return observed === null || !base ? [] : [{ series, difference: observed / base }]
  })
  return found.sort((a, b) => a.difference - b.difference || compareText(a.series, b.series))
}

/**
 * From the minimum to the maximum, with linear interpolation (Hyndman and Fan, type 7). @param sorted - at least one.
 */
function quantilesOf(sorted: readonly number[]): number[] {
  return Array.from({ length: QUANTILES }, (_, index) => {
    const at = ((sorted.length - 1) * index) / (QUANTILES - 1)
    const below = Math.floor(at)
    const low = sorted[below] as number
    return low + (at - below) * ((sorted[below + 1] ?? low) - low)
  })
}
