import type { Instant } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import type { GridCell, PeriodPosition, WindowOrigins } from './grid.js'
import type { EvaluationMode, Reason, Status } from './paired-attempt.js'

/** A partition of the origins: each origin of the window is in one level. */
export interface Stratum {
  readonly name: string
  readonly levels: readonly string[]
  /** The level of an origin; undefined if the partition assigns none, which is counted separately. */
  levelAt(origin: PeriodPosition): string | undefined
}

/** All origins, or those of one level of a stratum. */
export type StratumLevel = 'all' | { readonly name: string; readonly level: string }

/** What an append-only log proves about the forecasts of a history. */
export interface CommitmentLookup {
  /**
   * When a stamped checkpoint first held the forecast of a key; `withdrawn` if the log holds one that the history
   * lacks; undefined if no stamped checkpoint holds one.
   */
  committed(origin: PeriodPosition, cell: CellKey, model: string): Instant | 'withdrawn' | undefined
}

/** A cell as rows name it; the plan may not have it. */
export type CellKey = Pick<GridCell, 'series' | 'horizon'>

/** The part of one cell at one origin that all models share. */
export interface Target {
  /** NaN if origin and horizon give no target. */
  readonly position: PeriodPosition
  /** In the spelling of the rows, so that they can be compared without parsing; null if rows do not state it. */
  readonly text: string | null
  /** The value that counts; undefined if missing. */
  readonly outcome: number | undefined
  /** Whether the outcome can be known at the as-of. */
  readonly matured: boolean
  /** The end of its period; NaN if there is none. */
  readonly end: Instant
  /** The latest time at which a forecast may be made. */
  readonly latest: Instant
}

/** What baselines see of a series when the forecasts of an origin are due. */
export interface Seen {
  /** The newest period that has a value; null if none has. */
  readonly seen: PeriodPosition | null
  /** The forecast of persistence, the reference for direction; null if it abstains. */
  readonly base: number | null
}

/** The parts of judging that differ between kinds of protocols. */
export interface PairingRules {
  /** NaN for a text that is not an origin. */
  position(text: string): PeriodPosition
  label(position: PeriodPosition): string
  target(origin: PeriodPosition, cell: CellKey): Target
  /** @param origin - of the plan, in ascending order within a series. */
  seen(origin: PeriodPosition, series: string): Seen
  /** Whether a cell is expected at an origin of the plan. */
  hasCell(origin: PeriodPosition, cell: CellKey): boolean
  /** The deadline for the inputs of a forecast to be public, and for the registration. */
  inputs(origin: PeriodPosition): Instant
  /** Why the values of a forecast cannot be scored; undefined if they can. */
  fault(row: Pick<PairingRow, 'forecast' | 'quantiles' | 'sourcePrice'>): Reason | undefined
  /** The status of the interval, given that of the point. */
  interval(row: Pick<PairingRow, 'quantiles' | 'level'>, point: Status): Status
}

/** What is expected (models × origins × cells), and how it is judged. */
export interface PairingPlan {
  /** First and last position of the window, both included: rows outside are skipped. */
  readonly from: PeriodPosition
  readonly to: PeriodPosition
  readonly origins: WindowOrigins
  /** By series in code point order, then by horizon. */
  readonly cells: readonly GridCell[]
  /** In code point order. */
  readonly models: readonly string[]
  readonly rules: PairingRules
  /** Targets after this instant have not matured. */
  readonly asOf: Instant
  readonly mode: EvaluationMode
  /** Needed in prospective mode: origins before it do not count. */
  readonly registeredAt?: Instant
  /** In prospective mode, if forecasts must be committed in time: what the log proves. */
  readonly commitment?: CommitmentLookup
  /** Whether a second reading also counts forecasts that were committed late or never. */
  readonly isReadTwice?: boolean
  readonly provenanceRequired: boolean
  /** Whether a verdict hypothesis is registered: a result then lists attempts without an outcome separately. */
  readonly forVerdict?: boolean
  /** Models computed from the vintage itself: their provenance is known without a record. */
  readonly builtIn?: ReadonlySet<string>
  readonly strata?: readonly Stratum[]
}
