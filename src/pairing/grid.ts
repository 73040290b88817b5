/** Identifies an origin or a target: the position of its period in the calendar of the rules. */
export type PeriodPosition = number

/** A series at a horizon. */
export interface GridCell {
  /** Unique within its task. */
  readonly id: number
  readonly series: string
  /** In steps. */
  readonly horizon: number
}

/** The origins of a window, in order, numbered from 0. */
export interface WindowOrigins {
  readonly count: number
  position(index: number): PeriodPosition
  /** Undefined if the position is not an origin of the window. */
  indexOf(position: PeriodPosition): number | undefined
}

/** The cells of each series, in the order of the plan. */
export function cellsBySeries(
  cells: readonly GridCell[],
): ReadonlyMap<string, readonly GridCell[]> {
  const bySeries = new Map<string, GridCell[]>()
  for (const cell of cells) {
    const before = bySeries.get(cell.series)
    if (before === undefined) bySeries.set(cell.series, [cell])
    else before.push(cell)
  }
  return bySeries
}
