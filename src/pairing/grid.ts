/** Where an origin or a target lies: the position of its period in the calendar of the rules. */
export type PeriodPosition = number

/** A series at a horizon. */
export interface GridCell {
  /** What names it within its task. */
  readonly id: number
  readonly series: string
  /** In steps. */
  readonly horizon: number
}

/** The origins of a window, in order, numbered from 0. */
export interface WindowOrigins {
  readonly count: number
  position(index: number): PeriodPosition
  /** Undefined for what is no origin of the window. */
  indexOf(position: PeriodPosition): number | undefined
}
