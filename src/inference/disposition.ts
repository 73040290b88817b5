import { benefitReasons, blocking, harmReasons, reasonOf } from './disposition-rules.js'
import { silenceReasons } from './disposition-silence.js'
import type {
  Comparison,
  Disposition,
  DispositionInput,
  DispositionReason,
  DispositionResult,
} from './disposition-types.js'
import type { JudgedTest } from './types.js'

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
  const reasons = [
    ...evidenceReasons(input),
    ...deciding.flatMap((comparison) => silenceReasons(comparison, input)),
    ...deciding.flatMap((comparison) => blockingReasons(comparison, input.horizons)),
    ...deciding.flatMap((comparison) => harmReasons(comparison, input)),
    ...deciding.flatMap((comparison) => benefitReasons(comparison, input)),
    ...deciding.flatMap(incomparableReasons),
  ]
  if (input.mode === 'retrospective') {
    reasons.push(reasonOf({ code: 'retrospective', leads_to: 'inconclusive' }))
  }
  const weigh = (reason: DispositionReason) => WEIGHT.indexOf(reason.leads_to)
  reasons.sort((a, b) => weigh(a) - weigh(b))
  return { disposition: reasons[0]?.leads_to ?? 'blocked', reasons }
}

function evidenceReasons(input: DispositionInput): DispositionReason[] {
  const { evidenceFaults, controlsPassed, required, comparisons } = input
  const missing = required.filter((name) => !comparisons.some((one) => one.comparator === name))
  return [
    ...(evidenceFaults.length > 0
      ? [blocking('evidence_chain_broken', { details: [...evidenceFaults] })]
      : []),
    ...(controlsPassed ? [] : [blocking('control_failed')]),
    ...missing.map((comparator) => blocking('comparison_missing', { comparator })),
    ...(required.length === 0 ? [blocking('comparison_missing')] : []),
  ]
}

function blockingReasons(comparison: Comparison, horizons: readonly number[]): DispositionReason[] {
  const { comparator } = comparison
  const reasons: DispositionReason[] = []
  for (const horizon of horizons) {
    if (comparison.horizons.some((cell) => cell.horizon === horizon)) continue
    reasons.push(blocking('comparison_missing', { comparator, horizon }))
  }
  for (const { horizon, measure, test, comparatorLoss } of decidingTests(comparison)) {
    const unknown = comparatorLoss === null || Number.isNaN(comparatorLoss)
    if (test.status === 'tested' && !unknown) continue
    const details = [
      ...(test.status === 'blocked' ? test.reasons : []),
      ...(unknown ? ['comparator_loss_unknown'] : []),
    ]
    const place = { comparator, horizon, measure, test: test.name }
    reasons.push(blocking('deciding_test_blocked', { ...place, details }))
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
  return without.map(({ horizon }) =>
    reasonOf({
      code: 'direction_not_comparable',
      leads_to: 'eligible_for_human_review',
      comparator,
      horizon,
      measure: 'direction_error',
    }),
  )
}

interface DecidingTest {
  readonly horizon: number | 'overall'
  readonly measure: 'point_loss' | 'direction_error'
  readonly test: JudgedTest
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
