import { remembering } from '../../contract/remembering.js'
import { cosineTables } from '../../inference/cosines.js'
import { originsADay } from '../../inference/days.js'
import type { GroupHarm } from '../../inference/disposition.js'
import type { Memory } from '../../inference/ewc.js'
import { ewcFamily } from '../../inference/ewc-family.js'
import {
  ANY_PAIR,
  boundsBeside,
  type EwcDesign,
  judgedBounds,
  judgeTest,
} from '../../inference/ewc-judge.js'
import {
  cellDifferences,
  familySeries,
  gapTests,
  type SeriesTest,
} from '../../inference/family-series.js'
import { runFamily } from '../../inference/run-family.js'
import type { Bounds, FamilyTest, JudgedTest, Progress } from '../../inference/types.js'
import type { JudgedVerdict } from '../../inference/verdict.js'
import type { StratumLevel } from '../../pairing/types.js'
import type { Rules } from '../../protocol/rules/compile.js'
import { testDesign } from '../../registration/design.js'
import { memoryOf } from '../../registration/family.js'
import { directedOrigins } from '../../registration/limits.js'
import { askedIn } from '../../scoring/baselines/reach.js'
import type { ScoredCell } from '../../scoring/cells.js'
import { countOutcomes, countWithheld } from '../../scoring/differences.js'
import { meanOf, meanOfMeans } from '../../scoring/sum.js'
import type { Estimand } from '../../scoring/types.js'
import type { EvaluateOptions, Paired } from '../pair.js'
import type { Waiting } from '../waiting.js'
import { cellsIn, type ReadingCell, testedSteps } from './cells.js'
import {
  type FilledTestOf,
  hypothesesOf,
  simultaneousOf,
  type WholeTests,
  weightsIn,
  wholeTests,
} from './hypotheses.js'
import type { Registered, ScopedTest } from './registered.js'

/** The input of the tests: the pairs, scored one cell at a time. */
export interface ReadingBasis {
  readonly registered: Registered
  readonly paired: Paired
  readonly waiting: Waiting
  readonly cells: readonly ReadingCell[]
  readonly cellOf: (model: string, cell: number) => ScoredCell
}

/** Every registered test with the figures that its result is compared with, in the order of the family. */
export interface ReadingTests {
  readonly find: WholeTests
  readonly series: readonly SeriesTest[]
  /** By either method. */
  readonly judged: readonly JudgedTest[]
  /** The share of alpha that each test starts with; null if all share it equally. */
  readonly weights: readonly number[] | null
  /** One per candidate; null if nothing is decided. */
  readonly verdicts: readonly JudgedVerdict[] | null
  /** The cells over which a test takes its mean. */
  readonly cellsOf: (test: ScopedTest) => readonly ReadingCell[]
  /** Whether a test can be part of a verdict: a direction test only if the comparator calls a direction often enough. */
  readonly isAsked: (test: ScopedTest) => boolean
  readonly testOf: FilledTestOf
  readonly groups: readonly HarmedGroup[]
  /** The share of its loss that a comparator is charged in a cell, by origin; undefined if it is charged nothing. */
  readonly charged: (comparator: string) => Waiting['left'] | undefined
  /**
   * Standard comparators for which only the estimate is required, so that they are not part of a verdict hypothesis.
   */
  readonly farOff: readonly string[]
  /** Bounds of means outside of tests, by `ownMean`; absent if they cannot be computed. */
  readonly ownBounds: ReadonlyMap<string, Bounds>
}

/** How much worse a group may be, with the worst values filled in for missing outcomes. */
export interface HarmedGroup extends GroupHarm {
  readonly of: ScopedTest
}

/** Tests the registered family by the method of its protocol, with one verdict hypothesis per candidate. */
export async function inferReading(
  basis: ReadingBasis,
  own: readonly OwnMean[],
  options: EvaluateOptions,
): Promise<ReadingTests> {
  const { registered, paired, cells, cellOf } = basis
  const { rules, tests } = registered
  const { cellsOf, isAsked } = askedCells(basis)
  const estimandOf = (measure: string) => estimandIn(rules, measure)
  const shownIn = (test: ScopedTest) =>
    cellsOf(test).flatMap(({ id, isShown }) => (isShown ? [id] : []))
  const source = { cellsIn: shownIn, cellOf, estimandOf }
  const differences = cellDifferences<ScopedTest>(source)
  // A test without a cell stays in the family, and is blocked.
  const orEmpty = <T extends FamilyTest>(test: T): T =>
    test.components.length > 0 ? test : { ...test, components: [emptyIn(paired)] }
  const series = familySeries(tests, source, paired.memberships, differences).map(orEmpty)
  const every = { ...source, cellsIn: (test: ScopedTest) => cellsOf(test).map(({ id }) => id) }
  const filled = gapTests(
    every,
    differences,
    cells.filter(({ inTest }) => inTest),
  )
  const judgedBy = judgedByIn(basis, cellsOf)
  const testOf: FilledTestOf = (...of) => {
    const made = orEmpty(filled(...of))
    return { ...made, ...judgedBy(of[0], made) }
  }
  const charged = chargedIn(basis)
  const farOff = farOffIn(basis)
  const common = { find: wholeTests(tests), series, cellsOf, isAsked, testOf, charged, farOff }
  const weights = weightsIn(registered)
  if (rules.test.method === 'percentile-bootstrap') {
    const { judged, ownBounds } = await byBootstrap(basis, series, own, rules.test, options)
    return { ...common, weights, judged, ownBounds, verdicts: null, groups: [] }
  }
  const design = designIn(basis)
  const boundsOf = simultaneousOf(tests, rules.alpha, testOf)
  const given = series.map((each, at) => {
    const test = tests[at] as ScopedTest
    const weight = weights?.[at] as number
    return { ...each, ...judgedBy(test, each), weight, simultaneous: boundsOf(test) }
  })
  const isGivenAway = rules.origins.waiting === 'part_of_the_task'
  const comparators = registered.comparators.filter(({ name }) => !farOff.includes(name))
  const hypotheses = hypothesesOf({
    ...{ find: common.find, testOf, steps: testedSteps(rules, cells) },
    registered: { ...registered, comparators },
    isAsked,
    charged: isGivenAway ? () => undefined : charged,
  })
  const ladder = ewcFamily(given, design, hypotheses)
  return {
    ...{ ...common, weights },
    ...{ judged: ladder.tests, verdicts: ladder.verdicts },
    groups: harmedGroups(registered, testOf, design),
    ownBounds: boundsByCosines(own, design),
  }
}

/** The settings of the tests of a registered window. */
export function designIn({ registered: { rules }, paired }: ReadingBasis): EwcDesign {
  const { origins } = paired.plan
  const dues = Float64Array.from({ length: origins.count }, (_, at) =>
    rules.due(origins.position(at)),
  )
  return { ...testDesign(rules), originsADay: originsADay(dues) }
}

/** The estimand of a score: the point, or an interval that may be missing although the point is not. */
export function estimandIn({ scores, forecast }: Rules, measure: string): Estimand {
  const kind = scores.find(({ id }) => id === measure)?.kind
  const isOfPoint = kind === 'absolute_error' || kind === 'direction'
  return forecast.interval === 'required' || isOfPoint ? 'point' : 'interval'
}

/** How long differences of a score depend on each other: widths of intervals longer than errors of points. */
export function memoryIn({ scores }: Pick<Rules, 'scores'>, measure: string): Memory {
  const score = scores.find(({ id }) => id === measure)
  return score === undefined ? 'days' : memoryOf(score.kind)
}

/** The settings of a test besides its differences. */
function judgedByIn(basis: ReadingBasis, cellsOf: ReadingTests['cellsOf']) {
  const isWithheld = withheldIn(basis, cellsOf)
  const { rules } = basis.registered
  return (test: ScopedTest, made: Pick<SeriesTest, 'comparatorMean'>) => ({
    memory: memoryIn(rules, test.measure),
    withheld: isWithheld(test),
    // A share of wrong directions is not relative to a loss.
    noScale: test.role === 'point_loss' && made.comparatorMean === 0,
  })
}

/**
 * The cells over which a test takes its mean: the tested cells of series for which the comparator is required. For a
 * direction, only those in which the comparator calls one at as many origins as a test needs pairs, with a margin; if
 * there are none, the test is reported over all of them and is not part of a verdict.
 */
function askedCells(basis: ReadingBasis): Pick<ReadingTests, 'cellsOf' | 'isAsked'> {
  const { registered, cells, cellOf } = basis
  const enough = directedOrigins(designIn(basis).minimumPairs)
  const calls = remembering(
    (comparator: string, measure: string, cell: number) =>
      meanOf(cellOf(comparator, cell).columns[measure]!).count,
  )
  const isRequired = askedIn(registered.notAsked)
  const isCalled = ({ comparator, measure }: ScopedTest, { id }: ReadingCell) =>
    calls(comparator, measure, id) >= enough
  const cellsOf = (test: ScopedTest) => {
    const own = cellsIn(cells, test).filter(
      ({ inTest, series }) => inTest && isRequired(test.comparator, series),
    )
    if (test.role !== 'direction_error') return own
    const deciding = own.filter(({ decides }) => decides)
    const called = deciding.filter((cell) => isCalled(test, cell))
    return called.length > 0 ? called : deciding
  }
  return {
    cellsOf,
    isAsked: (test) =>
      cellsOf(test).some((cell) => test.role !== 'direction_error' || isCalled(test, cell)),
  }
}

/**
 * Whether a test of intervals cannot support a claim: the candidate left out more of them than the limits on silence
 * allow, over all origins or in the level of the test.
 */
function withheldIn(
  { registered: { rules }, paired, cellOf }: ReadingBasis,
  cellsOf: ReadingTests['cellsOf'],
): (test: ScopedTest) => boolean {
  const { availability: all, availability_stratum: level } = rules.limits
  if (rules.weights === null) return () => false
  const share = remembering((candidate: string, cell: number, stratum: StratumLevel) => {
    const members = paired.memberships.of(stratum)?.mask
    const there = paired.outcomes(cell)
    const withheld = countWithheld(there, cellOf(candidate, cell).pairs, members)
    return { withheld, outcomes: countOutcomes(there, members) }
  })
  const isBeyond = (test: ScopedTest, stratum: StratumLevel) => {
    const limit = (stratum === 'all' ? all : level) ?? 1
    const counts = cellsOf(test).map(({ id }) => share(test.candidate, id, stratum))
    const sum = (member: 'withheld' | 'outcomes') =>
      counts.reduce((total, each) => total + each[member], 0)
    return sum('withheld') > limit * sum('outcomes')
  }
  return (test) =>
    test.step !== 'overall' &&
    estimandIn(rules, test.measure) === 'interval' &&
    (isBeyond(test, 'all') || isBeyond(test, test.stratum))
}

/** Baselines whose next forecast follows the newest value; one more value hardly changes a median of 100. */
const CHARGED: readonly string[] = [
  'persistence',
  'drift',
  'seasonal_naive',
  'ema',
  'ar1',
  'strongest',
  'hourly',
]

/** The built-in comparators whose loss decreases with waiting. */
function chargedIn({ registered, waiting }: ReadingBasis): ReadingTests['charged'] {
  const kinds = new Map(registered.rules.baselines.map(({ id, kind }) => [id, kind]))
  const charged = registered.comparators.flatMap(({ source, name }) =>
    source === 'built_in' && CHARGED.includes(kinds.get(name) ?? '') ? [name] : [],
  )
  return (comparator) => (charged.includes(comparator) ? waiting.left : undefined)
}

/**
 * A comparator with a loss this many times that of the best standard comparator, overall and at every step, would set p
 * although it is irrelevant.
 */
const FAR_OFF = 1.5

/**
 * @returns standard comparators, each compared with the best of them over the cells for which it is required.
 */
function farOffIn({ registered, cells, cellOf }: ReadingBasis): string[] {
  const { comparators, notAsked, rules } = registered
  const isAsked = askedIn(notAsked)
  const kinds = new Map(rules.baselines.map(({ id, kind }) => [id, kind]))
  const standard = comparators.filter(
    ({ source, name }) => source === 'built_in' && kinds.get(name) !== 'hourly',
  )
  const primary = primaryIn(rules)
  const meanAt = remembering(
    (name: string, cell: number) => meanOf(cellOf(name, cell).columns[primary]!).mean,
  )
  const meanIn = (name: string, of: readonly ReadingCell[]) =>
    meanOfMeans(of.map(({ id, series }) => (isAsked(name, series) ? meanAt(name, id) : null))) ??
    Number.POSITIVE_INFINITY
  return standard.flatMap(({ name }) => {
    const own = cells.filter(({ isShown, series }) => isShown && isAsked(name, series))
    const deciding = own.filter(({ decides }) => decides)
    const steps = [...new Set(own.map(({ horizon }) => horizon))]
    const parts = [deciding, ...steps.map((step) => own.filter(({ horizon }) => horizon === step))]
    const [best] = standard
      .map((each) => ({ name: each.name, loss: meanIn(each.name, deciding) }))
      .sort((a, b) => a.loss - b.loss)
    const isFar = parts.every((of) => meanIn(name, of) > FAR_OFF * meanIn(best?.name ?? name, of))
    return isFar ? [name] : []
  })
}

/** The deciding score. */
export const primaryIn = ({ scores }: Pick<Rules, 'scores'>): string =>
  scores.find(({ primary }) => primary)?.id as string

/** With more groups only the estimate is tested, because many bounds would rarely all hold. */
const MOST_BOUNDED_GROUPS = 5
/** The level outside both ends of their bounds: the upper bound is one-sided, of 90 %. */
const GROUP_LEVEL = 0.2

function harmedGroups(
  { tests, groups }: Registered,
  testOf: FilledTestOf,
  design: EwcDesign,
): HarmedGroup[] {
  const tables = cosineTables()
  return tests.flatMap((of) => {
    if (of.group === 'all' || of.role !== 'point_loss') return []
    const made = testOf(of, 'worst')
    const judged = judgeTest(made, design, tables)
    const found =
      groups.length > MOST_BOUNDED_GROUPS
        ? judged.counts.observed
        : (judgedBounds(judged, GROUP_LEVEL)?.upper ?? null)
    const { comparatorMean: comparatorLoss } = made
    return [{ of, group: of.group, test: of.name, found, comparatorLoss, reasons: judged.reasons }]
  })
}

/** A mean of one model outside of tests. */
export interface OwnMean extends FamilyTest {
  readonly memory: Memory
}

/** Absent if there are fewer blocks than the cosine test needs. */
function boundsByCosines(own: readonly OwnMean[], design: EwcDesign): Map<string, Bounds> {
  const tables = cosineTables()
  const bounds = new Map<string, Bounds>()
  for (const test of own) {
    const found = test.components.length > 0 ? boundsBeside(test, design, tables) : undefined
    if (found !== undefined) bounds.set(test.name, found)
  }
  return bounds
}

/** The family, and the means of the models, by the percentile bootstrap. */
async function byBootstrap(
  basis: ReadingBasis,
  series: readonly SeriesTest[],
  own: readonly OwnMean[],
  { replicates, seed }: { readonly replicates: number; readonly seed: number },
  { onProgress, ...options }: EvaluateOptions,
) {
  const { originsADay: _, leastBlocks: _least, ...design } = designIn(basis)
  const origins = basis.paired.plan.origins.count
  const drawing = { ...design, origins, replicates, seed, ...options }
  const total = series.length + own.length
  const progressFrom =
    (first: number, of: number) =>
    ({ completed, total: steps }: Progress) =>
      onProgress?.('bootstrap', first + Math.floor((completed / steps) * of), total)
  const family = await runFamily({
    ...drawing,
    tests: series,
    onProgress: progressFrom(0, series.length),
  })
  const means = await runFamily({
    ...{ ...drawing, ...ANY_PAIR, tests: own },
    onProgress: progressFrom(series.length, own.length),
  })
  const ownBounds = new Map(
    means.tests.flatMap((test) => (test.status === 'tested' ? [[test.name, test.bounds]] : [])),
  )
  return { judged: family.tests, ownBounds }
}

const emptyIn = ({ plan }: Paired) => ({
  values: new Float64Array(plan.origins.count).fill(Number.NaN),
})
