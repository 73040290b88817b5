import type { Protocol, Registration } from '../contract/types.js'
import type { EwcFamilyTest } from '../inference/ewc-family.js'
import type { EwcSeries } from '../inference/ewc-judge.js'
import type { GapTest, SeriesTest } from '../inference/family-series.js'
import {
  simultaneousLevel,
  type VerdictHypothesis,
  type VerdictPart,
} from '../inference/verdict.js'
import { meanDirectionName, type SharingTests } from '../registration/family.js'
import type { AnyRegistration, TestDefinition } from '../registration/types.js'
import type { GapEnd } from '../scoring/gaps.js'

/** The number of origins at which a comparator must call a direction before its direction is tested. */
export function directedPairs({ limits }: Registration, { sampling }: Protocol): number {
  const { paired_origins_per_horizon: minimum } = sampling.minimum_effective_sample
  return minimum * (limits.direction_pairs_factor ?? 1)
}

/**
 * Makes the test that a verdict rests on of one of the family: over all origins, its gaps filled.
 * @param share - of a comparator's loss that it is charged, by cell.
 */
export type VerdictTestOf<T> = (test: T, end: GapEnd, share?: ShareOf) => EwcSeries & GapTest
export type ShareOf = (cell: number) => Float64Array | undefined

/**
 * The verdict hypothesis of each candidate: its overall tests, the limit of the loss against each
 * comparator at each horizon, and that of the mean over the horizons of the direction error against
 * each comparator that is asked about direction.
 *
 * @param series of the definitions, in their order
 * @param weight of all hypotheses together
 * @param charged as `lossHypotheses` takes it
 */
export function verdictHypotheses(
  registration: Registration,
  protocol: Protocol,
  definitions: readonly TestDefinition[],
  series: readonly Pick<SeriesTest, 'comparatorValues'>[],
  testOf: VerdictTestOf<TestDefinition>,
  weight: number,
  charged: LossTests<TestDefinition>['charged'],
): VerdictHypothesis[] {
  const { limits, horizons_hours: horizons } = registration
  const directed = directedPairs(registration, protocol)
  const direction = directionParts({
    ...{ definitions, testOf, horizons },
    isAsked: (at) => (series[at]?.comparatorValues ?? 0) >= directed,
    limit: limits.direction,
  })
  const { harm } = limits
  const losses = { definitions, testOf, horizons, harm, weight, charged }
  return lossHypotheses(registration, losses, direction)
}

/** The direction tests of verdict hypotheses. */
interface DirectionTests<T> extends Pick<LossTests<T>, 'definitions' | 'testOf' | 'horizons'> {
  /** Whether the comparator of a test, by its position, calls a direction often enough. */
  readonly isAsked: (at: number) => boolean
  /** The largest allowed increase of the error. */
  readonly limit: number
}

/** Of a candidate against a comparator: the mean of the direction error over the horizons at which it is asked. */
export function directionParts<T extends TestDefinition>({
  definitions,
  testOf,
  horizons,
  isAsked,
  limit,
}: DirectionTests<T>): (candidate: string, comparator: string) => VerdictPart[] {
  const measure = 'direction_error'
  return (candidate, comparator) => {
    const asked = horizons
      .map((horizon) => testPlace(definitions, { candidate, comparator, role: measure, horizon }))
      .filter((at) => at >= 0 && isAsked(at))
      .map((at) => definitions[at] as T)
    const [first] = asked
    if (first === undefined) return []
    const test = {
      name: meanDirectionName(candidate, comparator, first.measure),
      components: asked.flatMap((each) => testOf(each, 'worst').components),
      memory: first.memory,
    }
    return [{ comparator, measure, horizon: 'overall', test, limit }]
  }
}

/** The loss tests of verdict hypotheses. */
interface LossTests<T> {
  readonly definitions: readonly T[]
  readonly testOf: VerdictTestOf<T>
  /** The horizons that can be tested. */
  readonly horizons: readonly number[]
  /** The largest allowed increase of a loss at a horizon, as a share of the comparator's. */
  readonly harm: number
  /** Of all hypotheses together. */
  readonly weight: number
  /** The share of its loss that a comparator is charged in the overall part, key by key; all of it if undefined. */
  readonly charged: (comparator: string) => ShareOf | undefined
}

/**
 * One per candidate: its overall loss is lower than every comparator's, and at no horizon the limit of harm is
 * exceeded.
 * @param besides other parts of it.
 */
export function lossHypotheses<T extends TestDefinition>(
  { candidates, comparators }: Pick<AnyRegistration, 'candidates' | 'comparators'>,
  { definitions, testOf, horizons, harm, weight, charged }: LossTests<T>,
  besides: (candidate: string, comparator: string) => readonly VerdictPart[] = () => [],
): VerdictHypothesis[] {
  const measure = 'point_loss'
  return candidates.map(({ name: candidate }) => {
    const against = comparators.map(({ name: comparator }) => {
      const place = (horizon: number | 'overall') =>
        testPlace(definitions, { candidate, comparator, horizon })
      const made = (horizon: number | 'overall', share?: ShareOf) =>
        testOf(definitions[place(horizon)] as T, 'worst', share)
      // A comparator may be required for no series at a horizon.
      const asked = horizons.filter((horizon) => place(horizon) >= 0)
      const losses = asked.map((horizon): VerdictPart => {
        const test = made(horizon)
        const { comparatorMean: mean } = test
        return { comparator, measure, horizon, test, limit: mean === null ? null : harm * mean }
      })
      const test = made('overall', charged(comparator))
      const first = { comparator, measure, horizon: 'overall', test, limit: 0 } as const
      const parts = [first, ...losses, ...besides(candidate, comparator)]
      return { overall: place('overall'), parts }
    })
    return {
      candidate,
      weight: weight / candidates.length,
      parts: against.flatMap(({ parts }) => parts),
      implies: against.map(({ overall }) => overall),
    }
  })
}

/**
 * The tests of the simultaneous bounds, and their level: one for the overall tests, one for all other deciding tests,
 * of all candidates together. Tests that do not decide have none. Missing outcomes count as the best for the candidate.
 */
export function simultaneousTests(
  { deciding, overall }: Pick<SharingTests, 'deciding' | 'overall'>,
  alpha: number,
  testOf: VerdictTestOf<TestDefinition>,
): (test: TestDefinition) => EwcFamilyTest['simultaneous'] {
  return (test) => {
    if (!test.decides) return undefined
    const level = simultaneousLevel(
      alpha,
      test.horizon === 'overall' ? overall : deciding - overall,
    )
    return { test: testOf(test, 'best'), level }
  }
}

type LossPlace = Pick<TestDefinition, 'candidate' | 'comparator' | 'horizon'>

/**
 * The position of a test in a family, over all origins and series: a registered family has all of these.
 * @param wanted - the loss, unless it names another role.
 */
export function testPlace(
  definitions: readonly TestDefinition[],
  wanted: LossPlace & Partial<Pick<TestDefinition, 'role'>>,
): number {
  const { role = 'point_loss' } = wanted
  return definitions.findIndex(
    (test) =>
      test.role === role &&
      test.stratum === 'all' &&
      test.group === 'all' &&
      test.candidate === wanted.candidate &&
      test.comparator === wanted.comparator &&
      test.horizon === wanted.horizon,
  )
}
