export type PeriodEnd = 'start' | 'end'

/** How texts of a column name periods if they are not labels. */
export interface PeriodNaming {
  /** Whether a time names the start or the end of its period; without it only labels and dates are read. */
  readonly label?: PeriodEnd | undefined
  /** Which of two equal local times comes first in a file, when the clock is set back. */
  readonly repeated?: 'earlier-first' | 'later-first' | undefined
  /** Times without an offset are UTC. */
  readonly utc?: boolean | undefined
  /** Texts that are neither labels nor times are left out too, because the table is longer than the list. */
  readonly outside?: 'leave-out' | undefined
}

/** The columns of a table of forecasts that name periods. */
export type PeriodColumn = 'origin' | 'target'

/** The options for a table of forecasts, whose columns may differ. */
export interface TableNaming extends Omit<PeriodNaming, 'label'> {
  readonly label?: Readonly<Partial<Record<PeriodColumn, PeriodEnd>>> | undefined
}
