import type { CosineTables } from './cosines.js'
import { degreesOfFreedom, ewcTest, leastBlocks, type Memory } from './ewc.js'
import { type PreparedTest, prepareTest } from './prepare.js'
import { studentQuantile } from './student-t.js'
import type { Bounds, EwcTested, FamilyTest, InferenceDesign } from './types.js'

/** A series to be tested by cosines. */
export interface EwcSeries extends FamilyTest {
  /** How long its differences remember. */
  readonly memory: Memory
  /** True where what was forecast is too small a part of what was asked for any claim. */
  readonly withheld?: boolean
}

export type EwcDesign = Pick<
  InferenceDesign,
  'blockLength' | 'alpha' | 'minimumPairs' | 'minimumBlocks'
>

/** Estimate, error and p-value of a test by itself. */
export interface EwcJudged extends PreparedTest {
  /** Two-sided; null where it is blocked. */
  readonly p: number | null
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** Estimate, error and p-value of a series, before any correction for the others. */
export function judgeTest(test: EwcSeries, design: EwcDesign, tables: CosineTables): EwcJudged {
  const minimumBlocks = leastBlocks('ewc-t', design.minimumBlocks)
  const { counts, reasons: own } = prepareTest(test, { ...design, minimumBlocks })
  const reasons = test.withheld ? [...own, 'withheld' as const] : own
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

/**
 * Bounds of a mean difference that leave `level` outside, both ends together.
 * @param quantile Student's t by level and degrees of freedom; many tests do better to remember it
 */
export function boundsAt(
  { observed, standardError, degreesOfFreedom: nu }: EwcFigured,
  level: number,
  quantile: (level: number, nu: number) => number = studentQuantile,
): Bounds {
  // Where there is no error there is no difference either.
  const half = standardError === 0 ? 0 : quantile(level, nu) * standardError
  return { level, lower: observed - half, upper: observed + half }
}

type EwcFigured = Pick<EwcTested, 'observed' | 'standardError' | 'degreesOfFreedom'>
