import { PAIRING_STATUSES } from '../contract/limits.js'
import type { PeriodPosition } from './grid.js'

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
