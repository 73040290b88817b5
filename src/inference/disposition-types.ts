import type { Result } from '../contract/types.js'
import type { JudgedTest } from './types.js'

/** What may be said of a candidate, as a result records it: every reason that applies, the ones behind the disposition first. */
export type DispositionResult = Omit<Result['dispositions'][number], 'candidate'>
export type Disposition = DispositionResult['disposition']
/** Figures of losses are shares of the comparator's loss, by which they are judged. */
export type DispositionReason = DispositionResult['reasons'][number]

/** What went wrong or did not happen, out of how many expected attempts. */
export interface FailureCount {
  readonly failures: number
  readonly expected: number
}

/** What was left out of the origins with an outcome at one horizon, over all of them or in one level. */
export interface AvailabilityCell {
  readonly horizon: number
  /** `volatility: high`; null for all origins. */
  readonly level: string | null
  /** Origins with an outcome, without those that the comparator alone left out. */
  readonly origins: number
  /** Of these, the origins at which nothing of the candidate can be compared, whatever the reason. */
  readonly notScored: number
  /** The same of the comparator, of all origins with an outcome; only of one that comes from the history. */
  readonly comparator?: { readonly origins: number; readonly notScored: number } | undefined
}

/** The deciding tests of a candidate against one required comparator, over all origins. */
export interface Comparison {
  readonly comparator: string
  readonly candidateFailures: FailureCount
  readonly comparatorFailures: FailureCount
  readonly availability: readonly AvailabilityCell[]
  readonly overall: {
    readonly test: JudgedTest
    /** The comparator's overall loss on the same pairs; null when there is none. */
    readonly comparatorLoss: number | null
  }
  readonly horizons: readonly {
    readonly horizon: number
    readonly point: { readonly test: JudgedTest; readonly comparatorLoss: number | null }
    /** Null where the comparator says up or down too rarely for a test: nothing can be lost to it. */
    readonly direction: JudgedTest | null
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
  /**
   * Largest tolerated shares that are not scored, of all origins and of those of one level; absent
   * where a registration was made before there were any: failures are compared then.
   */
  readonly availabilityLimits?: { readonly all: number; readonly level: number } | undefined
  readonly controlsPassed: boolean
  /** Names of broken links of the evidence chain; empty when it holds. */
  readonly evidenceFaults: readonly string[]
}
