import { ForeproofError } from '../contract/error.js'
import type { InferenceDesign } from './family-input.js'
import type { MeanSums } from './sums.js'
import type { BlockedReason, TestCounts } from './test-result.js'

/** What is known about a test before it is judged. */
export interface PreparedTest {
  readonly counts: TestCounts
  /** Empty if it has enough pairs. */
  readonly reasons: readonly BlockedReason[]
}

/** A test by the sums of its components. */
export interface TestBySums {
  readonly name: string
  readonly sums: MeanSums
}

/** What decides whether a test can be judged. */
export type PairsNeeded = Pick<InferenceDesign, 'minimumPairs' | 'minimumBlocks' | 'counted'>

/**
 * The figures of a test, and every reason from its pairs not to judge it. Values filled in for missing outcomes count
 * in the mean and in the minima of a component; the reported counts and the degrees of freedom use only pairs.
 */
export function prepareTest({ name, sums }: TestBySums, design: PairsNeeded): PreparedTest {
  const { min, leastPaired } = sums
  const isAny = design.counted === 'any' && sums.components > 1
  const { pairs, effectiveBlocks } = isAny ? sums.anyPaired() : leastPaired
  const reasons: BlockedReason[] = []
  if (min.pairs === 0) reasons.push('no_pairs')
  if (Math.min(min.pairs, pairs) < design.minimumPairs) reasons.push('too_few_pairs')
  const blocks = Math.min(min.effectiveBlocks, effectiveBlocks)
  if (blocks < design.minimumBlocks) reasons.push('too_few_blocks')
  const observed = min.pairs === 0 ? null : sums.mean
  return { counts: { name, observed, pairs, effectiveBlocks }, reasons }
}

/** All statistics of a tile are in memory while it is summed; more replicates would need gigabytes per thread. */
export const MOST_REPLICATES = 20_000_000

/**
 * @throws {ForeproofError} `invalid-input` for more replicates than fit in memory.
 */
export function assertReplicates(replicates: number): void {
  if (replicates <= MOST_REPLICATES) return
  const message = `${replicates} replicates are more than one run can hold (${MOST_REPLICATES})`
  throw new ForeproofError('invalid-input', `inference: ${message}`)
}
