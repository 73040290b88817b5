/**
 * The window of an evaluation as the inference sees it: hourly origins in time order, numbered from
 * 0 to `origins - 1`, with an entry for every hour whether or not a forecast was paired there.
 */
export interface Series {
  /**
   * Candidate minus comparator at each origin, in the unit of the measure; NaN without a pair. Length `origins`. Read
   * only, and never copied per stratum: see `members`.
   */
  readonly values: Float64Array
  /** 1 where the origin belongs to the stratum, else 0; absent if every origin counts. */
  readonly members?: Uint8Array
  /**
   * 1 where a value was filled in for a missing outcome: it counts in the mean but is not a pair; absent if none was.
   */
  readonly filled?: Uint8Array
}

/** One named test of the registered family. */
export interface FamilyTest {
  /** Unique within the family; the name used in the registration. */
  readonly name: string
  /**
   * One series, or several (the four horizons of the overall loss), whose statistics are averaged without weights
   * inside each replicate. An unavailable test has all-NaN series: it stays in the family and is blocked.
   */
  readonly components: readonly Series[]
}

/** The frozen settings of the tests of the family. */
export interface InferenceDesign {
  /** N, the hourly origins of the window, gaps included; >= 1. */
  readonly origins: number
  /** L, in origins; >= 1. */
  readonly blockLength: number
  /** R; >= 1. */
  readonly replicates: number
  /** Draws come from `seedrandom(String(seed))`. */
  readonly seed: number
  /** Familywise level, in (0, 0.05]. */
  readonly alpha: number
  /** The minimum of pairs in each component of a test. */
  readonly minimumPairs: number
  /** The minimum of effective blocks in each component of a test. */
  readonly minimumBlocks: number
  /**
   * Which counts to report for a test with several components: by default the minimum over them; `any`: the origins
   * with a pair in any of them.
   */
  readonly counted?: 'any'
}

export interface FamilyInput extends InferenceDesign {
  readonly tests: readonly FamilyTest[]
  /** Worker threads; 1 computes in the calling thread. The result never depends on it. */
  readonly workers?: number
  /** Approximate limit of the bytes of statistics in memory; further tests get draws of their own. */
  readonly memory?: number
  readonly onProgress?: (progress: Progress) => void
  /** Aborting rejects with a ForeproofError `interrupted`. */
  readonly signal?: AbortSignal
}

/** The progress of a run, in tests times replicates; both are whole numbers. */
export interface Progress {
  readonly completed: number
  readonly total: number
}

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
