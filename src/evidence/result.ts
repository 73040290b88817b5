import type { Disposition, ReasonCode } from '../inference/disposition-types.js'
import type { Status } from '../pairing/types.js'

/**
 * What one scoring run found, and from what: the content of result.json. Losses and differences
 * are log returns (0.01 is about one per cent); shares lie between 0 and 1; null stands where there
 * is nothing to say, never for zero. Times are RFC 3339 in UTC.
 */

export type Stratum = 'all' | { readonly name: string; readonly level: string }
/** Hours ahead, or the unweighted mean of the protocol's horizons. */
export type Horizon = number | 'overall'

export type Measure =
  | 'point_loss'
  | 'direction_error'
  | 'interval_score'
  | 'pinball_0.1'
  | 'pinball_0.5'
  | 'pinball_0.9'
  | 'coverage'

export type Mode = 'prospective' | 'retrospective'

/** Which package made this: its version and a digest of its code that is alike on every machine. */
export interface CodeVersion {
  readonly name: string
  readonly version: string
  readonly sha256: string
}

/** What the run read. Every digest is SHA-256 in lowercase hex. */
export interface ResultInputs {
  readonly protocol: {
    readonly version: string
    readonly sha256: string
    /** The ledger line that froze it; null where no ledger was kept. */
    readonly ledger_entry_sha256: string | null
  }
  readonly registration: {
    readonly name: string
    readonly sha256: string
    readonly registered_at: string
    readonly family_sha256: string
    readonly ledger_entry_sha256: string | null
  }
  /** Of the rows read for the window, in canonical form and reading order, not of the file. */
  readonly history: { readonly sha256: string; readonly rows: number }
  readonly vintage: {
    readonly id: string
    readonly sha256: string
    readonly source: string
    readonly first: string
    readonly last: string
    readonly closes: number
  }
  readonly pairs: { readonly sha256: string; readonly rows: number }
}

export interface ResultModel {
  readonly name: string
  readonly role: 'candidate' | 'comparator'
  readonly source: 'history' | 'built_in'
  /** The names under which the protocol requires it as a comparator. */
  readonly required_as: readonly string[]
}

export interface ResultSettings {
  readonly horizons_hours: readonly number[]
  readonly from: string
  readonly to: string
  readonly as_of: string
  /** Hourly origins from the first to the last of the window, both included. */
  readonly origins: number
  readonly block_length_origins: number
  /** Whole blocks that fit into the window without overlap. */
  readonly blocks_in_window: number
  readonly replicates: number
  readonly seed: number
  readonly alpha: number
  readonly minimum_pairs: number
  readonly minimum_blocks: number
  readonly practical_effect_floor: number
  readonly regression_limit: number
  readonly direction_limit: number
  readonly direction_epsilon: number
  readonly interval_level: number
  readonly provenance_required: boolean
}

/** How the expected attempts of one cell ended; the five counts add up to `expected`. */
export interface Accounting {
  readonly model: string
  readonly horizon: number | 'all'
  readonly stratum: Stratum
  readonly expected: number
  readonly point: Readonly<Record<Status, number>>
  readonly interval: Readonly<Record<Status, number>>
  /** Point reasons other than `scored`, with their counts; they add up to expected - scored. */
  readonly reasons: Readonly<Record<string, number>>
}

/** An equal-tailed percentile interval of the bootstrap. */
export interface Bounds {
  readonly lower: number
  readonly upper: number
}

/** The scores of one model in one cell; means over its own scored pairs. */
export interface ModelMeasures {
  readonly model: string
  readonly horizon: Horizon
  readonly stratum: Stratum
  readonly pairs: number
  readonly point_loss: number | null
  /** At the level 1 - alpha, of the model's own loss; given over all origins only. */
  readonly point_loss_bounds: Bounds | null
  readonly absolute_percent_error: number | null
  readonly log_return_bias: number | null
  readonly percent_bias: number | null
  readonly direction: {
    readonly eligible: number
    readonly accuracy: number | null
    readonly error_rate: number | null
  }
  readonly interval: {
    readonly pairs: number
    readonly score: number | null
    readonly pinball: {
      readonly '0.1': number | null
      readonly '0.5': number | null
      readonly '0.9': number | null
    }
    readonly coverage: number | null
    readonly coverage_bounds: Bounds | null
    /** Coverage minus the nominal level. */
    readonly coverage_difference: number | null
    /** Mean of upper minus lower bound, in log returns. */
    readonly width: number | null
    /** Mean of 100 (e^upper - e^lower): per cent of the price at the origin. */
    readonly width_percent: number | null
  }
}

/** The keys two models share in one cell, and what became of the others. */
export interface SharedKeys {
  readonly candidate: string
  readonly comparator: string
  readonly horizon: number
  readonly stratum: Stratum
  readonly expected: number
  readonly shared: number
  readonly lost: {
    readonly candidate_not_scored: number
    readonly comparator_not_scored: number
    readonly neither_scored: number
    readonly vintage_mismatch: number
  }
}

/** One test of the registered family, and its rung on the Holm ladder. */
export interface TestResult {
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  readonly measure: Measure
  readonly horizon: Horizon
  readonly stratum: Stratum
  /** True for the tests on which the disposition is decided. */
  readonly decides: boolean
  readonly pairs: number
  readonly effective_blocks: number
  /** Mean of candidate minus comparator; negative favours the candidate except for coverage. */
  readonly observed: number | null
  /** The comparator's mean over the shared keys, which turns `observed` into a share. */
  readonly comparator_mean: number | null
  readonly bounds: Bounds | null
  /** Standard deviation of the replicates. */
  readonly standard_error: number | null
  readonly p: number | null
  /** Tests with equal p share a rank, and so a multiplier. */
  readonly rank: number | null
  readonly multiplier: number | null
  readonly p_adjusted: number | null
  /** Percentile bounds at the level of this test's rung. */
  readonly bounds_adjusted: Bounds | null
  readonly decision: 'rejected' | 'not_rejected' | 'blocked'
  /** Every reason that applies; empty unless blocked. */
  readonly blocked_reasons: readonly string[]
}

export interface ControlResult {
  readonly name: string
  readonly kind: 'copy' | 'shift'
  /** What every replicate must equal, and the extremes of what they were. */
  readonly expected: number
  readonly least: number | null
  readonly greatest: number | null
  readonly passed: boolean
}

/** One reason, as data; its sentence is made by the report. What does not apply is null. */
export interface DispositionReason {
  readonly code: ReasonCode
  /** What this reason by itself leads to. */
  readonly leads_to: Disposition
  readonly comparator: string | null
  readonly horizon: Horizon | null
  readonly measure: 'point_loss' | 'direction_error' | null
  /** The registered name of the test. */
  readonly test: string | null
  readonly found: number | null
  readonly limit: number | null
  readonly details: readonly string[]
}

export interface CandidateDisposition {
  readonly candidate: string
  readonly disposition: Disposition
  readonly reasons: readonly DispositionReason[]
}

export interface Result {
  readonly result_version: 1
  /** Of the canonical form of this document without this member. */
  readonly result_sha256: string
  readonly code: CodeVersion
  readonly mode: Mode
  /** True when outcomes had been read under this registration before. */
  readonly exploratory: boolean
  readonly earlier_readings: number
  readonly inputs: ResultInputs
  readonly settings: ResultSettings
  readonly models: readonly ResultModel[]
  readonly strata: readonly {
    readonly name: string
    readonly levels: readonly { readonly level: string; readonly origins: number }[]
  }[]
  readonly accounting: readonly Accounting[]
  /** Rows of the history that belong to no expected attempt, by reason. */
  readonly outside_grid: Readonly<Record<string, number>>
  readonly measures: readonly ModelMeasures[]
  readonly shared_keys: readonly SharedKeys[]
  readonly family: {
    readonly size: number
    readonly sha256: string
    readonly rejected: number
    readonly blocked: number
  }
  readonly tests: readonly TestResult[]
  readonly controls: readonly ControlResult[]
  readonly dispositions: readonly CandidateDisposition[]
}
