import type { InferenceMethod, Registration } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import type { FamilySource } from '../inference/family-series.js'
import type { StratumLevel } from '../pairing/types.js'
import type { AlphaWeights } from '../protocol/rules/weights.js'
import { PAIR_MEASURES } from '../scoring/measures.js'
import { MEASURES, type Measure, type TestDefinition } from './types.js'

/** Whether its verdict rests on a hypothesis a candidate; that of earlier registrations rests on single tests. */
export const hasVerdict = (of: { readonly inference?: SharedAlpha | undefined }): boolean =>
  of.inference?.weights?.verdict !== undefined

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
        const pair = { candidate: candidate.name, comparator: comparator.name, stratum }
        const add = (measure: Measure, horizon: number | 'overall') =>
          tests.push(definition({ ...pair, measure, horizon }))
        add('point_loss', 'overall')
        for (const horizon of registration.horizons_hours) {
          for (const measure of MEASURES) add(measure, horizon)
        }
      }
    }
  }
  return tests
}

/** Where the differences of a family of hourly forecasts come from. @param horizons of the protocol. */
export function hourlySource<T extends Pick<TestDefinition, 'horizon' | 'measure'>>(
  horizons: readonly number[],
  cellOf: FamilySource<never>['cellOf'],
) {
  return {
    cellsIn: ({ horizon }: T) => (horizon === 'overall' ? horizons : [horizon]),
    cellOf,
    estimandOf: (measure: Measure) => PAIR_MEASURES[measure].estimand,
  }
}

/** All origins, then every level of every stratum in the order of the registration. */
export function stratumLevels(strata: Registration['strata']): StratumLevel[] {
  const named = strata.flatMap(({ name, levels = [] }) =>
    levels.map(({ level }) => ({ name, level })),
  )
  return ['all', ...named]
}

/**
 * SHA-256 of the names, each followed by a line feed: what `sha256sum` says of a list of them. Where
 * they share alpha by weights, a line more for each weight says how.
 */
export function familyDigest(names: readonly string[], inference?: SharedAlpha): string {
  const { weights = {} } = inference ?? {}
  const shares = KINDS.flatMap((kind) => {
    const weight = weights[kind]
    return weight === undefined ? [] : [`${kind} ${weight}`]
  })
  return sha256Hex([...names, ...shares].map((line) => `${line}\n`).join(''))
}

const KINDS = ['verdict', 'deciding', 'other'] as const

/** How a registration of either version shares alpha. */
interface SharedAlpha {
  readonly method: InferenceMethod['method']
  readonly weights?: { readonly [K in (typeof KINDS)[number]]?: number }
}

/** How many tests share alpha; with a verdict, without those that the registration itself rules out. */
export interface SharingTests {
  /** The overall ones among them. */
  readonly deciding: number
  readonly overall: number
  readonly other: number
}

/** @param weights undefined where tests have none. */
export function sharingTests(
  tests: readonly TestDefinition[],
  weights: AlphaWeights | undefined,
  comparators: Registration['comparators'],
): SharingTests {
  const sharing = tests.filter((test) => sharesAlpha(test, weights, comparators))
  const deciding = sharing.filter(({ decides }) => decides)
  return {
    deciding: deciding.length,
    overall: deciding.filter(({ horizon }) => horizon === 'overall').length,
    other: sharing.length - deciding.length,
  }
}

/** The share of alpha that each test starts with: each kind's weight in equal parts. */
export function testWeights(
  tests: readonly TestDefinition[],
  weights: AlphaWeights,
  comparators: Registration['comparators'],
): number[] {
  const { deciding, other } = sharingTests(tests, weights, comparators)
  return tests.map((test) => {
    if (!sharesAlpha(test, weights, comparators)) return 0
    return test.decides ? weights.deciding / deciding : weights.other / other
  })
}

/**
 * With a verdict hypothesis, a test that the registration itself rules out has no weight. What only the
 * outcomes rule out keeps its own, and in earlier registrations every test does.
 */
function sharesAlpha(
  test: TestDefinition,
  weights: AlphaWeights | undefined,
  comparators: Registration['comparators'],
): boolean {
  return weights?.verdict === undefined || !isRuledOut(test, comparators)
}

/** Whether the registration itself rules a test out: persistence calls no direction anywhere. */
function isRuledOut(
  { measure, comparator }: Pick<TestDefinition, 'measure' | 'comparator'>,
  comparators: Registration['comparators'],
): boolean {
  if (measure !== 'direction_error' || comparator !== 'persistence') return false
  return comparators.some(({ source, name }) => name === comparator && source === 'built_in')
}

function definition(test: Omit<TestDefinition, 'name' | 'decides'>): TestDefinition {
  const { candidate, comparator, measure, horizon, stratum } = test
  const at = horizon === 'overall' ? horizon : `${horizon}h`
  const where =
    stratum === 'all' ? 'all' : `stratum:${namePart(stratum.name)}=${namePart(stratum.level)}`
  return {
    name: `${namePart(candidate)}/${namePart(comparator)}/${measure}/${at}/${where}`,
    ...test,
    decides: stratum === 'all' && (measure === 'point_loss' || measure === 'direction_error'),
  }
}

/** The mean of the direction error over the horizons: a part of a verdict hypothesis, and no test of the family. */
export function meanDirectionName(
  candidate: string,
  comparator: string,
  measure = 'direction_error',
): string {
  return `${[candidate, comparator, measure].map(namePart).join('/')}/mean/all`
}

/** Names may hold anything; escaping what separates the parts keeps two tests from sharing one. */
export function namePart(name: string): string {
  return name.replace(/[%/=:]/g, encodeURIComponent)
}
