import { remembering } from '../contract/remembering.js'
import type { Protocol, Registration } from '../contract/types.js'
import { cosineTables } from '../inference/cosines.js'
import type { Memory } from '../inference/ewc.js'
import { type EwcLadder, ewcFamily } from '../inference/ewc-family.js'
import { ANY_PAIR, boundsBeside, type EwcDesign } from '../inference/ewc-judge.js'
import {
  cellDifferences,
  familySeries,
  gapTests,
  type ScoredCell,
  type SeriesTest,
} from '../inference/family-series.js'
import { runFamily } from '../inference/run-family.js'
import type { Bounds, FamilyInput, FamilyTest, JudgedTest, Progress } from '../inference/types.js'
import type { JudgedVerdict } from '../inference/verdict.js'
import type { StratumLevel } from '../pairing/types.js'
import {
  enumerateFamily,
  hasVerdict,
  hourlySource,
  sharingTests,
  testWeights,
} from '../registration/family.js'
import { designOf, hourlyADay } from '../registration/settings.js'
import { type HourlyTest, MEASURE_MEMORY, type TestDefinition } from '../registration/types.js'
import { belowQuantile, QUANTILE_NAMES, type Quantile } from '../scoring/below.js'
import { type LossColumns, lossColumns } from '../scoring/columns.js'
import { countOutcomes, countWithheld } from '../scoring/differences.js'
import { withUncalled } from '../scoring/direction.js'
import { PAIR_MEASURES } from '../scoring/measures.js'
import { cellOutcomes } from './gaps.js'
import type { EvaluateOptions, Paired } from './pair.js'
import { modelsOf, registeredRules } from './plan.js'
import { simultaneousTests, type VerdictTestOf, verdictHypotheses } from './verdict-hypotheses.js'
import { type Waiting, waitingOf } from './waiting.js'

export type CellOf = (model: string, horizon: number) => ScoredCell<LossColumns>

/** Scored cells of a panel, each computed once. */
export function hourlyCellOf({ panel }: Paired, registration: Registration): CellOf {
  const { epsilon } = registration.limits
  return remembering((model: string, horizon: number): ScoredCell<LossColumns> => {
    const pairs = panel.pairs(model, horizon)
    const columns = lossColumns(pairs, epsilon)
    if (!hasVerdict(registration)) return { pairs, columns }
    const below = (quantile: Quantile) => belowQuantile(pairs, quantile)
    return {
      pairs,
      columns,
      charged: { direction_error: withUncalled(columns.direction_error, pairs, epsilon) },
      below: { '0.1': below('0.1'), '0.5': below('0.5'), '0.9': below('0.9') },
    }
  })
}

/** Every registered test with the figures that its result is compared with, in the order of the family. */
export interface Inferred {
  readonly definitions: readonly HourlyTest[]
  readonly series: readonly SeriesTest[]
  /** By either method. */
  readonly tests: readonly JudgedTest[]
  /** One per candidate; undefined if the registration has no verdict hypotheses. */
  readonly verdicts: readonly JudgedVerdict[] | undefined
  readonly testOf: VerdictTestOf<TestDefinition>
  /** The share of its loss that a comparator is charged, by horizon; undefined if waiting is not charged to it. */
  readonly charged: (comparator: string) => Waiting['left'] | undefined
  /**
   * Bounds of each model's own mean loss and coverage and, with verdict hypotheses, of the shares below its quantiles;
   * absent if they cannot be computed.
   */
  readonly ownBounds: ReadonlyMap<string, Bounds>
}

const OWN_MEASURES = ['point_loss', 'coverage'] as const
export type OwnMeasure = (typeof OWN_MEASURES)[number] | `below_${Quantile}`

export const ownKey = (measure: OwnMeasure, model: string, horizon: number | 'overall') =>
  `${measure} ${horizon} ${model}`

/**
 * Tests the registered family by the registered method. Separately, and without influence on it, computes bounds of
 * every model's own mean loss and coverage by the same method, for the report.
 */
export async function inferenceStage(
  registration: Registration,
  protocol: Protocol,
  paired: Paired,
  cellOf: CellOf,
  options: EvaluateOptions,
): Promise<Inferred> {
  const { plan, memberships } = paired
  const { horizons_hours: horizons } = registration
  const design = { ...designOf(protocol), origins: plan.origins.count }
  const rules = registeredRules(registration, protocol)
  const definitions = enumerateFamily(rules, registration) as HourlyTest[]
  const source = hourlySource<HourlyTest>(horizons, cellOf)
  const differences = cellDifferences<HourlyTest>(source)
  const series = familySeries(definitions, source, memberships, differences)
  const filled = gapTests(source, differences, cellOutcomes(paired))
  const own = ownTests(modelsOf(registration), horizons, cellOf)
  const isWithheld = withheldIntervals(registration, paired, cellOf)
  const judged = { ...design, originsADay: hourlyADay(design.origins) }
  const testOf: VerdictTestOf<TestDefinition> = (test, end, share) => ({
    ...filled(test as HourlyTest, end, share),
    memory: test.memory,
  })
  const charged = hourlyCharged(paired, registration, protocol)
  const by = { testOf, isWithheld, charged }
  const ewc = ewcOf(registration, protocol, definitions, series, by, judged)
  if (ewc !== undefined) {
    const { tests, verdicts } = ewc
    const ownBounds = boundsByCosines(own, judged)
    return {
      ...{ definitions, series, tests, ownBounds, testOf, charged },
      verdicts: hasVerdict(registration) ? verdicts : undefined,
    }
  }
  const { onProgress, ...rest } = options
  const total = series.length + own.length
  const drawing = { ...design, ...rest }
  const progressFrom =
    (first: number, of: number) =>
    ({ completed, total: steps }: Progress) =>
      onProgress?.('bootstrap', first + Math.floor((completed / steps) * of), total)
  const { tests } = await runFamily({
    ...drawing,
    tests: series,
    onProgress: progressFrom(0, series.length),
  })
  const ownBounds = await boundsByBootstrap(own, {
    ...drawing,
    onProgress: progressFrom(series.length, own.length),
  })
  return { definitions, series, tests, ownBounds, testOf, charged, verdicts: undefined }
}

/** Built-in comparators use only what was known at the origin, so their loss is charged for the lag. */
function hourlyCharged(
  paired: Paired,
  registration: Registration,
  protocol: Protocol,
): Inferred['charged'] {
  const { comparators } = registration
  const { left } = waitingOf(paired, registeredRules(registration, protocol))
  const builtIn = new Set(comparators.flatMap((of) => (of.source === 'built_in' ? of.name : [])))
  return (comparator) => (builtIn.has(comparator) ? left : undefined)
}

async function boundsByBootstrap(
  own: readonly OwnTest[],
  input: Omit<FamilyInput, 'tests' | 'minimumPairs' | 'minimumBlocks'>,
): Promise<Map<string, Bounds>> {
  const { tests } = await runFamily({ ...input, ...ANY_PAIR, tests: own })
  return new Map(
    tests.flatMap((test) => (test.status === 'tested' ? [[test.name, test.bounds]] : [])),
  )
}

/** Absent if there are fewer blocks than the cosine test needs. */
function boundsByCosines(own: readonly OwnTest[], design: EwcDesign): Map<string, Bounds> {
  const tables = cosineTables()
  const bounds = new Map<string, Bounds>()
  for (const test of own) {
    const found = boundsBeside(test, design, tables)
    if (found !== undefined) bounds.set(test.name, found)
  }
  return bounds
}

/** The family by the cosine test, if that is registered. */
function ewcOf(
  registration: Registration,
  protocol: Protocol,
  definitions: readonly HourlyTest[],
  series: readonly SeriesTest[],
  {
    testOf,
    isWithheld,
    charged,
  }: Pick<Inferred, 'testOf' | 'charged'> & {
    readonly isWithheld: (test: HourlyTest) => boolean
  },
  design: EwcDesign,
): EwcLadder | undefined {
  const { inference, comparators } = registration
  if (inference?.method !== 'ewc-t') return undefined
  const { verdict } = inference.weights
  const weights = testWeights(definitions, inference.weights, comparators)
  const simultaneousOf =
    verdict === undefined
      ? () => undefined
      : simultaneousTests(
          sharingTests(definitions, inference.weights, comparators),
          design.alpha,
          testOf,
        )
  const tests = series.map(({ name, components }, index) => {
    const definition = definitions[index] as HourlyTest
    return {
      name,
      components,
      weight: weights[index] as number,
      memory: definition.memory,
      withheld: isWithheld(definition),
      simultaneous: simultaneousOf(definition),
    }
  })
  const hypotheses =
    verdict === undefined
      ? []
      : verdictHypotheses(registration, protocol, definitions, series, testOf, verdict, charged)
  return ewcFamily(tests, design, hypotheses)
}

/**
 * Whether a test of intervals cannot support a claim: the candidate left out more of them than the limits on silence
 * allow, over all origins or in the level of the test. Only with verdict hypotheses.
 */
function withheldIntervals(
  registration: Registration,
  { outcomes, memberships }: Paired,
  cellOf: CellOf,
): (test: HourlyTest) => boolean {
  const { availability: all, availability_stratum: level = 1 } = registration.limits
  if (!hasVerdict(registration) || all === undefined) return () => false
  // Cached, because it is the same for all measures and comparators.
  const beyond = remembering((candidate: string, horizon: number, stratum: StratumLevel) => {
    const members = memberships.of(stratum)?.mask
    const there = outcomes(horizon)
    const withheld = countWithheld(there, cellOf(candidate, horizon).pairs, members)
    return withheld > (stratum === 'all' ? all : level) * countOutcomes(there, members)
  })
  return ({ candidate, measure, horizon, stratum }) => {
    if (horizon === 'overall' || PAIR_MEASURES[measure].estimand !== 'interval') return false
    return beyond(candidate, horizon, 'all') || beyond(candidate, horizon, stratum)
  }
}

interface OwnTest extends FamilyTest {
  readonly memory: Memory
}

function ownTests(
  models: readonly string[],
  horizons: readonly number[],
  cellOf: CellOf,
): OwnTest[] {
  const quantiles = models.flatMap((model) =>
    horizons.flatMap((horizon) => {
      const { below } = cellOf(model, horizon)
      return QUANTILE_NAMES.flatMap((quantile): OwnTest[] => {
        const values = below?.[quantile]
        const name = ownKey(`below_${quantile}`, model, horizon)
        return values ? [{ name, components: [{ values }], memory: MEASURE_MEMORY.coverage }] : []
      })
    }),
  )
  const means = OWN_MEASURES.flatMap((measure) => {
    const memory = MEASURE_MEMORY[measure]
    return models.flatMap((model) => {
      const components = horizons.map((horizon) => ({
        values: cellOf(model, horizon).columns[measure],
      }))
      return [
        { name: ownKey(measure, model, 'overall'), components, memory },
        ...horizons.map((horizon, index) => ({
          name: ownKey(measure, model, horizon),
          components: components.slice(index, index + 1),
          memory,
        })),
      ]
    })
  })
  return [...means, ...quantiles]
}
