/**
 * Empirical quantile with linear interpolation between order statistics (type 7 of Hyndman & Fan 1996, the default of R
 * and numpy). NaN if there are no values.
 * @param at - the value at a position in the sorted order of all `size`, from 0.
 */
export function quantile7(size: number, at: (index: number) => number, level: number): number {
  if (size === 0) return Number.NaN
  const rank = (size - 1) * level
  const below = Math.floor(rank)
  const low = at(below)
  return below >= size - 1 ? low : low + (rank - below) * (at(below + 1) - low)
}
