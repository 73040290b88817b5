import { average } from './sum.js'

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
export interface FilledCell {
  readonly id: number
  readonly horizon: number
  readonly values: Float64Array
  /** 1 where a value was filled in for a missing outcome; absent if none was. */
  readonly filled?: Uint8Array
  /** Null without a pair. */
  readonly mean: number | null
  /** False if another cell of the same step counts in its place, if there is one. */
  readonly isOwn: boolean
}

/**
 * Fills what whoever makes the outcomes could leave out: at each key without an outcome, at its own origin, the mean of
 * the k worst (or best) differences of the cell, k keys being without one. k is at most the number of pairs. A cell
 * without a pair, and one whose series has no outcome at more than half of its keys, is not its own: see `StandIns`.
 *
 * @param differences of one candidate against one comparator; NaN where there is no pair
 */
export function fillCell(
  { id, horizon, missing, mostlyMissing }: CellGaps,
  differences: Float64Array,
  end: GapEnd,
): FilledCell {
  const gaps = missing.reduce((sum, one) => sum + one, 0)
  const pairs = differences.filter((value) => !Number.isNaN(value))
  if (gaps === 0 || pairs.length === 0) {
    const { mean } = average(differences)
    return { id, horizon, values: differences, mean, isOwn: !mostlyMissing && mean !== null }
  }
  pairs.sort()
  const used = end === 'worst' ? pairs.subarray(-gaps) : pairs.subarray(0, gaps)
  const value = average(used).mean as number
  const values = differences.map((own, index) => (missing[index] === 1 ? value : own))
  return { id, horizon, values, filled: missing, mean: average(values).mean, isOwn: !mostlyMissing }
}

/**
 * The cells that count in the place of those that are not their own: of all tested cells of one candidate against one
 * comparator, at each step that with the worst (or best) mean. Without one, a cell counts as it is.
 */
export class StandIns {
  readonly #best = new Map<number, FilledCell>()

  constructor(private readonly end: GapEnd) {}

  /** Takes note of a cell, in the order of the plan. */
  offer(cell: FilledCell): void {
    if (!cell.isOwn) return
    const best = this.#best.get(cell.horizon)
    if (best === undefined || this.#isBeyond(cell, best)) this.#best.set(cell.horizon, cell)
  }

  /** Undefined if all cells of the step were not their own. */
  at(horizon: number): FilledCell | undefined {
    return this.#best.get(horizon)
  }

  /** Lower differences favour the candidate. */
  #isBeyond({ mean }: FilledCell, { mean: than }: FilledCell): boolean {
    return this.end === 'worst' ? Number(mean) > Number(than) : Number(mean) < Number(than)
  }
}
