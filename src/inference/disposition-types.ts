import type { TestResult } from './types.js'

export type Disposition = 'blocked' | 'eligible_for_human_review' | 'negative' | 'inconclusive'

/** What went wrong or did not happen, out of how many expected attempts. */
export interface FailureCount {
  readonly failures: number
  readonly expected: number
}

/** The deciding tests of a candidate against one required comparator, over all origins. */
export interface Comparison {
  readonly comparator: string
  readonly candidateFailures: FailureCount
  readonly comparatorFailures: FailureCount
  readonly overall: {
    readonly test: TestResult
    /** The comparator's overall loss on the same pairs; null when there is none. */
    readonly comparatorLoss: number | null
  }
  readonly horizons: readonly {
    readonly horizon: number
    readonly point: { readonly test: TestResult; readonly comparatorLoss: number | null }
    /** Null where the comparator says up or down too rarely for a test: nothing can be lost to it. */
    readonly direction: TestResult | null
  }[]
}

export interface DispositionInput {
  readonly mode: 'prospective' | 'retrospective'
  /** Every comparator the protocol requires; one without a comparison blocks. */
  readonly required: readonly string[]
  /** Every horizon of the protocol, hours; one without its tests blocks. */
  readonly horizons: readonly number[]
  /** Comparisons with models that are not required decide nothing. */
  readonly comparisons: readonly Comparison[]
  /** Least relative reduction of the overall loss that matters in practice. */
  readonly practicalFloor: number
  /** Largest tolerated relative increase of a horizon's point loss. */
  readonly regressionLimit: number
  /** Largest tolerated increase of the direction error rate, absolute. */
  readonly directionLimit: number
  readonly controlsPassed: boolean
  /** Names of broken links of the evidence chain; empty when it holds. */
  readonly evidenceFaults: readonly string[]
}

export type ReasonCode =
  | 'evidence_chain_broken'
  | 'control_failed'
  | 'comparison_missing'
  | 'failure_rate_above_comparator'
  | 'deciding_test_blocked'
  | 'significantly_worse'
  | 'regression_limit_exceeded'
  | 'direction_limit_exceeded'
  | 'practical_floor_not_reached'
  | 'not_significant'
  | 'regression_not_excluded'
  | 'direction_loss_not_excluded'
  | 'direction_not_comparable'
  | 'retrospective'
  | 'improvement_established'

/** One reason, as data: the figure found and the figure it was held against. */
export interface DispositionReason {
  readonly code: ReasonCode
  /** What this reason by itself leads to. */
  readonly leadsTo: Disposition
  readonly comparator?: string
  /** Hours, or the overall loss. */
  readonly horizon?: number | 'overall'
  readonly measure?: 'point_loss' | 'direction_error'
  /** The registered name of the test. */
  readonly test?: string
  readonly found?: number
  readonly limit?: number
  /** Names of what stood in the way: links of the chain, reasons of a blocked test. */
  readonly details?: readonly string[]
}

export interface DispositionResult {
  readonly disposition: Disposition
  /** All that apply, the ones behind the disposition first. */
  readonly reasons: readonly DispositionReason[]
}
