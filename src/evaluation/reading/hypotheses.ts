import type { EwcFamilyTest } from '../../inference/ewc-family.js'
import type { EwcSeries } from '../../inference/ewc-judge.js'
import type { GapTest } from '../../inference/family-series.js'
import {
  simultaneousLevel,
  type VerdictHypothesis,
  type VerdictPart,
} from '../../inference/verdict.js'
import { meanDirectionName } from '../../registration/family.js'
import type { GapEnd } from '../../scoring/gaps.js'
import type { Registered, ScopedTest } from './registered.js'

/** The share of a comparator's loss that is charged, by cell. */
export type ChargedShare = (cell: number) => Float64Array | undefined

/** Makes the test that a verdict rests on from one of the family: over all origins, with its gaps filled. */
export type FilledTestOf = (
  test: ScopedTest,
  end: GapEnd,
  share?: ChargedShare,
) => EwcSeries & GapTest

/** Looks up tests over all origins and series. */
export type WholeTests = ReturnType<typeof wholeTests>

type Wanted = Pick<ScopedTest, 'candidate' | 'comparator' | 'step' | 'role'>

/** The positions of the tests of a family over all origins and series, by their other properties. */
export function wholeTests(tests: readonly ScopedTest[]) {
  const keyOf = ({ candidate, comparator, step, role }: Wanted) =>
    JSON.stringify([candidate, comparator, step, role])
  const places = new Map(
    tests.flatMap((test, at) =>
      test.stratum === 'all' && test.group === 'all' && test.role !== null
        ? [[keyOf(test), at] as const]
        : [],
    ),
  )
  return (wanted: Wanted): number | undefined => places.get(keyOf(wanted))
}

/** The input of verdict hypotheses. */
interface HypothesisBasis {
  readonly registered: Pick<Registered, 'tests' | 'candidates' | 'comparators' | 'rules'>
  readonly find: WholeTests
  readonly testOf: FilledTestOf
  /** The steps that can be tested. */
  readonly steps: readonly number[]
  /** Whether the comparator of a direction test calls a direction often enough. */
  readonly isAsked: (test: ScopedTest) => boolean
  /** What a comparator is charged in the overall part, key by key; all of its loss if undefined. */
  readonly charged: (comparator: string) => ChargedShare | undefined
}

/**
 * One per candidate: its overall loss is lower than every comparator's, at no step the limit of harm is exceeded, nor
 * the limit of the mean direction error over the steps.
 */
export function hypothesesOf(basis: HypothesisBasis): VerdictHypothesis[] {
  const { candidates, comparators, rules } = basis.registered
  const weight = rules.weights?.verdict ?? 0
  return candidates.map(({ name: candidate }) => {
    const against = comparators.map(({ name: comparator }) =>
      partsAgainst(basis, { candidate, comparator }),
    )
    return {
      candidate,
      weight: weight / candidates.length,
      parts: against.flatMap(({ parts }) => parts),
      implies: against.map(({ overall }) => overall),
    }
  })
}

interface Pair {
  readonly candidate: string
  readonly comparator: string
}

function partsAgainst(basis: HypothesisBasis, pair: Pair) {
  const { registered, find, testOf, steps, charged } = basis
  const { comparator } = pair
  const role = 'point_loss'
  const overall = find({ ...pair, role, step: 'overall' }) as number
  const first: VerdictPart = {
    ...{ comparator, measure: role, horizon: 'overall', limit: 0 },
    test: testOf(registered.tests[overall] as ScopedTest, 'worst', charged(comparator)),
  }
  const losses = steps.flatMap((step): VerdictPart[] => {
    const at = find({ ...pair, role, step })
    // A comparator may be required for no series at a step.
    if (at === undefined) return []
    const test = testOf(registered.tests[at] as ScopedTest, 'worst')
    const { comparatorMean: mean } = test
    const limit = mean === null ? null : registered.rules.limits.harm * mean
    return [{ comparator, measure: role, horizon: step, test, limit }]
  })
  return { overall, parts: [first, ...losses, ...directionPart(basis, pair)] }
}

/** The mean of the direction error over the steps at which it is tested. */
function directionPart(
  { registered, find, testOf, steps, isAsked }: HypothesisBasis,
  pair: Pair,
): VerdictPart[] {
  const role = 'direction_error'
  const asked = steps.flatMap((step) => {
    const test = registered.tests[find({ ...pair, role, step }) ?? -1]
    return test !== undefined && isAsked(test) ? [test] : []
  })
  const [first] = asked
  if (first === undefined) return []
  const made = asked.map((test) => testOf(test, 'worst'))
  const test = {
    name: meanDirectionName(pair.candidate, pair.comparator, first.measure),
    components: made.flatMap(({ components }) => components),
    memory: made[0]!.memory,
  }
  const limit = registered.rules.limits.direction ?? Number.NaN
  return [{ comparator: pair.comparator, measure: role, horizon: 'overall', test, limit }]
}

/**
 * The tests of the simultaneous bounds, and their level: one for the overall tests, one for all other deciding tests,
 * of all candidates together. Tests that do not decide have none, nor have groups, which make no candidate negative.
 * Missing outcomes count as the best for the candidate.
 */
export function simultaneousOf(
  tests: readonly ScopedTest[],
  alpha: number,
  testOf: FilledTestOf,
): (test: ScopedTest) => EwcFamilyTest['simultaneous'] {
  const isBounded = ({ decides, group }: ScopedTest) => decides && group === 'all'
  const isOverall = ({ step }: ScopedTest) => step === 'overall'
  const bounded = tests.filter(isBounded)
  const overall = bounded.filter(isOverall).length
  return (test) => {
    if (!isBounded(test)) return undefined
    const sharing = isOverall(test) ? overall : bounded.length - overall
    return { test: testOf(test, 'best'), level: simultaneousLevel(alpha, sharing) }
  }
}

/**
 * The share of alpha that each test starts with: the weight of its kind, divided equally. Null if all share it equally.
 */
export function weightsIn({ tests, rules: { weights } }: Registered): readonly number[] | null {
  if (weights === null) return null
  const deciding = tests.filter(({ decides }) => decides).length
  return tests.map(({ decides }) =>
    decides ? weights.deciding / deciding : (weights.other as number) / (tests.length - deciding),
  )
}
