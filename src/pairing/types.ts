import type { Instant } from '../contract/instant.js'
import { PAIRING_STATUSES } from '../contract/limits.js'
import type { PairingRow } from '../forecast/row.js'
import type { GridCell, PeriodPosition, WindowOrigins } from './grid.js'

/** How an expected attempt ended. */
export const STATUSES = PAIRING_STATUSES
export type Status = (typeof STATUSES)[number]
/** All expected attempts that were not scored. */
export const UNSCORED = STATUSES.filter((status) => status !== 'scored')

/** Reasons, each with its status, in the order in which they are checked: the first that applies is given. */
export const STATUS_OF = {
  not_matured: 'ineligible',
  outcome_missing: 'missing',
  timestamp_invalid: 'ineligible',
  target_mismatch: 'ineligible',
  horizon_not_in_protocol: 'ineligible',
  origin_off_grid: 'ineligible',
  model_not_in_plan: 'ineligible',
  lookahead: 'ineligible',
  provenance_missing: 'ineligible',
  generated_after_target: 'ineligible',
  published_late: 'ineligible',
  withdrawn: 'ineligible',
  not_committed: 'ineligible',
  committed_late: 'ineligible',
  before_registration: 'ineligible',
  forecast_missing: 'missing',
  recorded_abstention: 'abstained',
  recorded_failure: 'failed',
  quantiles_incomplete: 'failed',
  quantiles_cross: 'failed',
  out_of_range: 'failed',
  not_integer: 'failed',
  scored: 'scored',
} as const satisfies Record<string, Status>
export type Reason = keyof typeof STATUS_OF
export const REASONS = Object.keys(STATUS_OF) as readonly Reason[]

/** Forecasts with these reasons count in a second reading, if one is registered. */
const LATE: readonly Reason[] = ['not_committed', 'committed_late']
export const isLate = (reason: Reason): boolean => LATE.includes(reason)

export type EvaluationMode = 'prospective' | 'backtest'

/** A partition of the origins: each origin of the window is in one level. */
export interface Stratum {
  readonly name: string
  readonly levels: readonly string[]
  /** The level of an origin; undefined if the partition assigns none, which is counted separately. */
  levelOf(origin: PeriodPosition): string | undefined
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
  due(origin: PeriodPosition): Instant
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

/** One attempt with its status and reason. */
export interface PairedAttempt {
  /** Null only outside the grid, if the stored origin is not a timestamp. */
  readonly origin: PeriodPosition | null
  /** The origin as stored if it could not be read, else absent. */
  readonly originText?: string
  readonly target: PeriodPosition | null
  readonly series: string
  readonly horizon: number
  /** Of the plan; undefined if the row belongs to no cell of it. */
  readonly cell: number | undefined
  readonly model: string
  /** True for a key on the grid; false for a row outside it. */
  readonly expected: boolean
  readonly status: Status
  readonly reason: Reason
  readonly intervalStatus: Status
  /**
   * The newest period of which baselines see a value; also null outside the grid, and if the target has not matured.
   */
  readonly seen: PeriodPosition | null
  /**
   * The forecast of persistence, if any, and the outcome. Null unless the status is `scored`, or the only fault is that
   * the forecast was committed too late.
   */
  readonly p0: number | null
  readonly p1: number | null
  /** Predicted value and quantiles, as recorded. */
  readonly forecast: number | null
  readonly levels: readonly string[]
  readonly quantiles: readonly (number | null)[]
  /** The vintage the forecast recorded as its input. */
  readonly vintageId: string | null
  readonly vintageSha256: string | null
  /** As the second reading has it; absent where that is the same. */
  readonly second?: PairedAttempt | undefined
}

/** How many attempts ended in each status; they add up to `expected`. */
export interface Counts extends Readonly<Record<Status, number>> {
  readonly expected: number
}

export interface CountsWithRates extends Counts {
  /** Each count divided by `expected`; null if nothing was expected. */
  readonly rates: Readonly<Record<Status, number>> | null
}

/** The counts of a pairing. Every table adds up to the grid. */
export interface PairingSummary {
  readonly window: {
    readonly from: string
    readonly to: string
    readonly origins: number
    readonly as_of: string
  }
  readonly mode: EvaluationMode
  readonly total: CountsWithRates
  readonly models: Readonly<Record<string, CountsWithRates>>
  readonly horizons: Readonly<Record<string, CountsWithRates>>
  /** By model, then horizon. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, CountsWithRates>>>>
  readonly series: Readonly<Record<string, CountsWithRates>>
  /** By stratum, then level. */
  readonly strata: Readonly<Record<string, Readonly<Record<string, CountsWithRates>>>>
  /** Attempts of the grid per reason; reasons that did not occur are absent. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>
  /** The same attempts by the status of their interval. */
  readonly interval: CountsWithRates
  /** Rows outside the grid, counted separately. */
  readonly outside: {
    readonly count: number
    readonly reasons: Readonly<Partial<Record<Reason, number>>>
  }
}
