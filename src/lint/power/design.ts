import type { StratumDefinition } from '../../contract/types.js'
import { degreesOfFreedom, leastBlocks, type Memory } from '../../inference/ewc.js'
import type { ComparisonTest } from '../../inference/family-series.js'
import { studentQuantile } from '../../inference/student-t.js'
import type { InferenceDesign } from '../../inference/types.js'
import type { Measure } from '../../registration/types.js'

/** Kinds of tests that need the same |t|. */
export const TEST_KINDS = ['overall', 'point', 'direction', 'other', 'strata'] as const
export type TestKind = (typeof TEST_KINDS)[number]

/** What the tests of one kind need in the planned window. */
export interface NeededT {
  readonly kind: TestKind
  readonly memory: Memory
  readonly tests: number
  /** Share of alpha that one of them begins with. */
  readonly weight: number
  readonly level: number
  readonly degrees: number
  /** Of a level of a stratum, which has fewer blocks, at least this. */
  readonly needed: number
}

/** Why no test of a window of this length has a p-value; undefined where it has. */
export type WindowFault = 'too_few_blocks' | 'too_few_pairs'

export function windowFault(
  { blockLength, minimumBlocks, minimumPairs }: PlannedDesign,
  origins: number,
): WindowFault | undefined {
  const blocks = Math.floor(origins / blockLength)
  if (blocks < leastBlocks('ewc-t', minimumBlocks)) return 'too_few_blocks'
  return origins < minimumPairs ? 'too_few_pairs' : undefined
}

/** The |t| that each kind of test needs in the first step of the ladder. */
export function neededByKind(design: PlannedDesign): NeededT[] {
  const groups = new Map<string, { kind: TestKind; tests: WeighedTest[] }>()
  for (const test of design.tests) {
    const kind = kindOf(test)
    const key = `${kind} ${test.memory}`
    const group = groups.get(key) ?? { kind, tests: [] }
    group.tests.push(test)
    groups.set(key, group)
  }
  const blocks = Math.floor(design.origins / design.blockLength)
  const found = [...groups.values()].map(({ kind, tests }) => {
    const { weight, memory } = tests[0] as WeighedTest
    const level = design.alpha * weight
    const degrees = degreesOfFreedom(blocks, memory)
    const needed = studentQuantile(level, degrees)
    return { kind, memory, tests: tests.length, weight, level, degrees, needed }
  })
  return found.sort((a, b) => TEST_KINDS.indexOf(a.kind) - TEST_KINDS.indexOf(b.kind))
}

/** The overall test in a window of this length; the weights of the family are the same in any. */
export function overallRung(design: PlannedDesign, origins: number): Rung {
  const overall = design.tests.find((test) => kindOf(test) === 'overall') as WeighedTest
  const blocks = Math.floor(origins / design.blockLength)
  const degrees = degreesOfFreedom(blocks, overall.memory)
  const level = design.alpha * overall.weight
  return { origins, blocks, degrees, level, needed: studentQuantile(level, degrees) }
}

function kindOf({ stratum, horizon, measure }: WeighedTest): TestKind {
  if (stratum !== 'all') return 'strata'
  if (horizon === 'overall') return 'overall'
  const kinds: Partial<Record<Measure, TestKind>> = {
    point_loss: 'point',
    direction_error: 'direction',
  }
  return kinds[measure as Measure] ?? 'other'
}

/** A registered test with its share of alpha. */
export interface WeighedTest extends ComparisonTest {
  readonly decides: boolean
  /** All weights of the family add up to 1. */
  readonly weight: number
  readonly memory: Memory
}

/** What of a plan and its protocol says how well it can find something. */
export interface PlannedDesign extends InferenceDesign {
  readonly tests: readonly WeighedTest[]
  readonly horizons: readonly number[]
  readonly strata: readonly StratumDefinition[]
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
}

/** How a candidate's errors go with those of the comparator. */
export interface Resemblance {
  /** Correlation of the two errors, in [0, 1). */
  readonly correlation: number
  /** The candidate whose past it was estimated from; null where it is assumed. */
  readonly candidate: string | null
  /** Pairs behind the estimate; null where it is assumed. */
  readonly pairs: number | null
}

/** The overall test of one candidate against one comparator, in a window of a given length. */
export interface Rung {
  readonly origins: number
  readonly blocks: number
  readonly degrees: number
  /** What |t| has to exceed in the first step of Holm's ladder. */
  readonly needed: number
  /** The level that t stands for. */
  readonly level: number
}
