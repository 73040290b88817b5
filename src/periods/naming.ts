export type PeriodEnd = 'start' | 'end'

/** How the texts of a column name periods where they are no labels. */
export interface PeriodNaming {
  /** Which end of its period a time names; without it only labels and dates are read. */
  readonly label?: PeriodEnd | undefined
  /** Which of two equal local times comes first in a file, where the clock is put back. */
  readonly repeated?: 'earlier-first' | 'later-first' | undefined
  /** Times without an offset are UTC. */
  readonly utc?: boolean | undefined
  /** Texts that are neither labels nor times are left out, too: the table is longer than the list. */
  readonly outside?: 'leave-out' | undefined
}

/** The columns of a table of forecasts that name periods. */
export type PeriodColumn = 'origin' | 'target'

/** The same for a table of forecasts, whose columns may differ. */
export interface TableNaming extends Omit<PeriodNaming, 'label'> {
  readonly label?: Readonly<Partial<Record<PeriodColumn, PeriodEnd>>> | undefined
}
