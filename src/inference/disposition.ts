import { benefitReasons, harmReasons } from './disposition-rules.js'
import type {
  Comparison,
  Disposition,
  DispositionInput,
  DispositionReason,
  DispositionResult,
  FailureCount,
} from './disposition-types.js'
import type { TestResult } from './types.js'

/** The worst first: a candidate is what its weightiest reason leads to. */
const WEIGHT: readonly Disposition[] = [
  'blocked',
  'negative',
  'inconclusive',
  'eligible_for_human_review',
]

/**
 * What an evaluation allows to be said of one candidate, and why: a pure function of the deciding
 * tests (point loss and direction, over all origins, against every required comparator). Stratum
 * cells and interval tests are no part of it. Nothing is promoted by it: the best it can say is
 * that people should look.
 *
 * Blocked outweighs negative, negative outweighs inconclusive; all reasons are listed whichever
 * decides. A retrospective evaluation is never eligible.
 *
 * Bounds on differences are held against a limit times the comparator's own mean loss on the same
 * pairs, so that no quotient of two random figures is resampled.
 */
export function decideDisposition(input: DispositionInput): DispositionResult {
  const deciding = input.comparisons.filter(({ comparator }) => input.required.includes(comparator))
  const reasons: DispositionReason[] = [
    ...evidenceReasons(input),
    ...deciding.flatMap((comparison) => blockingReasons(comparison, input.horizons)),
    ...deciding.flatMap((comparison) => harmReasons(comparison, input)),
    ...deciding.flatMap((comparison) => benefitReasons(comparison, input)),
    ...deciding.flatMap(incomparableReasons),
  ]
  if (input.mode === 'retrospective')
    reasons.push({ code: 'retrospective', leadsTo: 'inconclusive' })
  const weigh = (reason: DispositionReason) => WEIGHT.indexOf(reason.leadsTo)
  const ordered = reasons.sort((a, b) => weigh(a) - weigh(b))
  return { disposition: ordered[0]?.leadsTo ?? 'blocked', reasons: ordered }
}

function evidenceReasons(input: DispositionInput): DispositionReason[] {
  const reasons: DispositionReason[] = []
  if (input.evidenceFaults.length > 0) {
    const details = input.evidenceFaults
    reasons.push({ code: 'evidence_chain_broken', leadsTo: 'blocked', details })
  }
  if (!input.controlsPassed) reasons.push({ code: 'control_failed', leadsTo: 'blocked' })
  for (const comparator of input.required) {
    if (input.comparisons.some((comparison) => comparison.comparator === comparator)) continue
    reasons.push({ code: 'comparison_missing', leadsTo: 'blocked', comparator })
  }
  if (input.required.length === 0) {
    reasons.push({ code: 'comparison_missing', leadsTo: 'blocked' })
  }
  return reasons
}

function blockingReasons(comparison: Comparison, horizons: readonly number[]): DispositionReason[] {
  const { comparator, candidateFailures, comparatorFailures } = comparison
  const reasons: DispositionReason[] = []
  if (fails(candidateFailures, comparatorFailures)) {
    const [found, limit] = [rate(candidateFailures), rate(comparatorFailures)]
    const code = 'failure_rate_above_comparator'
    reasons.push({ code, leadsTo: 'blocked', comparator, found, limit })
  }
  for (const horizon of horizons) {
    if (comparison.horizons.some((cell) => cell.horizon === horizon)) continue
    reasons.push({ code: 'comparison_missing', leadsTo: 'blocked', comparator, horizon })
  }
  for (const { horizon, measure, test, comparatorLoss } of decidingTests(comparison)) {
    const details = test.status === 'blocked' ? test.reasons : []
    const unknown = comparatorLoss === null || Number.isNaN(comparatorLoss)
    if (test.status === 'tested' && !unknown) continue
    reasons.push({
      ...{ code: 'deciding_test_blocked', leadsTo: 'blocked', comparator, horizon, measure },
      ...{ test: test.name, details: unknown ? [...details, 'comparator_loss_unknown'] : details },
    })
  }
  return reasons
}

/**
 * A comparator such as persistence forecasts no change and so has no direction anywhere, or too
 * rarely for a test. Nothing can be lost to it there: the comparison is not asked for, which is said
 * and weighs nothing.
 */
function incomparableReasons({ comparator, horizons }: Comparison): DispositionReason[] {
  const without = horizons.filter(({ direction }) => direction === null)
  return without.map(({ horizon }) => ({
    ...{ code: 'direction_not_comparable', leadsTo: 'eligible_for_human_review', comparator },
    ...{ horizon, measure: 'direction_error' },
  }))
}

interface DecidingTest {
  readonly horizon: number | 'overall'
  readonly measure: 'point_loss' | 'direction_error'
  readonly test: TestResult
  /** What a relative limit is taken of; undefined for limits that are absolute. */
  readonly comparatorLoss: number | null | undefined
}

function decidingTests({ overall, horizons }: Comparison): DecidingTest[] {
  const tests: DecidingTest[] = [{ horizon: 'overall', measure: 'point_loss', ...overall }]
  for (const { horizon, point, direction } of horizons) {
    tests.push({ horizon, measure: 'point_loss', ...point })
    if (direction === null) continue
    tests.push({ horizon, measure: 'direction_error', test: direction, comparatorLoss: undefined })
  }
  return tests
}

/** Compares rates as fractions: a rounded quotient must not decide. */
function fails(candidate: FailureCount, comparator: FailureCount): boolean {
  return candidate.failures * comparator.expected > comparator.failures * candidate.expected
}

function rate({ failures, expected }: FailureCount): number {
  return expected === 0 ? 0 : failures / expected
}
