import type { CosineTables } from './cosines.js'
import { LEAST_DAYS, type OriginsADay } from './days.js'
import { degreesOfFreedom, LEAST_EWC_BLOCKS, type Memory, runEwcTest } from './ewc.js'
import type { InferenceDesign } from './family-input.js'
import { type PreparedTest, prepareTest, type TestBySums } from './prepare.js'
import { studentQuantile } from './student-t.js'
import type { BlockedReason, Bounds, EwcTested } from './test-result.js'

/** A test by cosines. */
export interface EwcTest extends TestBySums {
  /** How long its differences depend on each other. */
  readonly memory: Memory
  /** True if too few of the expected forecasts were made for any claim. */
  readonly withheld?: boolean
  /** True if the comparator's loss is 0: a limit that is a share of it means nothing. */
  readonly noScale?: boolean
}

export interface EwcDesign
  extends Pick<
    InferenceDesign,
    'blockLength' | 'alpha' | 'minimumPairs' | 'minimumBlocks' | 'counted'
  > {
  /** The minimum of effective blocks that no protocol may lower; default 16. */
  readonly leastBlocks?: number
  readonly originsADay: OriginsADay
}

/** Estimate, error and p-value of one test. */
export interface EwcJudged extends PreparedTest {
  /** Two-sided; null if the test is blocked. */
  readonly p: number | null
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** Estimate, error and p-value of a test, before any correction for the others. */
export function computeTest(test: EwcTest, design: EwcDesign, tables: CosineTables): EwcJudged {
  const minimumBlocks = Math.max(design.minimumBlocks, design.leastBlocks ?? LEAST_EWC_BLOCKS)
  const { counts, reasons: pairReasons } = prepareTest(test, { ...design, minimumBlocks })
  const reasons: BlockedReason[] = [...pairReasons]
  const days = counts.pairs / design.originsADay(test.sums.members)
  if (days < LEAST_DAYS) reasons.push('too_few_days')
  if (test.withheld) reasons.push('withheld')
  if (test.noScale) reasons.push('no_scale')
  const nu = degreesOfFreedom({ ...counts, days }, test.memory)
  const ewc = counts.observed === null ? undefined : runEwcTest(test.sums.centred(), nu, tables)
  return {
    counts,
    reasons: ewc?.p === null ? [...reasons, 'no_variance' as const] : reasons,
    p: reasons.length > 0 ? null : (ewc?.p ?? null),
    standardError: ewc?.standardError ?? Number.NaN,
    degreesOfFreedom: nu,
  }
}

/**
 * Bounds of a mean difference that leave `level` outside, both ends together.
 * @param quantile Student's t by level and degrees of freedom; pass a cached function for many tests
 */
export function boundsAt(
  { observed, standardError, degreesOfFreedom: nu }: EwcFigured,
  level: number,
  quantile: (level: number, nu: number) => number = studentQuantile,
): Bounds {
  // If the error is 0, so is the half width.
  const half = standardError === 0 ? 0 : quantile(level, nu) * standardError
  return { level, lower: observed - half, upper: observed + half }
}

type EwcFigured = Pick<EwcTested, 'observed' | 'standardError' | 'degreesOfFreedom'>

/** For means outside of tests: a single pair is enough. */
export const ANY_PAIR = { minimumPairs: 1, minimumBlocks: 1 } as const

/** Bounds of a mean outside of tests; undefined if there are fewer blocks than the cosine test needs. */
export function boundsBeside(
  test: EwcTest,
  design: EwcDesign,
  tables: CosineTables,
): Bounds | undefined {
  return judgedBounds(computeTest(test, { ...design, ...ANY_PAIR }, tables), design.alpha)
}

/** Bounds of a judged test; undefined if it is blocked. */
export function judgedBounds(
  { counts: { observed }, p, ...error }: EwcJudged,
  level: number,
  quantile?: (level: number, nu: number) => number,
): Bounds | undefined {
  if (p === null || observed === null) return undefined
  return boundsAt({ observed, ...error }, level, quantile)
}
