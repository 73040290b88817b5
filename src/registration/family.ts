import type { ReadonlyDeep } from '../contract/readonly-deep.js'
import { remembering } from '../contract/remembering.js'
import type { Registration, RulesData } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import type { Memory } from '../inference/ewc.js'
import type { StratumLevel } from '../pairing/plan.js'
import type { Rules } from '../protocol/rules/compile.js'
import { groupBySeries, listGroups } from '../protocol/rules/groups.js'
import { askedIn } from '../scoring/baselines/reach.js'
import { levelNames } from './strata.js'
import type { TestDefinition } from './test-definition.js'

/** The parts of a registration that determine the family, besides its rules. */
export interface FamilyBasis {
  readonly candidates: readonly Named[]
  readonly comparators: readonly Named[]
  /** Comparators that are not required for every series. */
  readonly not_asked?: NotAsked
}
type Named = Pick<Registration['candidates'][number], 'name'>
type NotAsked = Parameters<typeof askedIn>[0]

/** The parts of a protocol that determine it. */
type FamilyRules = ReadonlyDeep<
  Pick<RulesData, 'series' | 'steps' | 'scores' | 'baselines' | 'strata'>
>

/** A series at a step. */
export interface FamilyCell {
  readonly series: string
  readonly horizon: number
}

/** The cells that are registered for tests: those that have as many keys in a window as a test needs. */
export function registeredCells(
  rules: Pick<Rules, 'dependence' | 'calendar' | 'targetsAt'> & FamilyRules,
  origins: readonly number[],
): FamilyCell[] {
  const { series, steps, dependence, calendar, targetsAt } = rules
  const keysFrom = remembering((from: number) => {
    const counts = new Map(steps.map((step) => [step, 0]))
    for (const origin of origins) {
      for (const step of targetsAt(origin)) {
        if (origin + step >= from) counts.set(step, (counts.get(step) ?? 0) + 1)
      }
    }
    return counts
  })
  return series.flatMap(({ id, from }) => {
    const keys = keysFrom(from === null ? Number.NEGATIVE_INFINITY : calendar.position(from))
    const tested = steps.filter((step) => (keys.get(step) ?? 0) >= dependence.minimum_pairs)
    return tested.map((horizon) => ({ series: id, horizon }))
  })
}

const everyCell = ({ series, steps }: FamilyRules): FamilyCell[] =>
  series.flatMap(({ id }) => steps.map((horizon) => ({ series: id, horizon })))

/**
 * Every test of the family in its fixed order: by candidate and comparator, then by stratum level (all origins first)
 * the overall primary score and, step by step, each tested score; then for each group of series the overall test of
 * each deciding score. Against a comparator, the cells are those of the series for which it is required; a step or a
 * group without a cell has no test. There is no direction test against persistence, which calls no direction.
 * If the protocol has two names for one model, they make one comparator, not the same tests twice.
 * @param cells - registered for tests; default: all.
 */
export function enumerateFamily(
  rules: FamilyRules,
  { candidates, comparators, not_asked: unasked = [] }: FamilyBasis,
  cells: readonly FamilyCell[] = everyCell(rules),
): TestDefinition[] {
  const { steps, scores, baselines, strata } = rules
  const isAsked = askedIn(unasked)
  const groupIn = groupBySeries(rules)
  const groups = listGroups(rules)
  const scored = scores.filter(({ tested }) => tested !== null)
  const still = new Set(baselines.flatMap((of) => (of.kind === 'persistence' ? [of.id] : [])))
  const listScopes = remembering((comparator: string): Scope[] => {
    const askedCells = cells.filter(({ series }) => isAsked(comparator, series))
    const asked = steps.filter((step) => askedCells.some(({ horizon }) => horizon === step))
    const present = new Set(askedCells.map(({ series }) => groupIn.get(series)))
    const tested = scored.filter(({ kind }) => kind !== 'direction' || !still.has(comparator))
    const primary = tested.filter((score) => score.primary)
    const deciding = tested.filter((score) => score.tested === 'deciding')
    const overall = (of: Pick<Scope, 'stratum' | 'group'>, ids: readonly Score[]) =>
      ids.map((score): Scope => ({ score, horizon: 'overall', ...of }))
    return [
      ...stratumLevels(strata).flatMap((stratum) => [
        ...overall({ stratum, group: 'all' }, primary),
        ...asked.flatMap((horizon) =>
          tested.map((score): Scope => ({ score, horizon, stratum, group: 'all' })),
        ),
      ]),
      ...groups
        .filter((group) => present.has(group))
        .flatMap((group) => overall({ stratum: 'all', group }, deciding)),
    ]
  })
  return candidates.flatMap(({ name: candidate }) =>
    comparators.flatMap(({ name: comparator }) =>
      listScopes(comparator).map((scope) => definition(candidate, comparator, scope)),
    ),
  )
}

type Score = FamilyRules['scores'][number]

/** A test without its models. */
interface Scope extends Pick<TestDefinition, 'horizon' | 'stratum' | 'group'> {
  readonly score: Score
}

function definition(
  candidate: string,
  comparator: string,
  { score, horizon, stratum, group }: Scope,
): TestDefinition {
  const { id: measure, kind, primary, tested } = score
  const parts = [candidate, comparator, measure].map(namePart)
  return {
    name: [...parts, horizon, scopeName(stratum, group)].join('/'),
    ...{ candidate, comparator, measure },
    role: primary ? 'point_loss' : kind === 'direction' ? 'direction_error' : 'other',
    memory: scoreMemory(kind),
    ...{ horizon, stratum, group },
    decides: stratum === 'all' && tested === 'deciding',
  }
}

/** A part of the origins or of the series, as tests and results name it. */
export function scopeName(stratum: StratumLevel, group: string): string {
  if (stratum !== 'all') return `stratum:${namePart(stratum.name)}=${namePart(stratum.level)}`
  return group === 'all' ? group : `group=${namePart(group)}`
}

/** Widths of intervals follow volatility, which depends over days; errors of points do not. */
export const scoreMemory = (kind: Score['kind']): Memory =>
  kind === 'absolute_error' || kind === 'direction' ? 'hours' : 'days'

/** How long differences of the primary score depend on each other. */
export const primaryMemory = ({ scores }: Pick<RulesData, 'scores'>): Memory =>
  scoreMemory(scores.find(({ primary }) => primary)?.kind ?? 'absolute_error')

/** All origins, then every level of every stratum in the order of the registration. */
export function stratumLevels(strata: FamilyRules['strata']): StratumLevel[] {
  const named = strata.flatMap((of) => levelNames(of).map((level) => ({ name: of.name, level })))
  return ['all', ...named]
}

/**
 * SHA-256 of the names, each followed by a line feed: the same as `sha256sum` of a list of them. If they share alpha by
 * weights, one more line per weight is added.
 */
export function familyDigest(names: readonly string[], weights: RulesData['weights']): string {
  const shares = KINDS.flatMap((kind) => {
    const weight = weights?.[kind] ?? null
    return weight === null ? [] : [`${kind} ${weight}`]
  })
  return sha256Hex([...names, ...shares].map((line) => `${line}\n`).join(''))
}

const KINDS = ['verdict', 'deciding', 'other'] as const

/** How many tests share alpha; with a verdict, except those that the registration itself rules out. */
export interface SharingTests {
  /** The overall tests among them. */
  readonly deciding: number
  readonly overall: number
  readonly other: number
}

type Comparators = readonly Pick<Registration['comparators'][number], 'source' | 'name'>[]

/** @param weights - null if tests have none. */
export function countSharingTests(
  tests: readonly TestDefinition[],
  weights: RulesData['weights'],
  comparators: Comparators,
): SharingTests {
  const sharing = tests.filter((test) => sharesAlpha(test, weights, comparators))
  const deciding = sharing.filter(({ decides }) => decides)
  return {
    deciding: deciding.length,
    overall: deciding.filter(({ horizon }) => horizon === 'overall').length,
    other: sharing.length - deciding.length,
  }
}

/** The share of alpha that each test starts with: the weight of its kind, divided equally. */
export function testWeights(
  tests: readonly TestDefinition[],
  weights: NonNullable<RulesData['weights']>,
  comparators: Comparators,
): number[] {
  const { deciding, other } = countSharingTests(tests, weights, comparators)
  return tests.map((test) => {
    if (!sharesAlpha(test, weights, comparators)) return 0
    return test.decides ? weights.deciding / deciding : (weights.other ?? 0) / other
  })
}

/**
 * With a verdict hypothesis, a test that the registration itself rules out has no weight. A test that only the outcomes
 * rule out keeps its weight, as does every test without such hypotheses.
 */
function sharesAlpha(
  test: TestDefinition,
  weights: RulesData['weights'],
  comparators: Comparators,
): boolean {
  return (weights?.verdict ?? null) === null || !isRuledOut(test, comparators)
}

/** Whether the registration itself rules a test out: persistence never calls a direction. */
function isRuledOut(
  { role, comparator }: Pick<TestDefinition, 'role' | 'comparator'>,
  comparators: Comparators,
): boolean {
  if (role !== 'direction_error' || comparator !== 'persistence') return false
  return comparators.some(({ source, name }) => name === comparator && source === 'built_in')
}

/** The mean of the direction error over the horizons: a part of a verdict hypothesis, not a test of the family. */
export function meanDirectionName(
  candidate: string,
  comparator: string,
  measure = 'direction_error',
): string {
  return `${[candidate, comparator, measure].map(namePart).join('/')}/mean/all`
}

/** Names may contain anything; escaping the separators keeps two tests from having the same name. */
export function namePart(name: string): string {
  return name.replace(/[%/=:]/g, encodeURIComponent)
}
