/** Where an origin or a target lies: the position of its period in the calendar of the rules. */
export type TaskPlace = number

/** A series at a horizon. */
export interface TaskCell {
  /** What names it within its task. */
  readonly id: number
  readonly series: string
  /** In steps. */
  readonly horizon: number
}

/** The origins of a window, in order, numbered from 0. */
export interface TaskOrigins {
  readonly count: number
  placeOf(index: number): TaskPlace
  /** Undefined for what is no origin of the window. */
  indexOf(place: TaskPlace): number | undefined
}
