import { remembering } from '../task/remembering.js'
import { cosineTables } from './cosines.js'
import { boundsAt, type EwcDesign, type EwcJudged, type EwcSeries, judgeTest } from './ewc-judge.js'
import { weightedHolm } from './holm.js'
import { studentQuantile } from './student-t.js'
import type { EwcResult, WeightedStep } from './types.js'
import { type JudgedVerdict, type VerdictHypothesis, verdictP } from './verdict.js'

export interface EwcFamilyTest extends EwcSeries {
  /** Its share of alpha, in any unit. */
  readonly weight: number
  /** What its simultaneous bounds leave outside; absent where it has none. */
  readonly simultaneousLevel?: number | undefined
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
  const figures = tests.map((test) => judgeTest(test, design, tables))
  const verdicts = hypotheses.map((hypothesis) =>
    verdictP(hypothesis, figures, (test) => judgeTest(test, design, tables)),
  )
  const steps = weightedHolm(
    [...figures, ...verdicts].map(({ p }) => p),
    [...tests, ...hypotheses].map(({ weight }) => weight),
    design.alpha,
    new Map(hypotheses.map(({ implies }, at) => [tests.length + at, implies])),
  )
  // Most tests ask for the same few levels, and each costs a search.
  const quantile = remembering(studentQuantile)
  return {
    tests: figures.map((each, at) => {
      const levels = { alpha: design.alpha, simultaneous: tests[at]?.simultaneousLevel }
      return resultOf(each, steps[at] ?? null, levels, quantile)
    }),
    verdicts: verdicts.map((each, at) => ({ ...each, holm: steps[tests.length + at] ?? null })),
  }
}

function resultOf(
  { counts, reasons, p, standardError, degreesOfFreedom }: EwcJudged,
  step: WeightedStep | null,
  { alpha, simultaneous }: { readonly alpha: number; readonly simultaneous: number | undefined },
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
    ...(simultaneous !== undefined && {
      simultaneousBounds: boundsAt(figures, simultaneous, quantile),
    }),
  }
}
