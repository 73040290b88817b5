/** Share of its origins at which a cell needs an outcome to be part of a mean that is tested. */
const LEAST_WITH_OUTCOME = 0.9

/** What is known of a cell before any forecast is looked at. */
export interface CellOutcomes {
  /** Origins out of which it needs outcomes: those of the window for a mean of several horizons, or those that have its step. */
  readonly origins: number
  readonly withOutcome: number
}

/**
 * Whether a cell is part of the means that are tested: most of its origins have an outcome, and as many pairs can be
 * expected as are needed. What candidates left out plays no part, so that none can take a cell out.
 */
export function isInTest({ origins, withOutcome }: CellOutcomes, minimumPairs: number): boolean {
  return withOutcome >= LEAST_WITH_OUTCOME * origins && withOutcome >= Math.max(1, minimumPairs)
}
