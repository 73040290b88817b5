import type { SharedKeys } from './result/types.js'

/**
 * Of the origins at which the comparator of a cell is scored, those without a pair. A forecast from
 * another vintage is no pair either, and it is the candidate that names its vintage.
 */
export function leftOutOf({ shared, lost }: Pick<SharedKeys, 'shared' | 'lost'>) {
  const notScored = lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored, origins: shared + notScored }
}
