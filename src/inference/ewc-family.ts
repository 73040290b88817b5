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
  /** The test of its simultaneous bounds, and the level outside them; absent if it has none. */
  readonly simultaneous?: { readonly test: EwcSeries; readonly level: number } | undefined
}

/** A family, and the verdict hypotheses in the same Holm ladder. */
export interface EwcLadder {
  /** In the order of the input tests. */
  readonly tests: readonly EwcResult[]
  /** In the order of the input hypotheses. */
  readonly verdicts: readonly JudgedVerdict[]
}

/**
 * Tests a whole family with the equal-weighted cosine test and Holm's procedure with weights. Bounds are the dual of p:
 * at the level that the ladder leaves to a test, they exclude 0 exactly if the test is rejected in a step of its own.
 *
 * @param hypotheses one per candidate, in the same ladder; empty for a registration without them
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
  // Cached, because most tests use the same few levels, and each costs a search.
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
