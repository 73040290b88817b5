import type { BlockedReason, FamilyTest, InferenceDesign, Series, TestCounts } from './types.js'

/** What is known of a test before it is judged. */
export interface PreparedTest {
  readonly counts: TestCounts
  /** Empty where its pairs suffice. */
  readonly reasons: readonly BlockedReason[]
}

/** Figures of a test, and every reason not to judge it that its pairs give. */
export function prepareTest(
  { name, components }: FamilyTest,
  design: Pick<InferenceDesign, 'blockLength' | 'minimumPairs' | 'minimumBlocks'>,
): PreparedTest {
  const figures = components.map((series) => seriesFigures(series, design.blockLength))
  const pairs = Math.min(...figures.map((figure) => figure.pairs))
  const effectiveBlocks = Math.min(...figures.map((figure) => figure.effectiveBlocks))
  const mean = figures.reduce((sum, figure) => sum + figure.mean, 0) / figures.length
  const reasons: BlockedReason[] = []
  if (pairs === 0) reasons.push('no_pairs')
  if (pairs < design.minimumPairs) reasons.push('too_few_pairs')
  if (effectiveBlocks < design.minimumBlocks) reasons.push('too_few_blocks')
  const observed = pairs === 0 ? null : mean
  return { counts: { name, observed, pairs, effectiveBlocks }, reasons }
}

/** What can be said of a series before anything is drawn. */
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
