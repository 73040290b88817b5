import type { Protocol, Registration } from '../contract/types.js'
import type { SeriesTest } from '../inference/family-series.js'
import {
  simultaneousLevel,
  type VerdictHypothesis,
  type VerdictPart,
} from '../inference/verdict.js'
import { meanDirectionName, type SharingTests } from '../registration/family.js'
import { MEASURE_MEMORY, type TestDefinition } from '../registration/types.js'

/** Origins at which a comparator has to say up or down before it is asked about direction. */
export function directedPairs({ limits }: Registration, { sampling }: Protocol): number {
  const { paired_origins_per_horizon: minimum } = sampling.minimum_effective_sample
  return minimum * (limits.direction_pairs_factor ?? 1)
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
  const { candidates, comparators, limits, horizons_hours: horizons } = registration
  const directed = directedPairs(registration, protocol)
  const partsOf = (candidate: string, comparator: string): VerdictPart[] => {
    const at = (measure: TestDefinition['measure'], horizon: number | 'overall') =>
      testPlace(definitions, { candidate, comparator, measure, horizon })
    const loss = { comparator, measure: 'point_loss' } as const
    const overall = {
      ...loss,
      horizon: 'overall',
      test: at('point_loss', 'overall'),
      limit: 0,
    } as const
    const losses = horizons.map((horizon) => {
      const test = at('point_loss', horizon)
      const { comparatorMean: mean } = series[test] as SeriesTest
      const limit = mean === null ? null : limits.per_horizon_regression * mean
      return { ...loss, horizon, test, limit }
    })
    const asked = horizons
      .map((horizon) => series[at('direction_error', horizon)] as SeriesTest)
      .filter(({ comparatorValues }) => comparatorValues >= directed)
    if (asked.length === 0) return [overall, ...losses]
    const test = {
      name: meanDirectionName(candidate, comparator),
      components: asked.flatMap(({ components }) => components),
      memory: MEASURE_MEMORY.direction_error,
    }
    const limit = limits.directional_loss
    const direction = { comparator, measure: 'direction_error', horizon: 'overall' } as const
    return [overall, ...losses, { ...direction, test, limit }]
  }
  return candidates.map(({ name: candidate }) => ({
    candidate,
    weight: weight / candidates.length,
    parts: comparators.flatMap(({ name }) => partsOf(candidate, name)),
    implies: comparators.map(({ name: comparator }) =>
      testPlace(definitions, { candidate, comparator, measure: 'point_loss', horizon: 'overall' }),
    ),
  }))
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

/** The place in the family of a test over all origins, of which a registered family has all. */
export function testPlace(
  definitions: readonly TestDefinition[],
  wanted: Pick<TestDefinition, 'candidate' | 'comparator' | 'measure' | 'horizon'>,
): number {
  return definitions.findIndex(
    (test) =>
      test.stratum === 'all' &&
      test.candidate === wanted.candidate &&
      test.comparator === wanted.comparator &&
      test.measure === wanted.measure &&
      test.horizon === wanted.horizon,
  )
}
