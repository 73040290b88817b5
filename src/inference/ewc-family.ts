import { type CosineTables, cosineTables } from './cosines.js'
import { degreesOfFreedom, ewcTest, leastBlocks, type Memory } from './ewc.js'
import { weightedHolm } from './holm.js'
import { prepareTest } from './prepare.js'
import { studentQuantile } from './student-t.js'
import type { Bounds, EwcResult, FamilyTest, InferenceDesign, WeightedStep } from './types.js'

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

function figuresOf(test: EwcFamilyTest, design: EwcDesign, tables: CosineTables) {
  const minimumBlocks = leastBlocks('ewc-t', design.minimumBlocks)
  const { counts, reasons } = prepareTest(test, { ...design, minimumBlocks })
  const nu = degreesOfFreedom(counts.effectiveBlocks, test.memory)
  const found = counts.pairs === 0 ? undefined : ewcTest(test.components, nu, tables)
  return {
    counts,
    reasons: found?.p === null ? [...reasons, 'no_variance' as const] : reasons,
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
