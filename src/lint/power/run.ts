import { ForeproofError } from '../../contract/error.js'
import { type ComparatorErrors, computeComparatorErrors, type PastCloses } from './comparator.js'
import type { Resemblance } from './design.js'
import type { PlannedPower } from './planned-design.js'
import { seededRandom } from './random.js'
import { type MadeCandidates, Surrogates } from './surrogate.js'

/** Assumed correlations of errors: loosely alike, alike, nearly the same. */
export const ASSUMED: readonly Resemblance[] = [0.8, 0.9, 0.95].map((correlation) => ({
  correlation,
  candidate: null,
  pairs: null,
}))

/** The comparators of a plan before its window, and the one that is hardest to beat. */
export interface PastComparators {
  readonly all: readonly ComparatorErrors[]
  readonly reference: ComparatorErrors
}

/**
 * Computes the built-in comparators over the closes before the window. A candidate that beats the one with the smallest
 * loss beats all.
 */
export function computePastComparators(
  closes: PastCloses,
  { builtIns, design }: PlannedPower,
  pool: readonly string[],
): PastComparators {
  const all = computeComparatorErrors(closes, builtIns, design.horizons, pool)
  const reference = all.reduce((best, each) => (each.loss < best.loss ? each : best))
  if (!(reference.loss > 0)) {
    throw new ForeproofError('invalid-input', 'the closes before the window do not vary')
  }
  return { all, reference }
}

export function createCandidates(
  { reference, all }: PastComparators,
  estimated: readonly Resemblance[],
  seed: number,
): MadeCandidates {
  const resemblances = [...ASSUMED, ...estimated]
  const surrogates = new Surrogates(reference)
  const correlations = resemblances.map(({ correlation }) => correlation)
  const laws = surrogates.laws(correlations, seededRandom(`${seed}/law`))
  return { resemblances, surrogates, laws, comparators: all }
}
