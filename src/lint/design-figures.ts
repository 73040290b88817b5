import type { RulesData } from '../contract/types.js'
import type { EwcDesign } from '../inference/ewc-judge.js'

/** The figures of a design that lint checks, for any protocol. */
export interface DesignFigures
  extends Pick<EwcDesign, 'blockLength' | 'minimumBlocks' | 'minimumPairs' | 'alpha'> {
  readonly method: RulesData['test']['method']
  readonly replicates: number
  /** The smallest two-sided p-value that the replicates can give; the cosine test has none. */
  readonly smallestP: number
  /** The largest family in which Holm can reject anything; 0 if not even one test can. */
  readonly largestFamily: number
  readonly longestHorizon: number
}

/** Figures that need a registration. */
export interface RegisteredDesign {
  readonly familySize: number
  /** Hourly origins of the window, first and last included. */
  readonly windowOrigins: number
  /** Absent if the percentile bootstrap is registered. */
  readonly ewc?: { readonly decidingSize: number; readonly decidingWeight: number } | undefined
}
