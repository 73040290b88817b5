import { remembering } from '../contract/remembering.js'
import { boundsAt, type EwcJudged, judgedBounds } from './ewc-judge.js'
import { weightedHolm } from './holm.js'
import { studentQuantile } from './student-t.js'
import type { EwcResult, WeightedStep } from './test-result.js'
import { computeVerdictP, type JudgedVerdict, type VerdictHypothesis } from './verdict.js'

export interface EwcFamilyTest {
  readonly judged: EwcJudged
  /** Its share of alpha, in any unit. */
  readonly weight: number
  /** The test of its simultaneous bounds, and the level outside them; absent if it has none. */
  readonly simultaneous?: { readonly judged: EwcJudged; readonly level: number } | undefined
}

/** A family, and the verdict hypotheses in the same Holm ladder. */
export interface EwcLadder {
  /** In the order of the input tests. */
  readonly tests: readonly EwcResult[]
  /** In the order of the input hypotheses. */
  readonly verdicts: readonly JudgedVerdict[]
}

/**
 * Holm's procedure with weights over a family that was judged by the equal-weighted cosine test. Bounds are the dual of
 * p: at the level that the ladder leaves to a test, they exclude 0 exactly if the test is rejected in a step of its own.
 *
 * @param hypotheses one per candidate, in the same ladder; empty for a registration without them
 */
export function ewcFamily(
  tests: readonly EwcFamilyTest[],
  alpha: number,
  hypotheses: readonly VerdictHypothesis[] = [],
): EwcLadder {
  const verdicts = hypotheses.map(computeVerdictP)
  const steps = weightedHolm(
    [...tests.map(({ judged }) => judged), ...verdicts].map(({ p }) => p),
    [...tests, ...hypotheses].map(({ weight }) => weight),
    alpha,
    new Map(hypotheses.map(({ implies }, at) => [tests.length + at, implies])),
  )
  // Cached, because most tests use the same few levels, and each costs a search.
  const quantile = remembering(studentQuantile)
  const toSimultaneous = ({ simultaneous }: EwcFamilyTest) => {
    const bounds = simultaneous && judgedBounds(simultaneous.judged, simultaneous.level, quantile)
    return bounds && { simultaneousBounds: bounds }
  }
  return {
    tests: tests.map((test, at) => ({
      ...toResult(test.judged, steps[at] ?? null, alpha, quantile),
      ...toSimultaneous(test),
    })),
    verdicts: verdicts.map((each, at) => ({ ...each, holm: steps[tests.length + at] ?? null })),
  }
}

function toResult(
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
