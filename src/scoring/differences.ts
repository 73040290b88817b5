import type { Reading } from '../contract/types.js'
import type { Estimand, ScoredPairs } from './scored-pairs.js'
import { CompensatedSum } from './sum.js'

/**
 * Candidate minus comparator by origin, in the unit of the measure; NaN if the key does not count or either value is
 * missing.
 * @param share - the share of the comparator's loss that counts at each key; default 1.
 */
export function pairDifferences(
  candidate: Float64Array,
  comparator: Float64Array,
  keys: Uint8Array,
  share?: Float64Array,
): Float64Array {
  const differences = new Float64Array(candidate.length).fill(Number.NaN)
  for (let index = 0; index < differences.length; index++) {
    if (keys[index] !== KEY.shared) continue
    const charged = (share?.[index] ?? 1) * (comparator[index] as number)
    differences[index] = (candidate[index] as number) - charged
  }
  return differences
}

/**
 * The comparator's mean over the pairs of a comparison, to which differences are reported; null without a pair.
 * @param members 1 where the origin belongs to the stratum level; absent for all origins.
 */
export function comparatorMean(
  comparator: Float64Array,
  differences: Float64Array,
  members?: Uint8Array,
): number | null {
  const sum = new CompensatedSum()
  let pairs = 0
  for (let index = 0; index < comparator.length; index++) {
    const value = comparator[index] as number
    if (Number.isNaN(value) || (members !== undefined && members[index] !== 1)) continue
    // A difference exists only for keys that count.
    if (Number.isNaN(differences[index] as number)) continue
    pairs++
    sum.add(value)
  }
  return pairs === 0 ? null : sum.value / pairs
}

/** Whether a key counts in a comparison of two models and, if not, why. */
export const KEY = {
  shared: 0,
  candidateNotScored: 1,
  comparatorNotScored: 2,
  neitherScored: 3,
  vintageMismatch: 4,
} as const

/** The counts of the expected keys of a cell by outcome; the losses and `shared` add up to `expected`. */
export type KeyCounts = Pick<Reading['differences'][number], 'expected' | 'shared' | 'lost'>

/**
 * One code of KEY for every origin. A key counts if both models are scored there and, if both recorded the vintage of
 * their input, the vintages are equal.
 */
export function keyCodes(
  candidate: ScoredPairs,
  comparator: ScoredPairs,
  estimand: Estimand,
): Uint8Array {
  const ours = estimand === 'point' ? candidate.forecast : getPoint(candidate)
  const theirs = estimand === 'point' ? comparator.forecast : getPoint(comparator)
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

/** There where the interval is scored, as all its others are. */
const getPoint = ({ quantiles }: Pick<ScoredPairs, 'quantiles'>) => quantiles[0] as Float64Array

/** How many origins have an outcome, of all or of those of one stratum level. */
export function countOutcomes(outcomes: Uint8Array, members?: Uint8Array): number {
  return outcomes.reduce((sum, there, index) => sum + (members?.[index] === 0 ? 0 : there), 0)
}

/** Counts the origins with an outcome at which a model has no scored interval. */
export function countWithheld(
  outcomes: Uint8Array,
  pairs: Pick<ScoredPairs, 'quantiles'>,
  members?: Uint8Array,
): number {
  const quantile = getPoint(pairs)
  return outcomes.reduce(
    (sum, there, index) =>
      sum + (members?.[index] !== 0 && there === 1 && Number.isNaN(quantile[index]) ? 1 : 0),
    0,
  )
}

/** Keys at which a candidate had to call a direction, and those at which it called none. */
export interface UncalledCounts {
  readonly asked: number
  readonly not_called: number
}

/**
 * Counts directions that a candidate does not call, on keys shared by both models where outcome and comparator moved.
 * @param own its direction errors, NaN if it calls none
 * @param charged the same, with the charge for uncalled directions
 */
export function countUncalled(
  codes: Uint8Array,
  own: Float64Array,
  charged: Float64Array,
  comparator: Float64Array,
  members?: Uint8Array,
): UncalledCounts {
  let [asked, notCalled] = [0, 0]
  for (let index = 0; index < codes.length; index++) {
    if (members !== undefined && members[index] !== 1) continue
    if (codes[index] !== KEY.shared || Number.isNaN(comparator[index])) continue
    if (Number.isNaN(charged[index])) continue
    asked++
    if (Number.isNaN(own[index])) notCalled++
  }
  return { asked, not_called: notCalled }
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
