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
