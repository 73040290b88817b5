import type { InferenceMethod, Registration } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import { MEASURES, type Measure, type StratumLevel, type TestDefinition } from './types.js'

/** What of a registration the family follows from. */
export type FamilyBasis = Pick<
  Registration,
  'candidates' | 'comparators' | 'horizons_hours' | 'strata'
>

/**
 * Every test of the family in its fixed order: by candidate, comparator, stratum level (all origins
 * first), then the overall point loss and, per horizon, each measure.
 *
 * Their number is candidates × comparators × (1 + 7 × horizons) × (1 + levels of all strata). Two
 * names of the protocol for one model make one comparator, not the same tests twice.
 */
export function enumerateFamily(registration: FamilyBasis): TestDefinition[] {
  const tests: TestDefinition[] = []
  const strata = stratumLevels(registration.strata)
  for (const candidate of registration.candidates) {
    for (const comparator of registration.comparators) {
      for (const stratum of strata) {
        const add = (measure: Measure, horizon: number | 'overall') =>
          tests.push(
            definition({
              candidate: candidate.name,
              comparator: comparator.name,
              measure,
              horizon,
              stratum,
            }),
          )
        add('point_loss', 'overall')
        for (const horizon of registration.horizons_hours) {
          for (const measure of MEASURES) add(measure, horizon)
        }
      }
    }
  }
  return tests
}

/** All origins, then every level of every stratum in the order of the registration. */
export function stratumLevels(strata: Registration['strata']): StratumLevel[] {
  const levels: StratumLevel[] = ['all']
  for (const { name, levels: own = [] } of strata) {
    for (const { level } of own) levels.push({ name, level })
  }
  return levels
}

/**
 * SHA-256 of the names, each followed by a line feed: what `sha256sum` says of a list of them. Where
 * they share alpha by weights, two lines more say how.
 */
export function familyDigest(names: readonly string[], inference?: InferenceMethod): string {
  const shares =
    inference?.method === 'ewc-t'
      ? [`deciding ${inference.weights.deciding}`, `other ${inference.weights.other}`]
      : []
  return sha256Hex([...names, ...shares].map((line) => `${line}\n`).join(''))
}

/** The share of alpha that each test starts with: each kind's weight in equal parts. */
export function testWeights(
  tests: readonly Pick<TestDefinition, 'decides'>[],
  weights: { readonly deciding: number; readonly other: number },
): number[] {
  const deciding = tests.filter(({ decides }) => decides).length
  const other = tests.length - deciding
  return tests.map(({ decides }) => (decides ? weights.deciding / deciding : weights.other / other))
}

function definition(test: Omit<TestDefinition, 'name' | 'decides'>): TestDefinition {
  const { candidate, comparator, measure, horizon, stratum } = test
  const at = horizon === 'overall' ? horizon : `${horizon}h`
  const where = stratum === 'all' ? 'all' : `${part(stratum.name)}=${part(stratum.level)}`
  return {
    name: `${part(candidate)}/${part(comparator)}/${measure}/${at}/${where}`,
    ...test,
    decides: stratum === 'all' && (measure === 'point_loss' || measure === 'direction_error'),
  }
}

/** Names may hold anything; escaping what separates the parts keeps two tests from sharing one. */
function part(name: string): string {
  return name.replace(/[%/=]/g, (character) =>
    character === '%' ? '%25' : character === '/' ? '%2F' : '%3D',
  )
}
