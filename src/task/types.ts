/**
 * What orders origins and targets: in version 1 their instants, in version 2 their positions in the list of periods.
 */
export type TaskPlace = number

/** A series at a horizon. */
export interface TaskCell {
  /** What names it within its task. */
  readonly id: number
  /** Empty where there is one series without a name. */
  readonly series: string
  /** Hours in version 1, steps in version 2. */
  readonly horizon: number
}

/** The origins of a window, in order, numbered from 0. */
export interface TaskOrigins {
  readonly count: number
  placeOf(index: number): TaskPlace
  /** Undefined for what is no origin of the window. */
  indexOf(place: TaskPlace): number | undefined
}
