import type { EwcFamilyTest } from '../../inference/ewc-family.js'
import {
  simultaneousLevel,
  type VerdictHypothesis,
  type VerdictPart,
} from '../../inference/verdict.js'
import type { ReadingPlan } from './basis.js'
import { isChargedIn, type Registered, type ScopedTest } from './registered.js'
import type { FilledTest, SummedTest, SummedTests } from './tests.js'

/** Looks up tests over all origins and series. */
export type WholeTests = ReturnType<typeof indexWholeTests>

type Wanted = Pick<ScopedTest, 'candidate' | 'comparator' | 'step' | 'role'>

/** The positions of the tests of a family over all origins and series, by their other properties. */
export function indexWholeTests(tests: readonly ScopedTest[]) {
  const hypothesisKey = ({ candidate, comparator, step, role }: Wanted) =>
    JSON.stringify([candidate, comparator, step, role])
  const positions = new Map(
    tests.flatMap((test, at) =>
      test.stratum === 'all' && test.group === 'all' && test.role !== null
        ? [[hypothesisKey(test), at] as const]
        : [],
    ),
  )
  return (wanted: Wanted): number | undefined => positions.get(hypothesisKey(wanted))
}

/** The input of verdict hypotheses. */
interface HypothesisBasis {
  readonly of: ReadingPlan
  readonly find: WholeTests
  readonly summed: SummedTests
  /** Comparators that are no part of a hypothesis. */
  readonly farOff: readonly string[]
}

/**
 * One per candidate: its overall loss is lower than every comparator's, at no step the limit of harm is exceeded, nor
 * the limit of the mean direction error over the steps.
 */
export function createHypotheses(basis: HypothesisBasis): VerdictHypothesis[] {
  const { candidates, comparators, rules } = basis.of.registered
  const weight = rules.weights?.verdict ?? 0
  const asked = comparators.filter(({ name }) => !basis.farOff.includes(name))
  return candidates.map(({ name: candidate }) => {
    const against = asked.map(({ name: comparator }) =>
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
  const { of, find, summed, farOff } = basis
  const { comparator } = pair
  const { harm } = of.registered.rules.limits
  const role = 'point_loss'
  const overall = find({ ...pair, role, step: 'overall' }) as number
  const { charged, worst } = (summed.tests[overall] as SummedTest).filled
  const first: VerdictPart = {
    ...{ comparator, measure: role, horizon: 'overall', limit: 0 },
    judged: (isChargedIn(of.registered, comparator, farOff) && charged
      ? charged
      : (worst as FilledTest)
    ).judged,
  }
  const losses = of.testedSteps.flatMap((step): VerdictPart[] => {
    const at = find({ ...pair, role, step })
    // A comparator may be required for no series at a step.
    if (at === undefined) return []
    const { judged, comparatorMean: mean } = summed.tests[at]!.filled.worst as FilledTest
    const limit = mean === null ? null : harm * mean
    return [{ comparator, measure: role, horizon: step, judged, limit }]
  })
  return { overall, parts: [first, ...losses, ...directionPart(basis, pair)] }
}

/** The mean of the direction error over the steps at which it is tested. */
function directionPart(
  { of: { registered }, summed }: HypothesisBasis,
  { candidate, comparator }: Pair,
): VerdictPart[] {
  const judged = summed.direction(candidate, comparator)
  if (judged === undefined) return []
  const limit = registered.rules.limits.direction ?? Number.NaN
  return [{ comparator, measure: 'direction_error', horizon: 'overall', judged, limit }]
}

/**
 * The tests of the simultaneous bounds, and their level: one for the overall tests, one for all other deciding tests,
 * of all candidates together. Tests that do not decide have none, nor have groups, which make no candidate negative.
 * Missing outcomes count as the best for the candidate.
 */
export function assignSimultaneousBounds(
  tests: readonly ScopedTest[],
  alpha: number,
): (test: ScopedTest, summed: SummedTest) => EwcFamilyTest['simultaneous'] {
  const isOverall = ({ step }: ScopedTest) => step === 'overall'
  const bounded = tests.filter(({ decides, group }) => decides && group === 'all')
  const overall = bounded.filter(isOverall).length
  return (test, { filled: { best } }) => {
    if (best === undefined) return undefined
    const sharing = isOverall(test) ? overall : bounded.length - overall
    return { judged: best.judged, level: simultaneousLevel(alpha, sharing) }
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
