import { remembering } from '../contract/remembering.js'
import { cosineTables } from '../inference/cosines.js'
import { originsADay } from '../inference/days.js'
import type { GroupHarm } from '../inference/disposition.js'
import { type EwcLadder, ewcFamily } from '../inference/ewc-family.js'
import { type EwcDesign, judgedBounds, judgeTest } from '../inference/ewc-judge.js'
import {
  cellDifferences,
  type FamilySource,
  familySeries,
  gapTests,
  type ScoredCell,
  type SeriesTest,
} from '../inference/family-series.js'
import type { FamilyTest, Series } from '../inference/types.js'
import { simultaneousLevel } from '../inference/verdict.js'
import { groupOf } from '../protocol/rules/groups.js'
import { enumerateFamily, registeredCells } from '../registration/family.js'
import { directedOrigins } from '../registration/limits.js'
import { seriesDesign } from '../registration/series-design.js'
import { windowOrigins } from '../registration/series-plan-rules.js'
import type { TestDefinition } from '../registration/types.js'
import { askedIn } from '../scoring/baselines/reach.js'
import type { SeriesScore } from '../scoring/series-scores.js'
import { meanOf, meanOfMeans } from '../scoring/sum.js'
import type { ScoredPairs } from '../scoring/types.js'
import { type CellOutcomes, cellOutcomes } from './gaps.js'
import type { Paired } from './pair.js'
import type { SeriesBasis } from './plan.js'
import { directionParts, lossHypotheses, type VerdictTestOf } from './verdict-hypotheses.js'
import type { Waiting } from './waiting.js'

/** A cell of the plan, and which parts of it are tested. */
export interface SeriesCell extends CellOutcomes {
  readonly group: string | undefined
  /** Registered for tests: the calendar gives it as many keys as a test needs. */
  readonly inTest: boolean
  /** Part of the means that are shown: it is registered, and its series has outcomes at half of its keys. */
  readonly isShown: boolean
  /**
   * False for a nowcast, which is shown and decides only by its limit of harm; if all steps are nowcasts, it is part of
   * all means.
   */
  readonly decides: boolean
}

export type SeriesCellOf = (model: string, cell: number) => ScoredCell

/** Every registered test with the figures that its result is compared with, in the order of the family. */
export interface SeriesInferred {
  readonly definitions: readonly TestDefinition[]
  readonly series: readonly SeriesTest[]
  readonly weights: readonly number[]
  readonly ladder: EwcLadder
  /** The cells over which a test takes its mean. */
  readonly cellsOf: (test: TestDefinition) => readonly SeriesCell[]
  readonly testOf: VerdictTestOf<TestDefinition>
  /** The results of groups of series, in the order of the definitions. */
  readonly groups: readonly JudgedGroup[]
  /** The share of its loss for which time is left in a cell, by origin; undefined of comparators whose loss hardly falls with it. */
  readonly charged: (comparator: string) => Waiting['left'] | undefined
  /**
   * Standard comparators for which only the estimate is required, so that they are not part of a verdict hypothesis.
   */
  readonly farOff: readonly string[]
}

/** How much worse a group may be, with the worst values filled in for missing outcomes. */
export interface JudgedGroup extends GroupHarm {
  readonly definition: TestDefinition
}

/** With more groups only the estimate is tested, because many bounds would rarely all hold. */
const MOST_BOUNDED_GROUPS = 5
/** The level outside both ends of their bounds: the upper bound is one-sided, of 90 %. */
const GROUP_LEVEL = 0.2

/** The cells of a plan, in its order. Missing outcomes remove no cell, because they count in the tests. */
export function seriesCells(
  paired: Paired,
  { protocol }: SeriesBasis,
  { nowcasts }: Waiting,
): SeriesCell[] {
  const groups = groupOf(protocol)
  const cells = cellOutcomes(paired).map((cell) => {
    const inTest = cell.keys >= protocol.dependence.minimum_pairs
    const isShown = inTest && !cell.mostlyMissing
    const decides = !nowcasts.includes(cell.horizon)
    return { ...cell, group: groups.get(cell.series), inTest, isShown, decides }
  })
  const isNone = !cells.some(({ inTest, decides }) => inTest && decides)
  return isNone ? cells.map((cell) => ({ ...cell, decides: true })) : cells
}

/** Every score of every pair of a model in a cell, each cell computed once. */
export function seriesCellOf(
  { panel, plan }: Paired,
  { protocol }: SeriesBasis,
  scores: readonly SeriesScore[],
): SeriesCellOf {
  const places = new Map(protocol.series.map(({ id }, at) => [id, at]))
  return remembering((model: string, cell: number) => {
    const series = places.get(plan.cells[cell]?.series ?? '') ?? Number.NaN
    return seriesScored(panel.pairs(model, cell), scores, series)
  })
}

/** Every score of the pairs of a model in a cell. @param series - its position in the protocol. */
export function seriesScored(
  pairs: ScoredPairs,
  scores: readonly SeriesScore[],
  series: number,
): ScoredCell {
  const columns = scoreColumns(pairs, scores, series, (index) => pairs.p1[index]!)
  const charged = scores.flatMap(({ id, charged: of }) =>
    of === undefined ? [] : [[id, of(columns[id]!, pairs)] as const],
  )
  return { pairs, columns, ...(charged.length > 0 && { charged: Object.fromEntries(charged) }) }
}

/** The scores of forecasts by the id of the score; NaN if forecast or outcome is missing. */
export function scoreColumns(
  { forecast, quantiles, p0 }: ScoredPairs,
  scores: readonly SeriesScore[],
  series: number,
  outcomeAt: (index: number) => number,
): Record<string, Float64Array> {
  const own = new Float64Array(quantiles.length)
  const columns = scores.map(({ id }) => [id, new Float64Array(forecast.length)] as const)
  for (let index = 0; index < forecast.length; index++) {
    const value = forecast[index] as number
    for (const [at, level] of quantiles.entries()) own[at] = level[index] as number
    const outcome = outcomeAt(index)
    for (const [at, [, column]] of columns.entries()) {
      const { of } = scores[at] as SeriesScore
      column[index] = Number.isNaN(value)
        ? Number.NaN
        : of(value, own, outcome, series, p0[index] as number)
    }
  }
  return Object.fromEntries(columns)
}

/** Tests the registered family over cells, with one verdict hypothesis per candidate. */
export function seriesInference(
  basis: SeriesBasis,
  { plan, memberships }: Paired,
  cells: readonly SeriesCell[],
  cellOf: SeriesCellOf,
  waiting: Waiting,
): SeriesInferred {
  const { registration, protocol } = basis
  const { rules } = basis
  const tested = registeredCells(rules, windowOrigins(basis.periods, registration.window))
  const definitions = enumerateFamily(rules, { ...registration, strata: [] }, tested)
  const cellsOf = askedCells(basis, cells, cellOf)
  const source = {
    cellsIn: (test: TestDefinition) =>
      cellsOf(test).flatMap(({ id, isShown }) => (isShown ? [id] : [])),
    cellOf,
    estimandOf: () => 'point' as const,
  } satisfies FamilySource<TestDefinition>
  const differences = cellDifferences(source)
  // A test without a cell stays in the family, and is blocked.
  const orEmpty = <T extends FamilyTest>(test: T): T =>
    test.components.length > 0 ? test : { ...test, components: [emptySeries(plan.origins.count)] }
  const series = familySeries(definitions, source, memberships, differences).map(orEmpty)
  const { verdict, deciding } = registration.inference.weights
  const weights = definitions.map(() => deciding / definitions.length)
  const design = judgedDesign(basis)
  const overall = definitions.filter(isOverall).length
  const steps = definitions.filter(isStep).length
  const levelOf = (test: TestDefinition) =>
    simultaneousLevel(design.alpha, isOverall(test) ? overall : steps)
  const registered = {
    ...source,
    cellsIn: (test: TestDefinition) => cellsOf(test).map(({ id }) => id),
  }
  const gaps = cells.filter(({ inTest }) => inTest)
  const filled = gapTests(registered, differences, gaps)
  const testOf: VerdictTestOf<TestDefinition> = (...of) => {
    const made = orEmpty(filled(...of))
    return { ...made, ...judgedBy(of[0], made) }
  }
  // A share of wrong directions is not relative to a loss.
  const judgedBy = (test: TestDefinition, made: Pick<SeriesTest, 'comparatorMean'>) => ({
    memory: test.memory,
    noScale: test.role === 'point_loss' && made.comparatorMean === 0,
  })
  const tests = series.map((each, at) => {
    const definition = definitions[at] as TestDefinition
    return {
      ...each,
      ...judgedBy(definition, each),
      weight: weights[at] as number,
      // A group makes no candidate negative.
      ...(definition.group === 'all' && {
        simultaneous: { test: testOf(definition, 'best'), level: levelOf(definition) },
      }),
    }
  })
  const harm = Number(protocol.limits.harm)
  const primary = protocol.scores.find((score) => score.primary)?.id as string
  const horizons = testedHorizons(basis, cells)
  const charged = seriesCharged(basis, waiting)
  const isGivenAway = protocol.origins.waiting === 'part_of_the_task'
  const ofVerdict = isGivenAway ? () => undefined : charged
  const losses = { definitions, testOf, horizons, harm, weight: verdict, charged: ofVerdict }
  const isAsked = (at: number) => cellsOf(definitions[at] as TestDefinition).length > 0
  const limit = Number(protocol.limits.direction ?? Number.NaN)
  const directions = directionParts({ definitions, testOf, horizons, isAsked, limit })
  const farOff = farOffComparators(basis, cells, cellOf, primary)
  const asked = registration.comparators.filter(({ name }) => !farOff.includes(name))
  const hypotheses = lossHypotheses({ ...registration, comparators: asked }, losses, directions)
  const ladder = ewcFamily(tests, design, hypotheses)
  const groups = judgedGroups(definitions, testOf, registration.groups.length, design)
  return { definitions, series, weights, ladder, cellsOf, testOf, groups, charged, farOff }
}

/**
 * A comparator with a loss this many times that of the best standard comparator, overall and at every step, would set p
 * although it is irrelevant.
 */
const FAR_OFF = 1.5

/**
 * @returns standard comparators, each compared with the best of them over the cells for which it is required.
 */
function farOffComparators(
  { registration }: SeriesBasis,
  cells: readonly SeriesCell[],
  cellOf: SeriesCellOf,
  primary: string,
): string[] {
  const isAsked = askedIn(registration.not_asked)
  const standard = registration.comparators.filter(({ source }) => source === 'built_in')
  const meanAt = remembering(
    (name: string, cell: number) => meanOf(cellOf(name, cell).columns[primary]!).mean,
  )
  const meanIn = (name: string, of: readonly SeriesCell[]) =>
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

/** Baselines whose next forecast follows the newest value; one more value hardly changes a median of 100. */
const CHARGED: readonly string[] = [
  'persistence',
  'drift',
  'seasonal_naive',
  'ema',
  'ar1',
  'strongest',
]

function seriesCharged(
  { registration, protocol }: SeriesBasis,
  { left }: Waiting,
): SeriesInferred['charged'] {
  const kinds = new Map(protocol.baselines.map(({ id, kind }) => [id, kind]))
  const builtIn = registration.comparators.filter(({ source }) => source === 'built_in')
  const names = builtIn.map(({ name }) => name)
  const charged = new Set(names.filter((name) => CHARGED.includes(kinds.get(name) ?? '')))
  return (comparator) => (charged.has(comparator) ? left : undefined)
}

/**
 * The cells whose mean a test is about: those that are tested, of series that the comparator is asked of, and of a direction those in which the comparator says up
 * or down at as many origins as a test needs pairs, with the margin of version 1.
 */
function askedCells(
  { protocol, registration }: SeriesBasis,
  cells: readonly SeriesCell[],
  cellOf: SeriesCellOf,
): SeriesInferred['cellsOf'] {
  const least = directedOrigins(seriesDesign(protocol).minimumPairs)
  const calls = remembering((comparator: string, measure: string, cell: number) =>
    cellOf(comparator, cell).columns[measure]!.reduce(
      (sum, error) => sum + (Number.isNaN(error) ? 0 : 1),
      0,
    ),
  )
  const isAsked = askedIn(registration.not_asked)
  return (test) => {
    const tested = testedCells(test, cells).filter(({ series }) => isAsked(test.comparator, series))
    if (test.role !== 'direction_error') return tested
    return tested.filter(
      ({ id, decides }) => decides && calls(test.comparator, test.measure, id) >= least,
    )
  }
}

function judgedGroups(
  definitions: readonly TestDefinition[],
  testOf: VerdictTestOf<TestDefinition>,
  count: number,
  design: EwcDesign,
): JudgedGroup[] {
  const tables = cosineTables()
  return definitions.flatMap((definition) => {
    const { name, group, role } = definition
    if (group === 'all' || role !== 'point_loss') return []
    const made = testOf(definition, 'worst')
    const judged = judgeTest(made, design, tables)
    const found =
      count > MOST_BOUNDED_GROUPS
        ? judged.counts.observed
        : (judgedBounds(judged, GROUP_LEVEL)?.upper ?? null)
    const { comparatorMean: comparatorLoss } = made
    return [{ definition, group, test: name, found, comparatorLoss, reasons: judged.reasons }]
  })
}

/** The settings of the tests of a registered window. */
export const judgedDesign = ({ protocol, rules, origins }: SeriesBasis): EwcDesign => ({
  ...seriesDesign(protocol),
  originsADay: originsADay(origins.map(rules.due)),
})

/** The tested cells of a test. */
function testedCells(
  { horizon, group }: Pick<TestDefinition, 'horizon' | 'group'>,
  cells: readonly SeriesCell[],
): SeriesCell[] {
  return cells.filter(
    (cell) =>
      cell.inTest &&
      (horizon === 'overall' ? cell.decides : cell.horizon === horizon) &&
      (group === 'all' || cell.group === group),
  )
}

const isStep = ({ horizon }: TestDefinition) => horizon !== 'overall'

const isOverall = ({ horizon, group }: TestDefinition) => horizon === 'overall' && group === 'all'

function emptySeries(origins: number): Series {
  return { values: new Float64Array(origins).fill(Number.NaN) }
}

/** The horizons with a tested cell; other horizons cannot be tested. */
export function testedHorizons({ protocol }: SeriesBasis, cells: readonly SeriesCell[]): number[] {
  return protocol.horizons.filter((horizon) =>
    cells.some((cell) => cell.inTest && cell.horizon === horizon),
  )
}
