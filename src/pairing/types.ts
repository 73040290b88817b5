import type { Instant } from '../contract/instant.js'
import { PAIRING_STATUSES } from '../contract/limits.js'
import type { PairingRow } from '../forecast/row.js'
import type { GridCell, PeriodPosition, WindowOrigins } from './grid.js'

/** How an expected attempt ended. */
export const STATUSES = PAIRING_STATUSES
export type Status = (typeof STATUSES)[number]
/** All that is expected and was not scored. */
export const UNSCORED = STATUSES.filter((status) => status !== 'scored')

/** Reasons, each with its status, in the order in which they are tried: the first that applies is given. */
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

/** Reasons of a forecast that counts in a second reading, where one is registered. */
const LATE: readonly Reason[] = ['not_committed', 'committed_late']
export const isLate = (reason: Reason): boolean => LATE.includes(reason)

export type EvaluationMode = 'prospective' | 'backtest'

/** A partition of the origins: each origin of the window is in one level. */
export interface Stratum {
  readonly name: string
  readonly levels: readonly string[]
  /** The level of an origin; undefined where the partition does not say, which is counted apart. */
  levelOf(origin: PeriodPosition): string | undefined
}

/** All origins, or those of one level of a stratum. */
export type StratumLevel = 'all' | { readonly name: string; readonly level: string }

/** What an append-only log shows of the forecasts of a history. */
export interface CommitmentLookup {
  /**
   * From when on a stamped checkpoint held the forecast of a key; `withdrawn` where the log holds one that
   * the history does not; undefined where no stamped checkpoint holds any.
   */
  committed(origin: PeriodPosition, cell: CellKey, model: string): Instant | 'withdrawn' | undefined
}

/** A cell as rows name it; it need not be of the plan. */
export type CellKey = Pick<GridCell, 'series' | 'horizon'>

/** One cell of one origin: what all models share. */
export interface Target {
  /** NaN where origin and horizon give none. */
  readonly position: PeriodPosition
  /** As rows state it, to compare without reading it again; null where rows state none. */
  readonly text: string | null
  /** The value that counts; undefined where there is none. */
  readonly outcome: number | undefined
  /** Whether the outcome can be known at the as-of. */
  readonly matured: boolean
  /** When its period is over; NaN where there is none. */
  readonly end: Instant
  /** Until when a forecast may be made. */
  readonly latest: Instant
}

/** What baselines see of a series when the forecasts of an origin are due. */
export interface Seen {
  /** The newest period that has a value; null where none has. */
  readonly seen: PeriodPosition | null
  /** What persistence says, for the direction of forecast and outcome; null where it says nothing. */
  readonly base: number | null
}

/** What protocols settle in their own ways. */
export interface PairingRules {
  /** NaN for a text that names no origin. */
  position(text: string): PeriodPosition
  label(position: PeriodPosition): string
  target(origin: PeriodPosition, cell: CellKey): Target
  /** @param origin - of the plan, in ascending order within a series. */
  seen(origin: PeriodPosition, series: string): Seen
  /** Whether a cell is asked of an origin of the plan. */
  hasCell(origin: PeriodPosition, cell: CellKey): boolean
  /** What a forecast may know has to be public by then, and the registration made. */
  due(origin: PeriodPosition): Instant
  /** Why the values of a forecast cannot be scored; undefined where they can. */
  fault(row: Pick<PairingRow, 'forecast' | 'quantiles' | 'sourcePrice'>): Reason | undefined
  /** How the interval ended, by how the point did. */
  interval(row: Pick<PairingRow, 'quantiles' | 'level'>, point: Status): Status
}

/** What is expected, models × origins × cells, and how it is judged. */
export interface PairingPlan {
  /** First and last position of the window, both included: rows of others are passed over. */
  readonly from: PeriodPosition
  readonly to: PeriodPosition
  readonly origins: WindowOrigins
  /** By series, by code point, then by horizon. */
  readonly cells: readonly GridCell[]
  /** By code point. */
  readonly models: readonly string[]
  readonly rules: PairingRules
  /** Targets after this instant have not matured. */
  readonly asOf: Instant
  readonly mode: EvaluationMode
  /** Needed in prospective mode: origins before it do not count. */
  readonly registeredAt?: Instant
  /** In prospective mode, where forecasts have to be committed in time: by what they were. */
  readonly commitment?: CommitmentLookup
  /** Whether forecasts count that were committed late or not at all: for a second reading. */
  readonly lateCounts?: boolean
  readonly provenanceRequired: boolean
  /** Whether a verdict hypothesis is registered: a result then lists attempts without an outcome apart. */
  readonly forVerdict?: boolean
  /** Models computed from the vintage itself: their provenance is known without being recorded. */
  readonly builtIn?: ReadonlySet<string>
  readonly strata?: readonly Stratum[]
}

/** One attempt with its verdict. */
export interface PairedAttempt {
  /** Null only beside the grid, where the stored origin is no timestamp. */
  readonly origin: PeriodPosition | null
  /** The origin as stored, where it could not be read; otherwise absent. */
  readonly originText?: string
  readonly target: PeriodPosition | null
  readonly series: string
  readonly horizon: number
  /** Of the plan; undefined where no cell of it is meant. */
  readonly cell: number | undefined
  readonly model: string
  /** True for a key of the grid; false for a row listed beside it. */
  readonly expected: boolean
  readonly status: Status
  readonly reason: Reason
  readonly intervalStatus: Status
  /** The newest period of which baselines see a value; null too beside the grid, and where the target has not matured. */
  readonly seen: PeriodPosition | null
  /**
   * What persistence says, where it says something, and the outcome. Null unless the status is `scored`, or the forecast
   * would be scored if it were not committed too late.
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
}

/** How many attempts ended in each status; they add up to `expected`. */
export interface Counts extends Readonly<Record<Status, number>> {
  readonly expected: number
}

export interface CountsWithRates extends Counts {
  /** Each count divided by `expected`; null when nothing was expected. */
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
  /** Rows beside the grid, counted apart from it. */
  readonly outside: {
    readonly count: number
    readonly reasons: Readonly<Partial<Record<Reason, number>>>
  }
}
