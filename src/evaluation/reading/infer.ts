import type { GroupHarm } from '../../inference/disposition.js'
import { ewcFamily } from '../../inference/ewc-family.js'
import { ANY_PAIR, judgedBounds } from '../../inference/ewc-judge.js'
import type { FamilyTest, Progress } from '../../inference/family-input.js'
import { runFamily } from '../../inference/run-family.js'
import type { Bounds, JudgedTest } from '../../inference/test-result.js'
import type { JudgedVerdict } from '../../inference/verdict.js'
import type { EvaluateOptions } from '../pair.js'
import type { ReadingPlan } from './basis.js'
import {
  assignSimultaneousBounds,
  createHypotheses,
  indexWholeTests,
  type WholeTests,
  weightsIn,
} from './hypotheses.js'
import type { ScopedTest } from './registered.js'
import type { FilledTest, SummedTest, SummedTests } from './tests.js'

/** Every registered test, in the order of the family, after the ladder. */
export interface ReadingTests {
  readonly find: WholeTests
  readonly summed: readonly SummedTest[]
  /** By either method. */
  readonly judged: readonly JudgedTest[]
  /** The share of alpha that each test starts with; null if all share it equally. */
  readonly weights: readonly number[] | null
  /** One per candidate; null if nothing is decided. */
  readonly verdicts: readonly JudgedVerdict[] | null
  readonly groups: readonly HarmedGroup[]
  /**
   * Standard comparators for which only the estimate is required, so that they are not part of a verdict hypothesis.
   */
  readonly farOff: readonly string[]
}

/** How much worse a group may be, with the worst values filled in for missing outcomes. */
export interface HarmedGroup extends GroupHarm {
  readonly of: ScopedTest
}

/** The tests of a reading, and the bounds of its means by model and measure. */
export interface InferredReading {
  readonly tests: ReadingTests
  readonly bounds: ReadonlyMap<string, Bounds>
}

/** The ladder over the family, by cosines, with one verdict hypothesis per candidate. */
export function inferReading(
  of: ReadingPlan,
  summed: SummedTests,
  farOff: readonly string[],
): ReadingTests {
  const { rules, tests } = of.registered
  const find = indexWholeTests(tests)
  const weights = weightsIn(of.registered)
  const getBounds = assignSimultaneousBounds(tests, rules.alpha)
  const given = summed.tests.map((each, at) => ({
    judged: each.judged,
    weight: weights?.[at] as number,
    simultaneous: getBounds(tests[at] as ScopedTest, each),
  }))
  const ladder = ewcFamily(given, rules.alpha, createHypotheses({ of, find, summed, farOff }))
  return {
    ...{ find, weights, farOff, summed: summed.tests },
    ...{ judged: ladder.tests, verdicts: ladder.verdicts },
    groups: harmedGroups(of, summed.tests),
  }
}

/** With more groups only the estimate is tested, because many bounds would rarely all hold. */
const MOST_BOUNDED_GROUPS = 5
/** The level outside both ends of their bounds: the upper bound is one-sided, of 90 %. */
const GROUP_LEVEL = 0.2

function harmedGroups(
  { registered: { tests, groups } }: ReadingPlan,
  summed: readonly SummedTest[],
): HarmedGroup[] {
  return tests.flatMap((of, at) => {
    if (of.group === 'all' || of.role !== 'point_loss') return []
    const { judged, comparatorMean: comparatorLoss } = summed[at]!.filled.worst as FilledTest
    const adjusted =
      groups.length > MOST_BOUNDED_GROUPS
        ? judged.counts.observed
        : (judgedBounds(judged, GROUP_LEVEL)?.upper ?? null)
    return [
      {
        of,
        group: of.group,
        test: of.name,
        found: adjusted,
        comparatorLoss,
        reasons: judged.reasons,
      },
    ]
  })
}

/** The family, and the means of the models, by the percentile bootstrap, which decides nothing. */
export async function drawReading(
  of: ReadingPlan,
  { tests: summed }: SummedTests,
  own: readonly FamilyTest[],
  { replicates, seed }: { readonly replicates: number; readonly seed: number },
  { onProgress, ...options }: EvaluateOptions,
): Promise<InferredReading> {
  const { registered, plan } = of
  const { originsADay: _, leastBlocks: _least, ...design } = of.design
  const drawing = { ...design, origins: plan.origins.count, replicates, seed, ...options }
  const total = summed.length + own.length
  const progressFrom =
    (first: number, count: number) =>
    ({ completed, total: steps }: Progress) =>
      onProgress?.('bootstrap', first + Math.floor((completed / steps) * count), total)
  const family = await runFamily({
    ...drawing,
    tests: summed.map(({ judged, components }) => ({ name: judged.counts.name, components })),
    onProgress: progressFrom(0, summed.length),
  })
  const means = await runFamily({
    ...{ ...drawing, ...ANY_PAIR, tests: own },
    onProgress: progressFrom(summed.length, own.length),
  })
  const tests = {
    ...{ find: indexWholeTests(registered.tests), weights: weightsIn(registered), summed },
    ...{ judged: family.tests, verdicts: null, groups: [], farOff: [] },
  }
  const bounds = means.tests.flatMap((test) =>
    test.status === 'tested' ? [[test.name, test.bounds] as const] : [],
  )
  return { tests, bounds: new Map(bounds) }
}
