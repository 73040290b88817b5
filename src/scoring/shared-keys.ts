import type { Result } from '../contract/types.js'
import type { Estimand, ScoredPairs } from './types.js'

/** Whether a key counts in a comparison of two models, and if not, what it was lost to. */
export const KEY = {
  shared: 0,
  candidateNotScored: 1,
  comparatorNotScored: 2,
  neitherScored: 3,
  vintageMismatch: 4,
} as const

/** What became of the expected keys of a cell; the losses and `shared` add up to `expected`. */
export type KeyCounts = Pick<Result['shared_keys'][number], 'expected' | 'shared' | 'lost'>

/**
 * One code of KEY for every origin. A key counts when both models are scored there and, where both
 * recorded the vintage of their input, it is the same one.
 */
export function keysOf(
  candidate: ScoredPairs,
  comparator: ScoredPairs,
  estimand: Estimand,
): Uint8Array {
  const ours = estimand === 'point' ? candidate.forecast : candidate.q10
  const theirs = estimand === 'point' ? comparator.forecast : comparator.q10
  const codes = new Uint8Array(ours.length)
  for (let index = 0; index < codes.length; index++) {
    const without = Number.isNaN(ours[index])
    if (Number.isNaN(theirs[index])) {
      codes[index] = without ? KEY.neitherScored : KEY.comparatorNotScored
    } else if (without) {
      codes[index] = KEY.candidateNotScored
    } else {
      const made = candidate.vintage[index] as number
      const other = comparator.vintage[index] as number
      codes[index] = made === other || made === 0 || other === 0 ? KEY.shared : KEY.vintageMismatch
    }
  }
  return codes
}

/** How many origins have an outcome, of all or of those of one stratum level. */
export function countOutcomes(outcomes: Uint8Array, members?: Uint8Array): number {
  return outcomes.reduce((sum, there, index) => sum + (members?.[index] === 0 ? 0 : there), 0)
}

/** Counts the codes of all origins, or of those of one stratum level. */
export function countKeys(codes: Uint8Array, members?: Uint8Array): KeyCounts {
  const counts = [0, 0, 0, 0, 0]
  let expected = 0
  for (let index = 0; index < codes.length; index++) {
    if (members !== undefined && members[index] !== 1) continue
    expected++
    counts[codes[index] as number]!++
  }
  return {
    expected,
    shared: counts[KEY.shared]!,
    lost: {
      candidate_not_scored: counts[KEY.candidateNotScored]!,
      comparator_not_scored: counts[KEY.comparatorNotScored]!,
      neither_scored: counts[KEY.neitherScored]!,
      vintage_mismatch: counts[KEY.vintageMismatch]!,
    },
  }
}
