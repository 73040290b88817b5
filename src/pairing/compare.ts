import { ForeproofError } from '../contract/error.js'
import type { PairedAttempt } from './types.js'

/** Why a key does not count in a comparison of two models; the first that applies. */
export const LOSS_CAUSES = [
  'neither_scored',
  'candidate_not_scored',
  'comparator_not_scored',
  'vintage_differs',
] as const
export type LossCause = (typeof LOSS_CAUSES)[number]

export type Estimand = 'point' | 'interval'

/** What a comparison needs to know of an attempt. */
export type Comparable = Pick<
  PairedAttempt,
  'origin' | 'horizon' | 'status' | 'intervalStatus' | 'vintageId' | 'vintageSha256'
>

/**
 * Whether one key counts in a comparison: both attempts are scored and, where both record the
 * vintage they were made from, it is the same one. Undefined means that it counts.
 * @throws {ForeproofError} `bug` when the two are not of one key.
 */
export function lossCause(
  candidate: Comparable,
  comparator: Comparable,
  estimand: Estimand = 'point',
): LossCause | undefined {
  if (candidate.origin !== comparator.origin || candidate.horizon !== comparator.horizon) {
    throw new ForeproofError('bug', 'attempts of different keys were compared')
  }
  const status = estimand === 'point' ? 'status' : 'intervalStatus'
  const ours = candidate[status] === 'scored'
  const theirs = comparator[status] === 'scored'
  if (!ours) return theirs ? 'candidate_not_scored' : 'neither_scored'
  if (!theirs) return 'comparator_not_scored'
  return sameVintage(candidate, comparator) ? undefined : 'vintage_differs'
}

/** Name and digest must both be equal; a row that records neither cannot contradict. */
function sameVintage(a: Comparable, b: Comparable): boolean {
  const silent = (one: Comparable) => one.vintageId === null && one.vintageSha256 === null
  if (silent(a) || silent(b)) return true
  return a.vintageId === b.vintageId && a.vintageSha256 === b.vintageSha256
}

export interface ComparisonCounts {
  /** Keys given. */
  readonly keys: number
  /** Keys that count. */
  readonly counted: number
  /** Keys lost, by cause; with `counted` they add up to `keys`. */
  readonly lost: Readonly<Record<LossCause, number>>
}

/** Counts the keys of a comparison, and those lost to each cause. */
export function countComparison(
  pairs: Iterable<readonly [candidate: Comparable, comparator: Comparable]>,
  estimand: Estimand = 'point',
): ComparisonCounts {
  const lost = {
    neither_scored: 0,
    candidate_not_scored: 0,
    comparator_not_scored: 0,
    vintage_differs: 0,
  }
  let keys = 0
  let counted = 0
  for (const [candidate, comparator] of pairs) {
    keys++
    const cause = lossCause(candidate, comparator, estimand)
    if (cause === undefined) counted++
    else lost[cause]++
  }
  return { keys, counted, lost }
}
