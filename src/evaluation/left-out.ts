import type { SharedKeys } from './result/types.js'

/** What was left out, and of how many origins. */
export interface LeftOutCount {
  readonly notScored: number
  readonly origins: number
}

/**
 * What a candidate left out in a cell: the origins with an outcome at which it has no pair, out of
 * these and its pairs. Where the comparator is silent too it counts as well, or a comparator that
 * speaks only where the candidate does would hide its silence; where the comparator alone is silent,
 * nobody can ask for a pair. A forecast from another vintage is no pair, and it is the candidate that names its
 * vintage.
 *
 * A result of a registration without an availability limit does not count outcomes: there, out of the
 * origins at which the comparator is scored.
 */
export function leftOutOf({ shared, lost, with_outcome: outcomes }: Counts): LeftOutCount {
  const notScored =
    outcomes === undefined
      ? lost.candidate_not_scored + lost.vintage_mismatch
      : outcomes - shared - lost.comparator_not_scored
  return { notScored, origins: shared + notScored }
}

/** What the comparator of a cell left out, of all origins with an outcome; undefined where they were not counted. */
export function comparatorLeftOut({
  shared,
  lost,
  with_outcome: outcomes,
}: Counts): LeftOutCount | undefined {
  if (outcomes === undefined) return undefined
  const scored = shared + lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored: outcomes - scored, origins: outcomes }
}

type Counts = Pick<SharedKeys, 'shared' | 'lost' | 'with_outcome'>
