import type {
  EwcResult,
  EwcTested,
  HolmStep,
  JudgedTest,
  TestedTest,
} from '../../inference/types.js'
import type { JudgedVerdict } from '../../inference/verdict.js'
import { boundsOf } from './cells.js'
import type { ResultTest } from './types.js'

/** What every result says of a test that was made, or blocked. */
export function testFigures(test: JudgedTest, comparatorMean: number | null) {
  const tested = test.status === 'tested' ? test : undefined
  return {
    pairs: test.pairs,
    effective_blocks: test.effectiveBlocks,
    observed: test.observed,
    comparator_mean: comparatorMean,
    bounds: boundsOf(tested?.bounds),
    standard_error: tested === undefined ? null : standardErrorOf(tested),
    p: tested?.p ?? null,
    rank: tested?.holm.rank ?? null,
    multiplier: tested?.holm.multiplier ?? null,
    p_adjusted: tested?.holm.adjustedP ?? null,
    bounds_adjusted: boundsOf(tested?.adjustedBounds),
    decision: decisionOf(tested?.holm),
    blocked_reasons: test.status === 'blocked' ? [...test.reasons] : [],
  }
}

function standardErrorOf(tested: TestedTest | EwcTested): number {
  return 'replicates' in tested ? tested.replicates.standardDeviation : tested.standardError
}

/** What it says besides where the cosine test made it. */
export function ewcFiguresOf(test: EwcResult, weight: number) {
  const tested = test.status === 'tested' ? test : undefined
  const simultaneous = tested?.simultaneousBounds
  return {
    degrees_of_freedom: tested?.degreesOfFreedom ?? null,
    weight,
    level_adjusted: tested?.holm.level ?? null,
    ...(tested?.holm.by !== undefined && { by_verdict: true as const }),
    ...(simultaneous && { bounds_simultaneous: simultaneous }),
  }
}

/** How many tests there are, and how many of them came out how. */
export function familyOf(tests: readonly Pick<ResultTest, 'decision'>[], sha256: string) {
  const count = (decision: ResultTest['decision']) =>
    tests.filter((test) => test.decision === decision).length
  return { size: tests.length, sha256, rejected: count('rejected'), blocked: count('blocked') }
}

/** What a result says of verdict hypotheses. */
export function verdictsOf(verdicts: readonly JudgedVerdict[]) {
  return verdicts.map(({ candidate, weight, p, holm, parts }) => ({
    ...{ candidate, weight, p },
    rank: holm?.rank ?? null,
    multiplier: holm?.multiplier ?? null,
    p_adjusted: holm?.adjustedP ?? null,
    decision: decisionOf(holm),
    parts: [...parts],
  }))
}

function decisionOf(step: HolmStep | null | undefined): ResultTest['decision'] {
  if (!step) return 'blocked'
  return step.rejected ? 'rejected' : 'not_rejected'
}
