/** Why a test has no p-value; it still stays in the family. */
export type BlockedReason =
  /** A component has no pairs. */
  | 'no_pairs'
  /** A component has fewer pairs than the protocol's minimum. */
  | 'too_few_pairs'
  /** A component has fewer effective blocks than the protocol's minimum. */
  | 'too_few_blocks'
  /** Its pairs cover fewer than 16 days. */
  | 'too_few_days'
  /** The window is shorter than one block, so nothing can be drawn. */
  | 'window_shorter_than_block'
  /** At least one replicate drew no pair of a component, so its statistic does not exist. */
  | 'empty_replicate'
  /** The differences do not vary and are not all 0: their variance is only rounding. */
  | 'no_variance'
  /** The candidate left out more intervals than the registration allows. */
  | 'withheld'
  /** The comparator's loss is 0, and limits are shares of its loss. */
  | 'no_scale'

/** Bounds of a mean difference: `level` is the share left outside, both tails together. */
export interface Bounds {
  readonly level: number
  readonly lower: number
  readonly upper: number
}

/** The distribution of the replicates of one test. */
export interface Replicates {
  readonly mean: number
  /** Standard deviation with divisor R: the bootstrap standard error of the observed value. */
  readonly standardDeviation: number
  readonly atOrBelowZero: number
  readonly atOrAboveZero: number
}

/** A step of Holm's ladder. Tests with equal p share the rank, and so the multiplier. */
export interface HolmStep {
  /** From 1, the smallest p. */
  readonly rank: number
  /** Family size minus rank plus 1: what p is multiplied by. */
  readonly multiplier: number
  readonly adjustedP: number
  readonly rejected: boolean
}

/** A step of the weighted ladder; `multiplier` is the remaining weight divided by its own. */
export interface WeightedStep extends HolmStep {
  readonly weight: number
  /**
   * The level at which bounds agree with the ladder: the level of its own step if the test was rejected, else that of
   * the step at which the ladder stopped.
   */
  readonly level: number
  /**
   * The position of the hypothesis that implies this one and in whose step it was rejected; absent in a step of its
   * own.
   */
  readonly by?: number
}

/** The counts of a test's pairs, whether or not it is judged. */
export interface TestCounts {
  readonly name: string
  /** Mean difference over all pairs (mean over components); null if a component has no pair. */
  readonly observed: number | null
  /** Pairs: the minimum over the components, or the origins with a pair in any. */
  readonly pairs: number
  /** Full, non-overlapping blocks that hold at least one pair, counted in the same way. */
  readonly effectiveBlocks: number
  /**
   * For a deciding test, with verdict hypotheses: bounds that hold for all deciding tests at once, with missing
   * outcomes counted in favour of the candidate.
   */
  readonly simultaneousBounds?: Bounds
}

/** The result of a test by either method. */
export interface Tested extends TestCounts {
  readonly status: 'tested'
  readonly observed: number
  readonly p: number
  /** The side of zero on which the difference lies: `below` favours the candidate. */
  readonly side: 'below' | 'above' | 'neither'
  readonly holm: HolmStep
  /** At the unadjusted alpha. */
  readonly bounds: Bounds
}

/** By the percentile bootstrap: the side of most replicates. */
export interface TestedTest extends Tested {
  readonly replicates: Replicates
}

/** By the equal-weighted cosine test: the side of the estimate. */
export interface EwcTested extends Tested {
  readonly standardError: number
  readonly degreesOfFreedom: number
  readonly holm: WeightedStep
  /** At the level that the ladder leaves to the test. */
  readonly adjustedBounds: Bounds
}

export interface BlockedTest extends TestCounts {
  readonly status: 'blocked'
  /** All reasons that apply; never empty. */
  readonly reasons: readonly BlockedReason[]
}

export type TestResult = TestedTest | BlockedTest
export type EwcResult = EwcTested | BlockedTest
/** By either method. */
export type JudgedTest = TestResult | EwcResult

export interface FamilyResult {
  /** In the order of the input. */
  readonly tests: readonly TestResult[]
}
