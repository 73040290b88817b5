import { ForeproofError } from '../contract/error.js'
import type { BlockedReason, FamilyTest, InferenceDesign, Series, TestCounts } from './types.js'

/** What is known about a test before it is judged. */
export interface PreparedTest {
  readonly counts: TestCounts
  /** Empty if it has enough pairs. */
  readonly reasons: readonly BlockedReason[]
}

/** What decides whether a test can be judged. */
export type PairsNeeded = Pick<
  InferenceDesign,
  'blockLength' | 'minimumPairs' | 'minimumBlocks' | 'counted'
>

/**
 * The figures of a test, and every reason from its pairs not to judge it. Values filled in for missing outcomes count
 * in the mean and in the minima of a component; the reported counts and the degrees of freedom use only pairs.
 */
export function prepareTest({ name, components }: FamilyTest, design: PairsNeeded): PreparedTest {
  const figuresOf = (of: readonly Series[]) =>
    of.map((series) => seriesFigures(series, design.blockLength))
  const figures = figuresOf(components)
  const least = leastOf(figures)
  const isAny = design.counted === 'any' && components.length > 1
  const isFilled = components.some(({ filled }) => filled !== undefined)
  const counted =
    isAny || isFilled
      ? leastOf(figuresOf(isAny ? [anyPair(components)] : components.map(withoutFilled)))
      : least
  const mean = figures.reduce((sum, figure) => sum + figure.mean, 0) / figures.length
  const reasons: BlockedReason[] = []
  if (least.pairs === 0) reasons.push('no_pairs')
  if (Math.min(least.pairs, counted.pairs) < design.minimumPairs) reasons.push('too_few_pairs')
  const blocks = Math.min(least.effectiveBlocks, counted.effectiveBlocks)
  if (blocks < design.minimumBlocks) reasons.push('too_few_blocks')
  return { counts: { name, observed: least.pairs === 0 ? null : mean, ...counted }, reasons }
}

const leastOf = (figures: readonly SeriesFigures[]) => ({
  pairs: Math.min(...figures.map(({ pairs }) => pairs)),
  effectiveBlocks: Math.min(...figures.map(({ effectiveBlocks }) => effectiveBlocks)),
})

/** The series without filled-in values. */
function withoutFilled({ values, filled, ...kept }: Series): Series {
  if (filled === undefined) return { values, ...kept }
  return { ...kept, values: values.map((value, at) => (filled[at] === 1 ? Number.NaN : value)) }
}

/** A series with a pair wherever any of the given ones has a pair. */
function anyPair(components: readonly Series[]): Series {
  const values = new Float64Array(components[0]?.values.length ?? 0).fill(Number.NaN)
  for (const { values: own, members, filled } of components) {
    for (let i = 0; i < own.length; i++) {
      if (!Number.isNaN(own[i]) && members?.[i] !== 0 && filled?.[i] !== 1) values[i] = 0
    }
  }
  return { values }
}

/** What is known about a series before resampling. */
interface SeriesFigures {
  /** Origins with a pair. */
  readonly pairs: number
  /** Blocks [jL, (j+1)L), j = 0 .. floor(N/L) - 1, that hold at least one pair. */
  readonly effectiveBlocks: number
  /** Mean difference, summed in time order; NaN without pairs. */
  readonly mean: number
}

function seriesFigures(series: Series, blockLength: number): SeriesFigures {
  const { values, members } = series
  const inFullBlocks = Math.floor(values.length / blockLength) * blockLength
  let pairs = 0
  let sum = 0
  let effectiveBlocks = 0
  let nextBlock = 0
  let counted = true
  for (let origin = 0; origin < values.length; origin++) {
    if (origin === nextBlock) {
      counted = origin >= inFullBlocks
      nextBlock += blockLength
    }
    const value = values[origin]!
    if (Number.isNaN(value) || (members !== undefined && members[origin] !== 1)) continue
    pairs++
    sum += value
    if (counted) continue
    effectiveBlocks++
    counted = true
  }
  return { pairs, effectiveBlocks, mean: sum / pairs }
}

/** All statistics of a tile are in memory while it is summed; more replicates would need gigabytes per thread. */
export const MOST_REPLICATES = 20_000_000

/**
 * @throws {ForeproofError} `invalid-input` for more replicates than fit in memory.
 */
export function refuseTooMany(replicates: number): void {
  if (replicates <= MOST_REPLICATES) return
  const says = `${replicates} replicates are more than one run can hold (${MOST_REPLICATES})`
  throw new ForeproofError('invalid-input', `inference: ${says}`)
}
