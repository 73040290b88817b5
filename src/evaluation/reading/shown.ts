import { compareText } from '../../contract/order.js'
import type { Reading, RulesData } from '../../contract/types.js'
import type { Bounds } from '../../inference/test-result.js'
import { STATUSES } from '../../pairing/paired-attempt.js'
import type { StratumLevel } from '../../pairing/plan.js'
import { scopeName } from '../../registration/family.js'
import type { MeasureColumns } from '../../scoring/cells.js'
import { average, averageMeans, type Mean, MeanOfMeans } from '../../scoring/sum.js'
import { SERIES_NAMED } from '../result/result.js'
import { toResultBounds } from '../result/shared.js'
import { primaryIn, type ReadingPlan } from './basis.js'
import { cellsIn, type SeriesReading } from './cells.js'
import { SummedKeys } from './keys.js'
import { belowName, boundedMeasures, type OwnStep, ownName } from './own.js'
import {
  type CellSums,
  type ComparedPair,
  comparedPairs,
  type ModelInCell,
  modelNames,
  type ShownCounts,
} from './sum.js'

/** A rule of release that may give another value than the registered one. */
export interface OtherRelease {
  readonly rule: string
  /** NaN if missing. Series by their position in the rules. */
  readonly valueAt: (series: number, period: number) => number
}

/** A rule of release in words. */
export const releaseText = ({ rule, lag, at, wait }: RulesData['outcome']['release']): string =>
  [rule, lag ?? at ?? wait ?? ''].join(' ').trim()

/** All origins and series, every level of a stratum, and every group: a cell counts in each scope that contains it. */
interface Scope {
  readonly level: StratumLevel
  readonly group: string
  readonly scope: string
}

function scopesIn({ registered }: ReadingPlan): Scope[] {
  const ofLevels = (['all', ...registered.levels] as const).map((level) => {
    return { level, group: 'all', scope: scopeName(level, 'all') }
  })
  const ofGroups = registered.groups.map((group) => {
    return { level: 'all' as const, group, scope: scopeName('all', group) }
  })
  return [...ofLevels, ...ofGroups]
}

type Figures = Pick<Reading['measures'][number], 'pairs' | 'means' | 'bounds' | 'below'>

/** The bounds of means of a model: of a measure, and of the share below a level. */
interface BoundsOfModel {
  readonly ofMeasure: (id: string) => Bounds | undefined
  readonly below: (level: string) => Bounds | undefined
}

/** The means of one model over cells. */
export class ModelFigures {
  readonly #measures: ReadonlyMap<string, SummedMean>
  readonly #below: ReadonlyMap<string, SummedMean>

  /** @param below - levels for which the share of outcomes below is asked. */
  constructor(measures: readonly string[], below: readonly string[]) {
    this.#measures = new Map(measures.map((id) => [id, new SummedMean()]))
    this.#below = new Map(below.map((level) => [level, new SummedMean()]))
  }

  add({ means }: ModelInCell, belowIn: (level: string) => Float64Array): void {
    for (const [id, sum] of this.#measures) sum.add(means[id] ?? { count: 0, mean: null })
    for (const [level, sum] of this.#below) sum.add(average(belowIn(level)))
  }

  /** @param bounded - the measures whose means have bounds. */
  figures(bounded: readonly string[], bounds: BoundsOfModel): Figures {
    const by = <T>(of: (sum: SummedMean) => T) =>
      Object.fromEntries([...this.#measures].map(([id, sum]) => [id, of(sum)]))
    const below = [...this.#below].map(([level, { pairs, mean: share }]) => {
      // If all outcomes are on one side there is no variation, so no error can be estimated.
      const interval = share === 0 ? null : toResultBounds(bounds.below(level))
      return [level, { pairs, share, bounds: interval }] as const
    })
    return {
      pairs: by(({ pairs }) => pairs),
      means: by(({ mean }) => mean),
      bounds: Object.fromEntries(bounded.map((id) => [id, toResultBounds(bounds.ofMeasure(id))])),
      below: Object.fromEntries(below),
    }
  }
}

class SummedMean {
  pairs = 0
  readonly #means = new MeanOfMeans()

  add({ count, mean }: Mean): void {
    this.pairs += count
    this.#means.add(mean)
  }

  get mean(): number | null {
    return this.#means.value
  }
}

/** The levels for which the share of outcomes below is shown. */
export const belowLevels = ({ registered: { rules } }: ReadingPlan): readonly string[] =>
  rules.weights === null ? [] : rules.forecast.levels

interface ShownCountsIn extends Scope {
  readonly model: string
  readonly step: OwnStep
  readonly counts: CountsSum
}

interface ShownModel extends Scope {
  readonly model: string
  readonly step: OwnStep
  readonly figures: ModelFigures
}

interface ShownPair extends Scope {
  readonly pair: ComparedPair
  readonly step: number
  readonly keys: SummedKeys
  readonly observed: ReadonlyMap<string, MeanOfMeans>
  readonly comparator: ReadonlyMap<string, MeanOfMeans>
}

interface ShownRule {
  readonly rule: string
  readonly model: string
  readonly step: number
  readonly primary: SummedMean
  readonly coverage: ReadonlyMap<string, SummedMean>
  readonly isOwn: boolean
}

/** A series of a reading, with what it would be under other rules of release. */
export interface ShownSeries extends SeriesReading {
  /** The scores of the pairs of a model in a cell as if the values of another rule counted. */
  readonly rescored: (model: string, cell: number, rule: string) => MeasureColumns
}

/** What is shown of a reading besides its tests, a series at a time. */
export class ShownSums {
  readonly #counts: readonly ShownCountsIn[]
  readonly #models: readonly ShownModel[]
  readonly #pairs: readonly ShownPair[]
  readonly #rules: readonly ShownRule[]
  readonly #spread: readonly SpreadOfPair[]
  readonly #newest: readonly NewestKnown[]

  constructor(
    private readonly of: ReadingPlan,
    measures: readonly string[],
    others: readonly OtherRelease[],
  ) {
    const { rules } = of.registered
    const scopes = scopesIn(of)
    const inScopes = modelNames(of).flatMap((model) => scopes.map((scope) => ({ model, ...scope })))
    this.#counts = inScopes.flatMap((modelScope) =>
      [...rules.steps, 'overall' as const].map((step) => {
        return { ...modelScope, step, counts: new CountsSum() }
      }),
    )
    this.#models = inScopes.flatMap((modelScope) => {
      // Groups, like their tests, have only the mean over all steps.
      const steps = modelScope.group === 'all' ? rules.steps : []
      return (['overall', ...steps] as const).map((step) => {
        const below = modelScope.scope === 'all' && step !== 'overall' ? belowLevels(of) : []
        return { ...modelScope, step, figures: new ModelFigures(measures, below) }
      })
    })
    const byScore = () => new Map(rules.scores.map(({ id }) => [id, new MeanOfMeans()]))
    this.#pairs = comparedPairs(of).flatMap((pair) =>
      rules.steps.flatMap((step) =>
        scopes.map((scope) => {
          const [observed, comparator] = [byScore(), byScore()]
          return { pair, step, ...scope, keys: new SummedKeys(), observed, comparator }
        }),
      ),
    )
    this.#rules = rulesIn(of, others)
    this.#spread = comparedPairs(of).map((pair) => new SpreadOfPair(of, pair))
    this.#newest = rules.steps.map((step) => new NewestKnown(of, step))
  }

  add(own: ShownSeries, sums: CellSums): void {
    for (const of of this.#counts) addCounts(of, own, sums)
    for (const of of this.#models) this.#addModel(of, own, sums)
    for (const of of this.#pairs) this.#addPair(of, own, sums)
    for (const of of this.#rules) this.#addRule(of, own)
    for (const of of this.#spread) of.add(own, sums)
    for (const of of this.#newest) of.add(own)
  }

  #addModel(
    { model, level, group, step, figures }: ShownModel,
    own: SeriesReading,
    sums: CellSums,
  ) {
    if (!this.of.isAsked(model, own.series)) return
    for (const cell of cellsIn(own.cells, { step, group })) {
      if (!cell.isShown) continue
      figures.add(sums.modelIn(model, cell, level), (of) => sums.belowIn(model, cell.id, of))
    }
  }

  #addPair({ pair, step, level, group, ...of }: ShownPair, own: SeriesReading, sums: CellSums) {
    const isAsked = this.of.isAsked(pair.comparator, own.series)
    for (const cell of cellsIn(own.cells, { step, group })) {
      of.keys.add(sums.countKeys(pair, cell, level))
      if (!cell.isShown || !isAsked) continue
      const { scores } = sums.comparedIn(pair, cell, level)
      for (const [id, { observed, comparator_mean }] of Object.entries(scores)) {
        of.observed.get(id)?.add(observed)
        of.comparator.get(id)?.add(comparator_mean)
      }
    }
  }

  #addRule({ rule, isOwn, model, step, primary, coverage }: ShownRule, own: ShownSeries): void {
    for (const { id, isShown, horizon } of own.cells) {
      if (!isShown || horizon !== step) continue
      const columns = isOwn ? own.getCell(model, id).columns : own.rescored(model, id, rule)
      primary.add(average(columns[primaryIn(this.of.registered.rules)]!))
      for (const [score, sum] of coverage) sum.add(average(columns[score]!))
    }
  }

  /** Attempts that count only in a second reading. */
  get late(): number {
    return this.#counts
      .filter(({ scope, step }) => scope === 'all' && step === 'overall')
      .reduce((sum, { counts }) => sum + counts.late, 0)
  }

  accounting(): Reading['accounting'] {
    return this.#counts.map(({ model, step, scope, counts }) => {
      return { model, step, scope, ...counts.sum }
    })
  }

  /** @param bounds - by `ownName`. */
  measures(bounds: ReadonlyMap<string, Bounds>): Reading['measures'] {
    return this.#models.map(({ model, step, scope, figures }) => {
      const bounded = scope === 'all' ? boundedMeasures(this.of) : []
      const at = (measure: string) => bounds.get(ownName(model, measure, step))
      const of = { ofMeasure: at, below: (level: string) => at(belowName(level)) }
      const values = figures.figures(bounded, of)
      return { model, step, scope, ...values }
    })
  }

  differences(): Reading['differences'] {
    const by = (means: ReadonlyMap<string, MeanOfMeans>) =>
      Object.fromEntries([...means].map(([id, mean]) => [id, mean.value]))
    return this.#pairs.map(({ pair, step, scope, keys, observed, comparator }) => ({
      ...{ ...pair, step, scope, ...keys.sum },
      ...{ observed: by(observed), comparator_mean: by(comparator) },
    }))
  }

  /** The deciding score and coverage under other rules of release; the registered rule comes first. */
  otherRules(): Reading['other_rules'] {
    return this.#rules.map(({ rule, model, step, primary: { pairs, mean }, coverage }) => {
      const shares = [...coverage].map(([id, sum]) => [id, sum.mean])
      return { rule, model, step, mean, pairs, coverage: Object.fromEntries(shares) }
    })
  }

  newestKnown(): Reading['newest_known'] {
    return this.#newest.map((of) => of.result())
  }

  spread(): Reading['spread'] {
    return this.#spread.map((of) => of.result())
  }
}

/** Of all attempts, including nowcasts. */
function addCounts(
  { model, level, group, step, counts }: ShownCountsIn,
  own: SeriesReading,
  { modelIn }: CellSums,
): void {
  if (group !== 'all' && group !== own.group) return
  for (const cell of own.cells) {
    if (step === 'overall' || cell.horizon === step) counts.add(modelIn(model, cell, level).counts)
  }
}

function rulesIn(of: ReadingPlan, others: readonly OtherRelease[]): ShownRule[] {
  const { rules } = of.registered
  const coverages = rules.scores.filter(({ kind }) => kind === 'coverage').map(({ id }) => id)
  const shown = [
    { rule: releaseText(rules.outcome.release), isOwn: true },
    ...others.map(({ rule }) => ({ rule, isOwn: false })),
  ]
  return shown.flatMap(({ rule, isOwn }) =>
    modelNames(of).flatMap((model) =>
      rules.steps.map((step) => ({
        ...{ rule, isOwn, model, step, primary: new SummedMean() },
        coverage: new Map(coverages.map((id) => [id, new SummedMean()])),
      })),
    ),
  )
}

/** Counts of attempts, of several cells together. */
class CountsSum {
  #expected = 0
  #withoutOutcome = 0
  readonly #point = { scored: 0, failed: 0, abstained: 0, missing: 0, ineligible: 0 }
  readonly #interval = { ...this.#point }
  readonly #reasons = new Map<string, number>()

  add({ expected, without_outcome, point, interval, reasons }: ShownCounts): void {
    this.#expected += expected
    this.#withoutOutcome += without_outcome
    for (const status of STATUSES) {
      this.#point[status] += point[status]
      this.#interval[status] += interval[status]
    }
    for (const [reason, count] of Object.entries(reasons)) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + count)
    }
  }

  get late(): number {
    const { committed_late = 0, not_committed = 0 } = Object.fromEntries(this.#reasons)
    return committed_late + not_committed
  }

  get sum(): ShownCounts {
    return {
      expected: this.#expected,
      without_outcome: this.#withoutOutcome,
      ...{ point: { ...this.#point }, interval: { ...this.#interval } },
      reasons: Object.fromEntries(this.#reasons),
    }
  }
}

const SPREAD_QUANTILES = 21

/** The overall differences of the primary score of two models, one of each series. */
class SpreadOfPair {
  readonly #differences: { readonly series: string; readonly difference: number }[] = []

  constructor(
    private readonly of: ReadingPlan,
    private readonly pair: ComparedPair,
  ) {}

  /** Excludes a series without a difference, or with a comparator whose loss is 0. */
  add({ series, cells }: SeriesReading, { comparedIn }: CellSums): void {
    if (!this.of.isAsked(this.pair.comparator, series)) return
    const primary = primaryIn(this.of.registered.rules)
    const shown = cellsIn(cells, { step: 'overall', group: 'all' }).filter(({ isShown }) => isShown)
    const each = shown.map((cell) => comparedIn(this.pair, cell, 'all').scores[primary]!)
    const observed = averageMeans(each.map((one) => one.observed))
    const base = averageMeans(each.map((one) => one.comparator_mean))
    if (observed !== null && base) this.#differences.push({ series, difference: observed / base })
  }

  result(): Reading['spread'][number] {
    const { harm } = this.of.registered.rules.limits
    const sorted = this.#differences.toSorted(
      (a, b) => a.difference - b.difference || compareText(a.series, b.series),
    )
    const values = sorted.map(({ difference }) => difference)
    return {
      ...this.pair,
      series: sorted.length,
      worse: values.filter((value) => value > harm).length,
      quantiles: values.length === 0 ? [] : shownQuantiles(values),
      best: sorted.slice(0, SERIES_NAMED),
      worst: sorted.slice(-SERIES_NAMED).reverse(),
    }
  }
}

/**
 * From the minimum to the maximum, with linear interpolation (Hyndman and Fan, type 7). @param sorted - at least one.
 */
function shownQuantiles(sorted: readonly number[]): number[] {
  return Array.from({ length: SPREAD_QUANTILES }, (_, index) => {
    const at = ((sorted.length - 1) * index) / (SPREAD_QUANTILES - 1)
    const below = Math.floor(at)
    const low = sorted[below] as number
    return low + (at - below) * ((sorted[below + 1] ?? low) - low)
  })
}

/** The age of the newest value of any series that baselines see and that lies before the target, at a step. */
class NewestKnown {
  /** By origin; NaN if none. */
  readonly #newest: Float64Array

  constructor(
    private readonly of: ReadingPlan,
    private readonly step: number,
  ) {
    this.#newest = new Float64Array(of.plan.origins.count).fill(Number.NaN)
  }

  add({ cells, paired }: SeriesReading): void {
    for (const { id, horizon } of cells) {
      if (horizon !== this.step) continue
      for (const [at, seen] of paired.seen(id).entries()) {
        if (!(seen <= (this.#newest[at] as number)) && !Number.isNaN(seen)) this.#newest[at] = seen
      }
    }
  }

  result(): Reading['newest_known'][number] {
    const { origins } = this.of.plan
    const { step } = this
    const { targetsAt } = this.of.registered.rules
    const asked = Array.from({ length: origins.count }, (_, at) => at).filter((at) =>
      targetsAt(origins.position(at)).includes(step),
    )
    const ages = asked.flatMap((at) => {
      const origin = origins.position(at)
      const newest = this.#newest[at] as number
      // A value of the target itself is as old as the target.
      return Number.isNaN(newest) ? [] : [origin - Math.min(newest, origin + Math.max(0, step))]
    })
    const median = ages.sort((a, b) => a - b)[Math.floor(ages.length / 2)] ?? null
    return { step, origins: asked.length, median_steps: median }
  }
}
