import type { Power, Registration, RulesData } from '../../contract/types.js'
import { LEAST_DAYS } from '../../inference/days.js'
import { degreesOfWindow, HOURS_A_DAY, leastBlocks } from '../../inference/ewc.js'
import type { EwcDesign } from '../../inference/ewc-judge.js'
import { studentQuantile } from '../../inference/student-t.js'
import type { TestDefinition } from '../../registration/test-definition.js'

type Needed = Power['needed'][number]

/** Kinds of tests that need the same |t|. */
const TEST_KINDS = ['verdict', 'overall', 'point', 'direction', 'other', 'strata'] as const
type TestKind = Needed['tests']

/** Why no test of a window of this length has a p-value; undefined if one has. */
export type WindowFault = 'too_few_blocks' | 'too_few_days' | 'too_few_pairs'

export function findWindowFault(
  { blockLength, minimumBlocks, minimumPairs }: PlannedDesign,
  origins: number,
): WindowFault | undefined {
  const blocks = Math.floor(origins / blockLength)
  if (blocks < leastBlocks('ewc-t', minimumBlocks)) return 'too_few_blocks'
  if (origins < LEAST_DAYS * HOURS_A_DAY) return 'too_few_days'
  return origins < minimumPairs ? 'too_few_pairs' : undefined
}

/** The |t| that each kind of test needs in the first step of the ladder. */
export function neededByKind(design: PlannedDesign): Needed[] {
  const { tests, origins, alpha, verdict } = design
  const byKind = new Map<string, Needed & { count: number }>()
  for (const test of tests) {
    const { memory, weight } = test
    if (weight === 0) continue
    const kind = testKind(test)
    const same = byKind.get(`${kind} ${memory}`)
    if (same !== undefined) {
      same.count++
      continue
    }
    const level = alpha * weight
    const degrees_of_freedom = degreesOfWindow(design, memory)
    const t = studentQuantile(level, degrees_of_freedom)
    const needed = { tests: kind, memory, count: 1, weight, level, degrees_of_freedom, t }
    byKind.set(`${kind} ${memory}`, needed)
  }
  const needed = [...byKind.values()].sort(
    (a, b) => TEST_KINDS.indexOf(a.tests) - TEST_KINDS.indexOf(b.tests),
  )
  if (verdict === undefined) return needed
  const { degrees: degrees_of_freedom, level, needed: t } = overallRung(design, origins)
  const of = { memory: 'hours', count: countCandidates(verdict), weight: level / alpha } as const
  return [{ tests: 'verdict', ...of, level, degrees_of_freedom, t }, ...needed]
}

/**
 * What decides in a window of this length: the verdict hypothesis of a candidate or, without one, the overall test. The
 * weights of the family are the same for all lengths.
 */
export function overallRung(design: PlannedDesign, origins: number): Rung {
  const { tests, alpha, blockLength, verdict } = design
  const overall = tests.find((test) => testKind(test) === 'overall') as WeighedTest
  const degrees = degreesOfWindow({ origins, blockLength }, overall.memory)
  const level = alpha * (verdict ? verdict.weight / countCandidates(verdict) : overall.weight)
  return { origins, degrees, level, needed: studentQuantile(level, degrees) }
}

const countCandidates = ({ registration }: PlannedVerdict): number => registration.candidates.length

const KINDS = { point_loss: 'point', direction_error: 'direction', other: 'other' } as const

function testKind({ stratum, horizon, role }: WeighedTest): TestKind {
  if (stratum !== 'all') return 'strata'
  if (horizon === 'overall') return 'overall'
  return KINDS[role]
}

/** A registered test with its share of alpha. */
export interface WeighedTest extends TestDefinition {
  /** The weights of the family sum to 1. */
  readonly weight: number
}

/** The parts of a plan and its protocol that determine its power. */
export interface PlannedDesign
  extends Pick<EwcDesign, 'blockLength' | 'minimumBlocks' | 'minimumPairs' | 'alpha'> {
  readonly origins: number
  readonly tests: readonly WeighedTest[]
  readonly horizons: readonly number[]
  readonly strata: RulesData['strata']
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
  /** Absent if the plan has no verdict hypotheses. */
  readonly verdict?: PlannedVerdict
}

/** The inputs of a plan's verdict hypotheses. */
export interface PlannedVerdict {
  readonly registration: Registration
  /** Sum over all hypotheses. */
  readonly weight: number
  /** The minimum for every overall estimate: the practical floor plus what waiting is worth. */
  readonly floor: number
  /** The share of a comparator's overall loss that is charged. */
  readonly waiting: number
}

/**
 * The correlation of a candidate's errors with those of the comparator; without candidate and pairs if it is assumed.
 */
export type Resemblance = Readonly<
  Pick<Power['predictions'][number], 'correlation' | 'candidate' | 'pairs'>
>

/** The deciding test in a window of a given length. */
export interface Rung {
  readonly origins: number
  readonly degrees: number
  /** What |t| has to exceed in the first step of Holm's ladder. */
  readonly needed: number
  /** The level for this t. */
  readonly level: number
}
