import type { CosineTables } from './cosines.js'
import { LEAST_DAYS, type OriginsADay } from './days.js'
import { degreesOfFreedom, ewcTest, LEAST_EWC_BLOCKS, type Memory } from './ewc.js'
import { type PreparedTest, prepareTest } from './prepare.js'
import { studentQuantile } from './student-t.js'
import type { BlockedReason, Bounds, EwcTested, FamilyTest, InferenceDesign } from './types.js'

/** A series to be tested by cosines. */
export interface EwcSeries extends FamilyTest {
  /** How long its differences remember. */
  readonly memory: Memory
  /** True where what was forecast is too small a part of what was asked for any claim. */
  readonly withheld?: boolean
  /** True where the comparator loses nothing: a limit that is a share of that says nothing. */
  readonly noScale?: boolean
}

export interface EwcDesign
  extends Pick<
    InferenceDesign,
    'blockLength' | 'alpha' | 'minimumPairs' | 'minimumBlocks' | 'counted'
  > {
  /** Effective blocks below which no protocol may go; 16 by default. */
  readonly leastBlocks?: number
  readonly originsADay: OriginsADay
}

/** Estimate, error and p-value of a test by itself. */
export interface EwcJudged extends PreparedTest {
  /** Two-sided; null where it is blocked. */
  readonly p: number | null
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** Estimate, error and p-value of a series, before any correction for the others. */
export function judgeTest(test: EwcSeries, design: EwcDesign, tables: CosineTables): EwcJudged {
  const minimumBlocks = Math.max(design.minimumBlocks, design.leastBlocks ?? LEAST_EWC_BLOCKS)
  const { counts, reasons: own } = prepareTest(test, { ...design, minimumBlocks })
  const reasons: BlockedReason[] = [...own]
  const days = counts.pairs / design.originsADay(test.components[0]?.members)
  if (days < LEAST_DAYS) reasons.push('too_few_days')
  if (test.withheld) reasons.push('withheld')
  if (test.noScale) reasons.push('no_scale')
  const nu = degreesOfFreedom({ ...counts, days }, test.memory)
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

/** For means that no test is about: any pair will do. */
export const ANY_PAIR = { minimumPairs: 1, minimumBlocks: 1 } as const

/** Bounds of a mean that no test is about; undefined where there are fewer blocks than the cosine test needs. */
export function boundsBeside(
  test: EwcSeries,
  design: EwcDesign,
  tables: CosineTables,
): Bounds | undefined {
  return judgedBounds(judgeTest(test, { ...design, ...ANY_PAIR }, tables), design.alpha)
}

/** Bounds of what was judged; undefined where it is blocked. */
export function judgedBounds(
  { counts: { observed }, p, ...error }: EwcJudged,
  level: number,
  quantile?: (level: number, nu: number) => number,
): Bounds | undefined {
  if (p === null || observed === null) return undefined
  return boundsAt({ observed, ...error }, level, quantile)
}
