import { meanOf } from './sum.js'

/** How a gap is filled: with the worst of the candidate's own differences, or the best. */
export type GapEnd = 'worst' | 'best'

/** The registered keys of a cell that have no outcome. */
export interface CellGaps {
  /** Identifies the cell. */
  readonly id: number
  readonly horizon: number
  /** By origin: 1 for a registered key without an outcome, else 0. */
  readonly missing: Uint8Array
  /** True if its series has no outcome at more than half of its keys; its own pairs are then not representative. */
  readonly mostlyMissing: boolean
}

/** The differences of a cell with a value for every registered key without an outcome. */
export interface FilledDifferences {
  readonly values: Float64Array
  /** 1 where a value was filled in for a missing outcome; absent if none was. */
  readonly filled?: Uint8Array
  /** False if another cell of the same step replaces this one. */
  readonly own: boolean
}

/**
 * Fills what whoever makes the outcomes could leave out: at each key without an outcome, at its own origin, the mean of
 * the k worst (or best) differences of the cell, k keys being without one. A cell without a pair, and one whose series
 * has no outcome at more than half of its keys, counts as that of the others at its step whose mean is the worst
 * (or best). Without others it counts as it is.
 *
 * @param cells of one candidate against one comparator, all that are tested
 * @param differences of a cell; NaN where there is no pair
 * @returns by id
 */
export function fillGaps(
  cells: readonly CellGaps[],
  differences: (id: number) => Float64Array,
  end: GapEnd,
): ReadonlyMap<number, FilledDifferences> {
  const own = cells.map((cell) => {
    const filled = filledCell(differences(cell.id), cell.missing, end)
    return { ...cell, filled, mean: meanOf(filled.values).mean }
  })
  const standIns = new Map<number, { readonly filled: FilledDifferences; readonly mean: number }>()
  for (const { horizon, mostlyMissing, filled, mean } of own) {
    if (mostlyMissing || mean === null) continue
    const best = standIns.get(horizon)
    if (best === undefined || isBeyond(mean, best.mean, end))
      standIns.set(horizon, { filled, mean })
  }
  return new Map(
    own.map(({ id, horizon, mostlyMissing, filled, mean }) => {
      const other = mostlyMissing || mean === null ? standIns.get(horizon) : undefined
      return [id, other === undefined ? filled : { ...other.filled, own: false }]
    }),
  )
}

/** Fills one cell from its own pairs only; without pairs it stays empty. */
function filledCell(
  differences: Float64Array,
  missing: Uint8Array,
  end: GapEnd,
): FilledDifferences {
  const gaps = missing.reduce((sum, one) => sum + one, 0)
  if (gaps === 0) return { values: differences, own: true }
  const pairs = differences.filter((value) => !Number.isNaN(value))
  if (pairs.length === 0) return { values: differences, own: true }
  pairs.sort()
  const used = end === 'worst' ? pairs.subarray(-gaps) : pairs.subarray(0, gaps)
  const value = meanOf(used).mean as number
  const values = differences.map((own, index) => (missing[index] === 1 ? value : own))
  return { values, filled: missing, own: true }
}

/** Lower differences favour the candidate. */
const isBeyond = (mean: number, than: number, end: GapEnd): boolean =>
  end === 'worst' ? mean > than : mean < than
