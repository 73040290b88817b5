/**
 * The window of an evaluation as the inference sees it: hourly origins in time order, numbered from
 * 0 to `origins - 1`, with an entry for every hour whether or not a forecast was paired there.
 */
export interface Series {
  /**
   * Candidate minus comparator at each origin, in the unit of the measure; NaN where there is no
   * pair. Length `origins`. Read only, and never copied per stratum: see `members`.
   */
  readonly values: Float64Array
  /** 1 where the origin belongs to the stratum, else 0; absent when every origin counts. */
  readonly members?: Uint8Array
  /** 1 where a value stands for a missing outcome: part of the mean, and no pair; absent where none does. */
  readonly filled?: Uint8Array
}

/** One named test of the registered family. */
export interface FamilyTest {
  /** Unique within the family; the name used in the registration. */
  readonly name: string
  /**
   * One series, or several (the four horizons of the overall loss), whose statistics are averaged
   * without weights inside each replicate. A test that cannot be had is given all-NaN series: it
   * stays in the family and comes out blocked.
   */
  readonly components: readonly Series[]
}

/** The frozen figures that decide how the family is tested. */
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
  /** Least number of pairs a test needs in each of its components. */
  readonly minimumPairs: number
  /** Least number of effective blocks a test needs in each of its components. */
  readonly minimumBlocks: number
  /** What is said of a test with several components: its least one, by default, or the origins with a pair in any of them. */
  readonly counted?: 'any'
}

export interface FamilyInput extends InferenceDesign {
  readonly tests: readonly FamilyTest[]
  /** Worker threads; 1 computes in the calling thread. The result never depends on it. */
  readonly workers?: number
  /** About so many bytes of statistics are held at a time; for tests beyond it is drawn again. */
  readonly memory?: number
  readonly onProgress?: (progress: Progress) => void
  /** Aborting rejects with a ForeproofError `interrupted`. */
  readonly signal?: AbortSignal
}

/** How far a run is, in tests times replicates; both are whole numbers. */
export interface Progress {
  readonly completed: number
  readonly total: number
}

/** Why a test has no p-value; it stays in the family nevertheless. */
export type BlockedReason =
  /** A component has no pair at all. */
  | 'no_pairs'
  /** A component has fewer pairs than the protocol's minimum. */
  | 'too_few_pairs'
  /** A component has fewer effective blocks than the protocol's minimum. */
  | 'too_few_blocks'
  /** Its pairs are of fewer than 16 days. */
  | 'too_few_days'
  /** The window is shorter than one block, so nothing can be drawn. */
  | 'window_shorter_than_block'
  /** At least one replicate drew no pair of a component, so its statistic does not exist. */
  | 'empty_replicate'
  /** The differences do not vary and are not all 0: what is left of their variance is rounding. */
  | 'no_variance'
  /** The candidate left out more intervals than the registration allows. */
  | 'withheld'
  /** The comparator loses nothing, and limits are shares of its loss. */
  | 'no_scale'

/** Bounds of a mean difference: `level` is the share left outside, both tails together. */
export interface Bounds {
  readonly level: number
  readonly lower: number
  readonly upper: number
}

/** What the replicates of one test look like. */
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

/** A step of the weighted ladder; `multiplier` is what remained of the weights over its own. */
export interface WeightedStep extends HolmStep {
  readonly weight: number
  /**
   * The level at which bounds answer as the ladder does: where the test was rejected, that of its
   * own step; where not, that of the step at which the ladder stopped.
   */
  readonly level: number
  /** The place of the hypothesis in whose step it is, and which implies it; absent in a step of its own. */
  readonly by?: number
}

/** What the pairs of a test come to, whether or not it is judged. */
export interface TestCounts {
  readonly name: string
  /** Mean difference over all pairs (mean over components); null when a component has no pair. */
  readonly observed: number | null
  /** Pairs; the least of the components, or the origins with a pair in any. */
  readonly pairs: number
  /** Full, non-overlapping blocks that hold at least one pair; of the same. */
  readonly effectiveBlocks: number
  /** Of a deciding test, with verdict hypotheses: they hold for all deciding tests at once, and count what is missing for the candidate. */
  readonly simultaneousBounds?: Bounds
}

/** What a test comes to, by either method. */
export interface Tested extends TestCounts {
  readonly status: 'tested'
  readonly observed: number
  readonly p: number
  /** The side of zero on which the difference lies: `below` speaks for the candidate. */
  readonly side: 'below' | 'above' | 'neither'
  readonly holm: HolmStep
  /** At the plain alpha. */
  readonly bounds: Bounds
}

/** By the percentile bootstrap: the side is that of most replicates. */
export interface TestedTest extends Tested {
  readonly replicates: Replicates
}

/** By the equal-weighted cosine test: the side is that of the estimate. */
export interface EwcTested extends Tested {
  readonly standardError: number
  readonly degreesOfFreedom: number
  readonly holm: WeightedStep
  /** At the level that the ladder leaves to the test. */
  readonly adjustedBounds: Bounds
}

export interface BlockedTest extends TestCounts {
  readonly status: 'blocked'
  /** Every reason that applies; never empty. */
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
