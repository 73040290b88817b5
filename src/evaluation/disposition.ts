import type { ModelReference, Protocol, Registration } from '../contract/types.js'
import {
  type AvailabilityCell,
  decideDisposition,
  type FailureCount,
  type VerdictBasis,
} from '../inference/disposition.js'
import { hasVerdict } from '../registration/family.js'
import { lagWorth } from '../registration/plan-rules.js'
import { designOf } from '../registration/settings.js'
import { isBaselineName } from '../scoring/baselines/names.js'
import type { Inferred } from './infer.js'
import type { CandidateDisposition, ResultAccounting, SharedKeys } from './result/types.js'
import { directedPairs, testPlace } from './verdict-hypotheses.js'

/** Attempts with the status `failed`, out of all that were expected of the model. */
function failuresOf(accounting: readonly ResultAccounting[], model: string): FailureCount {
  const cell = accounting.find(
    (one) => one.model === model && one.horizon === 'all' && one.stratum === 'all',
  )
  return { failures: cell?.point.failed ?? 0, expected: cell?.expected ?? 0 }
}

function availabilityOf(
  cells: readonly SharedKeys[],
  ofHistory: boolean,
  whole: boolean,
): AvailabilityCell[] {
  return cells.map((cell) => {
    const { horizon, stratum } = cell
    const level = stratum === 'all' ? null : `${stratum.name}: ${stratum.level}`
    const comparator = ofHistory ? comparatorLeftOut(cell) : undefined
    return { horizon, level, ...leftOutOf(cell, whole), comparator }
  })
}

/** The verdict on every candidate. */
export function dispositionStage(
  registration: Registration,
  protocol: Protocol,
  inferred: Inferred,
  accounting: readonly ResultAccounting[],
  sharedKeys: readonly SharedKeys[],
): CandidateDisposition[] {
  const { limits, horizons_hours: horizons, comparators } = registration
  const directed = directedPairs(registration, protocol)
  const comparisonOf = (candidate: string, { name: comparator, source }: ModelReference) => {
    const judged = decidingTests(inferred, candidate, comparator)
    return {
      comparator,
      candidateFailures: failuresOf(accounting, candidate),
      comparatorFailures: failuresOf(accounting, comparator),
      availability: availabilityOf(
        sharedKeys.filter((one) => one.candidate === candidate && one.comparator === comparator),
        source === 'history',
        hasVerdict(registration),
      ),
      overall: judged('point_loss', 'overall'),
      horizons: horizons.map((horizon) => {
        const point = judged('point_loss', horizon)
        const direction = judged('direction_error', horizon)
        // A comparator that says up or down nowhere, or too rarely for any test (strongest_simple, while
        // it is persistence), has no direction to lose to. What the candidate says does not count here:
        // one that keeps silent where its comparator speaks is blocked for want of pairs.
        const silent = direction.comparatorValues < directed && point.test.pairs > 0
        return { horizon, point, direction: silent ? null : direction.test }
      }),
    }
  }
  return registration.candidates.map(({ name: candidate }) => ({
    candidate,
    ...decideDisposition({
      mode: registration.mode,
      required: comparators.map((comparator) => comparator.name),
      horizons,
      comparisons: comparators.map((comparator) => comparisonOf(candidate, comparator)),
      practicalFloor: improvementFloor(registration, protocol),
      regressionLimit: limits.per_horizon_regression,
      directionLimit: limits.directional_loss,
      availabilityLimits: availabilityLimits(limits),
      controlsPassed: inferred.family.controlsPassed,
      byVerdict: byVerdict(registration, protocol, inferred, sharedKeys, candidate),
    }),
  }))
}

/** Models of the history that are required by the name of a built-in, and may be anything. */
function substitutes({ comparators }: Registration): string[] {
  return comparators
    .filter(({ source, required_as }) => source === 'history' && required_as.some(isBaselineName))
    .map(({ name }) => name)
}

/** Origins of the window without an outcome, per horizon: the same against every comparator. */
function withoutOutcome(
  sharedKeys: readonly SharedKeys[],
  candidate: string,
): VerdictBasis['withoutOutcome'] {
  const own = sharedKeys.filter((one) => one.candidate === candidate && one.stratum === 'all')
  return own
    .filter(({ comparator }) => comparator === own[0]?.comparator)
    .map(({ horizon, expected, with_outcome: there = expected }) => {
      return { horizon, expected, missing: expected - there }
    })
}

/** What an improvement has to reach: where a verdict is asked for, what a lag gives without skill is no improvement. */
export function improvementFloor(registration: Registration, protocol: Protocol): number {
  const { practical_effect_floor: floor } = protocol.design
  return floor + lagWorth(registration)
}

/** What a verdict asks for besides the comparisons; undefined where a registration has no hypotheses. */
function byVerdict(
  registration: Registration,
  protocol: Protocol,
  { family }: Inferred,
  sharedKeys: readonly SharedKeys[],
  candidate: string,
): VerdictBasis | undefined {
  const verdict = family.verdicts?.find((each) => each.candidate === candidate)
  if (verdict === undefined) return undefined
  return {
    verdict,
    alpha: designOf(protocol).alpha,
    substituted: substitutes(registration),
    withoutOutcome: withoutOutcome(sharedKeys, candidate),
  }
}

/** The deciding tests of two models, of which a registered family has all, each with what it is read against. */
function decidingTests(
  { definitions, series, family }: Inferred,
  candidate: string,
  comparator: string,
) {
  return (measure: 'point_loss' | 'direction_error', horizon: number | 'overall') => {
    const index = testPlace(definitions, { candidate, comparator, measure, horizon })
    const { comparatorMean: comparatorLoss, comparatorValues } = series[index]!
    return { test: family.tests[index]!, comparatorLoss, comparatorValues }
  }
}

/** Undefined where a registration was made before there were such limits. */
function availabilityLimits({ availability_limit: all, ...limits }: Registration['limits']) {
  const { availability_limit_stratum: level = 1 } = limits
  return all === undefined ? undefined : { all, level }
}

/** What was left out, and of how many origins. */
export interface LeftOutCount {
  readonly notScored: number
  readonly origins: number
}

/**
 * What a candidate left out in a cell: the origins with an outcome at which it has no pair, out of
 * these and its pairs. Where the comparator is silent too it counts as well, or a comparator that
 * speaks only where the candidate does would hide its silence; where the comparator alone is silent,
 * no pair can be asked for. A forecast from another vintage is no pair, and it is the candidate that names its
 * vintage.
 *
 * A result of a registration without an availability limit does not count outcomes: there, out of the
 * origins at which the comparator is scored.
 *
 * @param whole with verdict hypotheses: out of all origins with an outcome. A comparator that a gap in the
 * closes silences for a month would otherwise make a few missing forecasts a large share.
 */
export function leftOutOf(
  { shared, lost, with_outcome: outcomes }: Counts,
  whole: boolean,
): LeftOutCount {
  const notScored =
    outcomes === undefined
      ? lost.candidate_not_scored + lost.vintage_mismatch
      : outcomes - shared - lost.comparator_not_scored
  const origins = whole ? outcomes : undefined
  return { notScored, origins: origins ?? shared + notScored }
}

/** What the comparator of a cell left out, of all origins with an outcome; undefined where they were not counted. */
export function comparatorLeftOut({
  shared,
  lost,
  with_outcome: outcomes,
}: Counts): LeftOutCount | undefined {
  if (outcomes === undefined) return undefined
  const scored = shared + lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored: outcomes - scored, origins: outcomes }
}

type Counts = Pick<SharedKeys, 'shared' | 'lost' | 'with_outcome'>
