import { seriesFigures } from './blocks.js'
import { type CosineTables, cosineTables } from './cosines.js'
import { degreesOfFreedom, ewcTest, type Memory } from './ewc.js'
import { weightedHolm } from './holm.js'
import { leastBlocks } from './least-blocks.js'
import { studentQuantile } from './student-t.js'
import type {
  BlockedReason,
  Bounds,
  EwcResult,
  FamilyTest,
  InferenceDesign,
  WeightedStep,
} from './types.js'

export interface EwcFamilyTest extends FamilyTest {
  /** How long its differences remember. */
  readonly memory: Memory
  /** Its share of alpha, in any unit. */
  readonly weight: number
}

export type EwcDesign = Pick<
  InferenceDesign,
  'blockLength' | 'alpha' | 'minimumPairs' | 'minimumBlocks'
>

/**
 * Tests a whole family with the equal-weighted cosine test and Holm's procedure with weights. Bounds
 * are the dual of p: those at the level that the ladder leaves to a test leave 0 out where the test
 * is rejected, and nowhere else.
 *
 * @returns in the order of the input
 */
export function ewcFamily(tests: readonly EwcFamilyTest[], design: EwcDesign): EwcResult[] {
  const tables = cosineTables()
  const figures = tests.map((test) => figuresOf(test, design, tables))
  const steps = weightedHolm(
    figures.map(({ p }) => p),
    tests.map(({ weight }) => weight),
    design.alpha,
  )
  const quantile = quantiles()
  return figures.map(({ counts, reasons, p, standardError, degreesOfFreedom: nu }, index) => {
    const step = steps[index] as WeightedStep | null
    const { observed } = counts
    if (p === null || step === null || observed === null) {
      return { ...counts, status: 'blocked', reasons }
    }
    const boundsAt = (level: number): Bounds => {
      // Where there is no error there is no difference either.
      const half = standardError === 0 ? 0 : quantile(level, nu) * standardError
      return { level, lower: observed - half, upper: observed + half }
    }
    return {
      ...counts,
      observed,
      status: 'tested',
      p,
      holm: step,
      standardError,
      degreesOfFreedom: nu,
      side: observed < 0 ? 'below' : observed > 0 ? 'above' : 'neither',
      bounds: boundsAt(design.alpha),
      adjustedBounds: boundsAt(step.level),
    }
  })
}

function figuresOf(
  { name, components, memory }: EwcFamilyTest,
  design: EwcDesign,
  tables: CosineTables,
) {
  const { blockLength, minimumPairs, minimumBlocks } = design
  const each = components.map((series) => seriesFigures(series, blockLength))
  const pairs = Math.min(...each.map((figure) => figure.pairs))
  const effectiveBlocks = Math.min(...each.map((figure) => figure.effectiveBlocks))
  const reasons: BlockedReason[] = []
  if (pairs === 0) reasons.push('no_pairs')
  if (pairs < minimumPairs) reasons.push('too_few_pairs')
  if (effectiveBlocks < leastBlocks('ewc-t', minimumBlocks)) reasons.push('too_few_blocks')
  const nu = degreesOfFreedom(effectiveBlocks, memory)
  const found = pairs === 0 ? undefined : ewcTest(components, nu, tables)
  if (found?.p === null) reasons.push('no_variance')
  return {
    counts: { name, pairs, effectiveBlocks, observed: found?.estimate ?? null },
    reasons,
    p: reasons.length > 0 ? null : (found?.p ?? null),
    standardError: found?.standardError ?? Number.NaN,
    degreesOfFreedom: nu,
  }
}

/** Most tests ask for the same few levels, and each costs a search. */
function quantiles(): (level: number, nu: number) => number {
  const known = new Map<string, number>()
  return (level, nu) => {
    const key = `${nu} ${level}`
    const value = known.get(key) ?? studentQuantile(level, nu)
    known.set(key, value)
    return value
  }
}
