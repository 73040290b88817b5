import { remembering } from '../contract/remembering.js'
import { cosineTables } from './cosines.js'
import {
  boundsAt,
  type EwcDesign,
  type EwcJudged,
  type EwcSeries,
  judgedBounds,
  judgeTest,
} from './ewc-judge.js'
import { weightedHolm } from './holm.js'
import { studentQuantile } from './student-t.js'
import type { EwcResult, WeightedStep } from './types.js'
import { type JudgedVerdict, type VerdictHypothesis, verdictP } from './verdict.js'

export interface EwcFamilyTest extends EwcSeries {
  /** Its share of alpha, in any unit. */
  readonly weight: number
  /** What its simultaneous bounds are of, and what they leave outside; absent where it has none. */
  readonly simultaneous?: { readonly test: EwcSeries; readonly level: number } | undefined
}

/** A family, and the verdict hypotheses that are in one ladder with it. */
export interface EwcLadder {
  /** In the order of the tests given. */
  readonly tests: readonly EwcResult[]
  /** In the order of the hypotheses given. */
  readonly verdicts: readonly JudgedVerdict[]
}

/**
 * Tests a whole family with the equal-weighted cosine test and Holm's procedure with weights. Bounds
 * are the dual of p: those at the level that the ladder leaves to a test leave 0 out where the test
 * is rejected in a step of its own, and nowhere else.
 *
 * @param hypotheses one a candidate, in the same ladder; none for a registration without them
 */
export function ewcFamily(
  tests: readonly EwcFamilyTest[],
  design: EwcDesign,
  hypotheses: readonly VerdictHypothesis[] = [],
): EwcLadder {
  const tables = cosineTables()
  const judge = (test: EwcSeries) => judgeTest(test, design, tables)
  const figures = tests.map(judge)
  const verdicts = hypotheses.map((hypothesis) => verdictP(hypothesis, judge))
  const steps = weightedHolm(
    [...figures, ...verdicts].map(({ p }) => p),
    [...tests, ...hypotheses].map(({ weight }) => weight),
    design.alpha,
    new Map(hypotheses.map(({ implies }, at) => [tests.length + at, implies])),
  )
  // Most tests ask for the same few levels, and each costs a search.
  const quantile = remembering(studentQuantile)
  const simultaneousOf = ({ simultaneous }: EwcFamilyTest) => {
    const found =
      simultaneous && judgedBounds(judge(simultaneous.test), simultaneous.level, quantile)
    return found && { simultaneousBounds: found }
  }
  return {
    tests: figures.map((each, at) => ({
      ...resultOf(each, steps[at] ?? null, design.alpha, quantile),
      ...simultaneousOf(tests[at] as EwcFamilyTest),
    })),
    verdicts: verdicts.map((each, at) => ({ ...each, holm: steps[tests.length + at] ?? null })),
  }
}

function resultOf(
  { counts, reasons, p, standardError, degreesOfFreedom }: EwcJudged,
  step: WeightedStep | null,
  alpha: number,
  quantile: typeof studentQuantile,
): EwcResult {
  const { observed } = counts
  if (p === null || step === null || observed === null) {
    return { ...counts, status: 'blocked', reasons }
  }
  const figures = { observed, standardError, degreesOfFreedom }
  return {
    ...counts,
    ...figures,
    status: 'tested',
    p,
    holm: step,
    side: observed < 0 ? 'below' : observed > 0 ? 'above' : 'neither',
    bounds: boundsAt(figures, alpha, quantile),
    adjustedBounds: boundsAt(figures, step.level, quantile),
  }
}
