import type { InferenceMethod } from '../../contract/types.js'
import { verdictHypotheses } from '../../evaluation/verdict-hypotheses.js'
import type { CosineTables } from '../../inference/cosines.js'
import { ewcTest } from '../../inference/ewc.js'
import { ewcFamily } from '../../inference/ewc-family.js'
import {
  type ComparisonTest,
  familySeries,
  type ScoredCell,
  type SeriesTest,
} from '../../inference/family-series.js'
import { Memberships } from '../../pairing/accounting.js'
import { hoursFrom } from '../../pairing/hourly.js'
import { enumerateFamily, hourlySource, testWeights } from '../../registration/family.js'
import { buildStrata } from '../../registration/strata.js'
import type { TestDefinition } from '../../registration/types.js'
import { lossColumns } from '../../scoring/columns.js'
import { directionError } from '../../scoring/direction.js'
import { emptyPairs } from '../../scoring/panel.js'
import type { ScoredPairs } from '../../scoring/types.js'
import { overallRung, type PlannedDesign, type PlannedVerdict } from './design.js'
import type { SimulatedShare, SimulationCounts } from './figures.js'
import { type ForecasterLaw, madeForecasts } from './forecasters.js'
import { closeAt, LEAD_IN, type Market, type MarketCloses, randomWindow } from './market.js'
import { REDUCTIONS } from './predict.js'
import { seededRandom } from './random.js'
import { type DrawnWindow, errorsIn, type MadeCandidates, type Surrogates } from './surrogate.js'

/** What is simulated. */
export interface Simulation extends Omit<MadeCandidates, 'resemblances'> {
  readonly design: PlannedDesign
  readonly closes: MarketCloses
  readonly seed: number
  /** Shared by all evaluations. */
  readonly tables: CosineTables
}

/** Equal forecasters that share most of their errors and whose interval widths remember for days. */
const EQUAL_LAW: ForecasterLaw = { errorCorrelation: 0.9, widthMemory: 'days', missing: 0.01 }

/**
 * One simulated evaluation, its number fixing all that is drawn: whether candidates that are better
 * by each reduction are found, and whether something is found in the plan's whole family although
 * all its forecasters are equal.
 */
export function simulateOne(simulation: Simulation, index: number): SimulationCounts {
  return { power: powerOnce(simulation, index), size: sizeOnce(simulation, index) }
}

/**
 * Found: rejected on the better side at the level of its first step of Holm's ladder; with a verdict
 * hypothesis, all that *eligible* asks for.
 */
export function powerOnce(simulation: Simulation, index: number): SimulatedShare[][] {
  const { design, surrogates, laws, seed, tables } = simulation
  if (design.verdict !== undefined) return eligibleOnce(simulation, design.verdict, index)
  const { level, degrees } = overallRung(design, design.origins)
  const window = surrogates.draw(design.origins, seededRandom(`${seed}/power/${index}`))
  const comparator = surrogates.comparator(window)
  return laws.map((law) => {
    const candidate = surrogates.candidate(window, law, 1)
    return REDUCTIONS.map((reduction) => {
      const components = candidate.map((errors, at) => ({
        values: errors.map((error, i) => (1 - reduction) * error - comparator[at]![i]!),
      }))
      const { estimate, p } = ewcTest(components, degrees, tables)
      return { hits: Number(estimate < 0 && p !== null && p <= level), of: 1 }
    })
  })
}

/**
 * Whether the first candidate of the plan, which is better by a reduction, is found by the whole ladder:
 * from the losses on, everything is as in an evaluation. Its other candidates are as good as the reference.
 */
function eligibleOnce(
  { design, surrogates, laws, comparators, seed }: Simulation,
  { registration: planned, protocol, weight, floor }: PlannedVerdict,
  index: number,
): SimulatedShare[][] {
  const { horizons, origins, epsilon } = design
  const random = seededRandom(`${seed}/power/${index}`)
  const windows = [surrogates.draw(origins, random)]
  const [window] = windows as [DrawnWindow]
  while (windows.length < planned.candidates.length) windows.push(surrogates.again(window, random))
  const builtIns = comparators.map(({ name }) => {
    return { source: 'built_in' as const, name, required_as: [name] }
  })
  const registration = { ...planned, comparators: builtIns, strata: [] }
  const { weights } = registration.inference as Extract<InferenceMethod, { method: 'ewc-t' }>
  const family = enumerateFamily(registration)
  const shares = testWeights(family, weights, builtIns)
  const tests = family.filter(({ decides }) => decides)
  const deciding = shares.filter((_, at) => family[at]!.decides)
  const realised = surrogates.realised(window)
  const cellsOf = (errors: readonly Float64Array[]) =>
    errors.map((column, at) => cellOf(column, realised[at]!, epsilon))
  const cells = new Map(comparators.map((each) => [each.name, cellsOf(errorsIn(each, window))]))
  const none = new Memberships([], hoursFrom(0, origins))
  return laws.map((law) => {
    const made = windows.map((each) => surrogates.errors(each, law, 1))
    registration.candidates.forEach(({ name }, at) => {
      cells.set(name, cellsOf(made[at]!))
    })
    const [first] = registration.candidates
    return REDUCTIONS.map((reduction) => {
      const better = made[0]!.map((column) => column.map((error) => (1 - reduction) * error))
      cells.set(first!.name, cellsOf(better))
      const cellIn = (model: string, horizon: number) =>
        cells.get(model)![horizons.indexOf(horizon)]!
      const series = familySeries(tests, hourlySource(horizons, cellIn), none)
      const hypotheses = verdictHypotheses(registration, protocol, tests, series, weight)
      const { tests: results, verdicts } = ewcFamily(
        series.map((each, at) => ({ ...each, weight: deciding[at]!, memory: 'hours' as const })),
        design,
        hypotheses,
      )
      const enough = hypotheses[0]!.implies.every(
        (at) => -results[at]!.observed! >= floor * series[at]!.comparatorMean!,
      )
      return { hits: Number(enough && verdicts[0]!.holm?.rejected === true), of: 1 }
    })
  })
}

/** What the deciding tests take of a model: its losses and direction errors, with no price, interval or vintage. */
function cellOf(errors: Float64Array, realised: Float64Array, epsilon: number): ScoredCell {
  const pairs = { ...emptyPairs(errors.length, 1), forecast: errors }
  const direction = errors.map((error, i) =>
    directionError(realised[i]! + error, realised[i]!, epsilon),
  )
  return { pairs, columns: { point_loss: errors.map(Math.abs), direction_error: direction } }
}

export function sizeOnce({ design, closes, seed }: Simulation, index: number) {
  const random = seededRandom(`${seed}/size/${index}`)
  const { tests, horizons, origins, verdict } = design
  const market = randomWindow(closes, { origins, longestHorizon: Math.max(...horizons) }, random)
  const names = new Set(tests.flatMap(({ candidate, comparator }) => [candidate, comparator]))
  const models = new Map(
    [...names].map((name) => [name, madeForecasts(market, horizons, EQUAL_LAW, random)]),
  )
  // What the plan rules out has no weight and, as in an evaluation, nothing to compare.
  const series = madeFamily(market, models, design).map((each, at) =>
    tests[at]!.weight > 0 ? each : withoutPairs(each),
  )
  const { tests: results, verdicts } = ewcFamily(
    series.map((each, at) => ({ ...each, weight: tests[at]!.weight, memory: tests[at]!.memory })),
    design,
    verdict &&
      verdictHypotheses(verdict.registration, verdict.protocol, tests, series, verdict.weight),
  )
  const rejected = results.map((result) => result.status === 'tested' && result.holm.rejected)
  const tally = (hit: boolean): SimulatedShare => ({ hits: Number(hit), of: 1 })
  return {
    any: tally([...rejected, ...verdicts.map(({ holm }) => holm?.rejected)].some(Boolean)),
    deciding: tally(rejected.some((each, at) => each && tests[at]!.decides)),
  }
}

function withoutPairs(series: SeriesTest): SeriesTest {
  const components = series.components.map(({ values }) => ({
    values: values.map(() => Number.NaN),
  }))
  return { ...series, components, comparatorMean: null, comparatorValues: 0 }
}

/** Origins of the longest window that can be simulated. */
export function longestSimulated(
  surrogates: Surrogates,
  closes: MarketCloses,
  horizons: readonly number[],
): number {
  return Math.min(surrogates.origins, closes.values.length - LEAD_IN - Math.max(...horizons))
}

export function addCounts(a: SimulationCounts, b: SimulationCounts): SimulationCounts {
  return {
    power: a.power.map((row, at) => row.map((tally, i) => sum(tally, b.power[at]![i]!))),
    size: { any: sum(a.size.any, b.size.any), deciding: sum(a.size.deciding, b.size.deciding) },
  }
}

/** Counts of nothing simulated yet. */
export function noCounts(laws: number): SimulationCounts {
  const none = { hits: 0, of: 0 }
  return {
    power: Array.from({ length: laws }, () => REDUCTIONS.map(() => none)),
    size: { any: none, deciding: none },
  }
}

function sum(a: SimulatedShare, b: SimulatedShare): SimulatedShare {
  return { hits: a.hits + b.hits, of: a.of + b.of }
}

/**
 * Wilson's 95 % interval of a binomial share.
 * Reference: Newcombe (1998), Two-sided confidence intervals for the single proportion, method 3.
 */
export function wilsonInterval({ hits, of }: SimulatedShare): readonly [low: number, high: number] {
  const z = 1.959963984540054
  const share = hits / of
  const weight = 1 + (z * z) / of
  const middle = (share + (z * z) / (2 * of)) / weight
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** A registered design, as far as its tests follow from it. */
type MadeDesign = Pick<PlannedDesign, 'horizons' | 'strata' | 'epsilon'> & {
  readonly tests: readonly (ComparisonTest & Pick<TestDefinition, 'horizon' | 'measure'>)[]
}

/**
 * The series of a registered family over made forecasts: from the forecasts on, everything is
 * scored as in an evaluation.
 *
 * @param models forecasts by horizon, for every candidate and comparator that a test names
 */
export function madeFamily(
  market: Market,
  models: ReadonlyMap<string, ReadonlyMap<number, ScoredPairs>>,
  { tests, horizons, strata, epsilon }: MadeDesign,
): SeriesTest[] {
  const cells = new Map<string, ScoredCell>()
  for (const [model, forecasts] of models) {
    for (const [horizon, pairs] of forecasts) {
      cells.set(`${horizon} ${model}`, { pairs, columns: lossColumns(pairs, epsilon) })
    }
  }
  const sources = { closeAt: (instant: number) => closeAt(market.closes, instant) }
  const memberships = new Memberships(
    buildStrata(strata, sources),
    hoursFrom(market.firstOrigin, market.origins),
  )
  const cellOf = (model: string, horizon: number) => cells.get(`${horizon} ${model}`) as ScoredCell
  return familySeries(tests, hourlySource(horizons, cellOf), memberships)
}
