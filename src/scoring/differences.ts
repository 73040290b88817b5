import { KEY } from './shared-keys.js'
import { CompensatedSum } from './sum.js'

/**
 * Candidate minus comparator, origin by origin, in the unit of the measure; NaN where the key does
 * not count or either has no value there.
 */
export function differencesOf(
  candidate: Float64Array,
  comparator: Float64Array,
  keys: Uint8Array,
): Float64Array {
  const differences = new Float64Array(candidate.length).fill(Number.NaN)
  for (let index = 0; index < differences.length; index++) {
    if (keys[index] !== KEY.shared) continue
    differences[index] = (candidate[index] as number) - (comparator[index] as number)
  }
  return differences
}

/** The comparator's side of a comparison. */
export interface ComparatorSide {
  /** Its mean over the pairs of the comparison; what a difference is relative to. */
  readonly mean: number | null
  /**
   * Origins at which the comparator has a value, whatever the candidate did there. For the direction
   * these are the origins at which it said up or down at all.
   */
  readonly values: number
}

/** @param members 1 where the origin belongs to the stratum level; absent for all origins. */
export function comparatorSide(
  comparator: Float64Array,
  differences: Float64Array,
  members?: Uint8Array,
): ComparatorSide {
  const sum = new CompensatedSum()
  let pairs = 0
  let values = 0
  for (let index = 0; index < comparator.length; index++) {
    const value = comparator[index] as number
    if (Number.isNaN(value) || (members !== undefined && members[index] !== 1)) continue
    values++
    // A difference exists only on the keys that count.
    if (Number.isNaN(differences[index] as number)) continue
    pairs++
    sum.add(value)
  }
  return { mean: pairs === 0 ? null : sum.value / pairs, values }
}
