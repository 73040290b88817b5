import type { Protocol, Registration } from '../contract/types.js'
import type { SeriesTest } from '../inference/family-series.js'
import {
  simultaneousLevel,
  type VerdictHypothesis,
  type VerdictPart,
} from '../inference/verdict.js'
import { meanDirectionName, type SharingTests } from '../registration/family.js'
import { lagWorth } from '../registration/plan-rules.js'
import type { SeriesTestDefinition } from '../registration/series-family.js'
import { type AnyRegistration, MEASURE_MEMORY, type TestDefinition } from '../registration/types.js'

/** Origins at which a comparator has to say up or down before it is asked about direction. */
export function directedPairs({ limits }: Registration, { sampling }: Protocol): number {
  const { paired_origins_per_horizon: minimum } = sampling.minimum_effective_sample
  return minimum * (limits.direction_pairs_factor ?? 1)
}

/** What an improvement has to reach: where a verdict is asked for, what a lag gives without skill is no improvement. */
export function improvementFloor(registration: Registration, protocol: Protocol): number {
  const { practical_effect_floor: floor } = protocol.design
  return floor + lagWorth(registration)
}

/**
 * The verdict hypothesis of each candidate: its overall tests, the limit of the loss against each
 * comparator at each horizon, and that of the mean over the horizons of the direction error against
 * each comparator that is asked about direction.
 *
 * @param series of the definitions, in their order
 * @param weight of all hypotheses together
 */
export function verdictHypotheses(
  registration: Registration,
  protocol: Protocol,
  definitions: readonly TestDefinition[],
  series: readonly SeriesTest[],
  weight: number,
): VerdictHypothesis[] {
  const { limits, horizons_hours: horizons } = registration
  const directed = directedPairs(registration, protocol)
  const direction = (candidate: string, comparator: string): VerdictPart[] => {
    const of = { candidate, comparator, measure: 'direction_error' } as const
    const asked = horizons
      .map((horizon) => series[testPlace(definitions, { ...of, horizon })] as SeriesTest)
      .filter(({ comparatorValues }) => comparatorValues >= directed)
    if (asked.length === 0) return []
    const test = {
      name: meanDirectionName(candidate, comparator),
      components: asked.flatMap(({ components }) => components),
      memory: MEASURE_MEMORY.direction_error,
    }
    const { measure } = of
    return [{ comparator, measure, horizon: 'overall', test, limit: limits.directional_loss }]
  }
  const harm = limits.per_horizon_regression
  const losses = { definitions, series, horizons, harm, weight }
  return lossHypotheses(registration, losses, direction)
}

/** The tests of losses that verdict hypotheses are made of. */
interface LossTests {
  readonly definitions: readonly (TestDefinition | SeriesTestDefinition)[]
  /** Of the definitions, in their order. */
  readonly series: readonly SeriesTest[]
  /** At which there is something to be asked. */
  readonly horizons: readonly number[]
  /** By how much a loss at a horizon may be higher, as a share of the comparator's. */
  readonly harm: number
  /** Of all hypotheses together. */
  readonly weight: number
}

/**
 * One a candidate: against every comparator its overall loss is lower, and at no horizon the limit of harm is exceeded.
 * @param besides other parts of it.
 */
export function lossHypotheses(
  { candidates, comparators }: Pick<AnyRegistration, 'candidates' | 'comparators'>,
  { definitions, series, horizons, harm, weight }: LossTests,
  besides: (candidate: string, comparator: string) => readonly VerdictPart[] = () => [],
): VerdictHypothesis[] {
  const measure = 'point_loss'
  return candidates.map(({ name: candidate }) => {
    const against = comparators.map(({ name: comparator }) => {
      const place = (horizon: number | 'overall') =>
        testPlace(definitions, { candidate, comparator, horizon })
      const overall = place('overall')
      const losses = horizons.map((horizon) => {
        const test = place(horizon)
        const { comparatorMean: mean } = series[test] as SeriesTest
        return {
          comparator,
          measure,
          horizon,
          test,
          limit: mean === null ? null : harm * mean,
        } as const
      })
      const first = { comparator, measure, horizon: 'overall', test: overall, limit: 0 } as const
      return { overall, parts: [first, ...losses, ...besides(candidate, comparator)] }
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
 * The level of the simultaneous bounds of a test: one for the overall tests, one for all other deciding
 * tests, of all candidates together; none for tests that do not decide.
 */
export function simultaneousLevels(
  { deciding, overall }: SharingTests,
  alpha: number,
): (test: TestDefinition) => number | undefined {
  return ({ decides, horizon }) => {
    if (!decides) return undefined
    return simultaneousLevel(alpha, horizon === 'overall' ? overall : deciding - overall)
  }
}

type LossPlace = Pick<TestDefinition, 'candidate' | 'comparator' | 'horizon'>

/**
 * The place of a test in a family, over all origins and series: a registered family has all of these.
 * @param wanted - the loss, unless it names a measure.
 */
export function testPlace(
  definitions: LossTests['definitions'],
  wanted: LossPlace | (LossPlace & Pick<TestDefinition, 'measure'>),
): number {
  const measure = 'measure' in wanted ? wanted.measure : 'point_loss'
  // Of any series all tests are of one score.
  const isWhole = (test: TestDefinition | SeriesTestDefinition) =>
    'group' in test ? test.group === 'all' : test.stratum === 'all' && test.measure === measure
  return definitions.findIndex(
    (test) =>
      isWhole(test) &&
      test.candidate === wanted.candidate &&
      test.comparator === wanted.comparator &&
      test.horizon === wanted.horizon,
  )
}
