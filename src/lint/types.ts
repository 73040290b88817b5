import type { InferenceMethod } from '../contract/types.js'
import type { ProtocolDesign } from '../registration/settings.js'

/** The figures of a design that lint goes by; any protocol gives them. */
export interface DesignFigures extends ProtocolDesign {
  /** That of the registration or, before there is one, the one that the protocol names. */
  readonly method: InferenceMethod['method']
  /** The smallest two-sided p-value that the replicates can give; the cosine test has none. */
  readonly smallestP: number
  /** The largest family in which Holm can reject anything at all; 0 when not even one test. */
  readonly largestFamily: number
  readonly longestHorizon: number
}

/** What only a registration knows. */
export interface RegisteredDesign {
  readonly familySize: number
  /** Hourly origins of the window, first and last included. */
  readonly windowOrigins: number
  /** Absent where the percentile bootstrap is registered. */
  readonly ewc?: { readonly decidingSize: number; readonly decidingWeight: number } | undefined
}
