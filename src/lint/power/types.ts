import type { StratumDefinition } from '../../contract/types.js'
import type { Memory } from '../../inference/ewc.js'
import type { ComparisonTest } from '../../inference/family-series.js'

/** A registered test with its share of alpha. */
export interface WeighedTest extends ComparisonTest {
  readonly decides: boolean
  /** All weights of the family add up to 1. */
  readonly weight: number
  readonly memory: Memory
}

/** What of a plan and its protocol says how well it can find something. */
export interface PlannedDesign {
  readonly tests: readonly WeighedTest[]
  readonly horizons: readonly number[]
  readonly strata: readonly StratumDefinition[]
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
  readonly alpha: number
  /** Hours. */
  readonly blockLength: number
  /** Hourly origins of the window. */
  readonly origins: number
  readonly minimumPairs: number
  readonly minimumBlocks: number
}

/** How a candidate's errors go with those of the comparator. */
export interface Resemblance {
  /** Correlation of the two errors, in [0, 1). */
  readonly correlation: number
  /** The candidate whose past it was estimated from; null where it is assumed. */
  readonly candidate: string | null
  /** Pairs behind the estimate; null where it is assumed. */
  readonly pairs: number | null
}

/** The overall test of one candidate against one comparator, in a window of a given length. */
export interface Rung {
  readonly origins: number
  readonly blocks: number
  readonly degrees: number
  /** What |t| has to exceed in the first step of Holm's ladder. */
  readonly needed: number
  /** The level that t stands for. */
  readonly level: number
}
