import { remembering } from '../../contract/remembering.js'
import type { AvailabilityCell, FailureCount } from '../../inference/disposition.js'
import { average, MeanOfMeans } from '../../scoring/sum.js'
import { Availability } from '../disposition.js'
import { MissingBefore, MissingKeys, type MissingOutcomes } from '../gaps.js'
import { countAttempts } from '../result/shared.js'
import { type ChargedWaiting, WaitingWorth } from '../waiting.js'
import { primaryIn, type ReadingPlan } from './basis.js'
import { cellsIn, type ReadingCell, type SeriesReading } from './cells.js'
import type { KeyCounter } from './keys.js'
import { isChargeableIn, isChargedIn } from './registered.js'
import { type ComparedPair, comparedPairs, modelNames } from './sum.js'

/** A series, with what decisions ask of it besides its tests. */
export interface DecidedSeries extends SeriesReading {
  readonly countKeys: KeyCounter
  /** Whether a period has a value that counts. */
  readonly hasValue: (period: number) => boolean
}

/** What decisions rest on besides the tests, a series at a time. */
export class DecidedSums {
  readonly #missing = new MissingKeys()
  readonly #before: MissingBefore
  readonly #failures: ReadonlyMap<string, { failures: number; expected: number }>
  readonly #availability: readonly { readonly pair: ComparedPair; readonly of: Availability }[]
  readonly #waiting: readonly ComparedWaiting[]
  readonly #farOff: FarOff

  constructor(private readonly of: ReadingPlan) {
    const { rules, comparators } = of.registered
    this.#before = new MissingBefore(of.plan.origins.position(0), rules.calendar.label)
    this.#failures = new Map(modelNames(of).map((model) => [model, { failures: 0, expected: 0 }]))
    const isOfHistory = (name: string) =>
      comparators.find((each) => each.name === name)?.source === 'history'
    this.#availability = comparedPairs(of).map((pair) => {
      const isSeveral = rules.series.length > 1
      return { pair, of: new Availability(isOfHistory(pair.comparator), isSeveral) }
    })
    this.#waiting = comparators
      .filter(({ name }) => isChargeableIn(of.registered, name))
      .flatMap(({ name }) =>
        (['overall', ...rules.steps] as const).map((step) => new ComparedWaiting(of, name, step)),
      )
    this.#farOff = new FarOff(of)
  }

  add(own: DecidedSeries): void {
    const { series, group, cells, getCell } = own
    const primary = primaryIn(this.of.registered.rules)
    const lossIn = remembering(
      (model: string, cell: number) => average(getCell(model, cell).columns[primary]!).mean ?? NaN,
    )
    this.#missing.add(series, group, cells)
    this.#addBefore(own)
    for (const [model, sum] of this.#failures) {
      const { expected, point } = countAttempts(own.paired, { model })
      sum.failures += point.failed
      sum.expected += expected
    }
    for (const { pair, of } of this.#availability) this.#addAvailability(pair, of, own, lossIn)
    for (const of of this.#waiting) of.add(own)
    this.#farOff.add(own, lossIn)
  }

  /** Reports if more of the expected outcomes are missing than a verdict allows. */
  missing(): MissingOutcomes[] {
    const isScaled = this.of.registered.rules.scaling.kind !== 'none'
    return [
      ...this.#missing.result(),
      ...(isScaled ? [] : this.#missing.mostly()),
      ...this.#before.result(),
    ]
  }

  countFailures(model: string): FailureCount {
    return this.#failures.get(model) as FailureCount
  }

  /** What was left out in a comparison. */
  availability({ candidate, comparator }: ComparedPair): AvailabilityCell[] {
    const entry = this.#availability.find(
      ({ pair }) => pair.candidate === candidate && pair.comparator === comparator,
    )
    return entry?.of.cells() ?? []
  }

  /** What waiting until forecasts are due is worth, against every comparator that is charged for it. */
  waiting(): ChargedWaiting[] {
    const farOff = this.farOff()
    return this.#waiting
      .map((of) => of.result())
      .filter(({ comparator }) => isChargedIn(this.of.registered, comparator, farOff))
  }

  /** As `ReadingTests` has them. */
  farOff(): string[] {
    return this.#farOff.result()
  }

  #addBefore({ series, hasValue }: DecidedSeries): void {
    const { series: all, periods, calendar } = this.of.registered.rules
    const from = all.find(({ id }) => id === series)?.from
    // A calendar of all full hours has no first period.
    const start = from ?? (periods.kind === 'list' ? periods.first : undefined)
    if (start !== undefined) this.#before.add(series, calendar.position(start), hasValue)
  }

  #addAvailability(
    pair: ComparedPair,
    of: Availability,
    { series, cells, countKeys }: DecidedSeries,
    lossIn: (model: string, cell: number) => number,
  ): void {
    const isAsked = this.of.isAsked(pair.comparator, series)
    const tested = isAsked ? cells.filter(({ inTest }) => inTest) : []
    const { levels } = this.of.registered
    const counts = (level: Parameters<KeyCounter>[2]) =>
      tested.map((cell) => ({ step: cell.horizon, keys: countKeys(pair, cell, level) }))
    const byLevel = levels.map((level) => [`${level.name}: ${level.level}`, counts(level)] as const)
    const losses = tested.map(({ id }) => lossIn(pair.comparator, id) || 0)
    const loss = losses.reduce((sum, each) => sum + each, 0)
    of.add(series, counts('all'), new Map(byLevel), loss)
  }
}

/** What waiting is worth against a comparator that is charged for it, at a step. */
class ComparedWaiting {
  readonly #worth = new WaitingWorth()

  constructor(
    private readonly of: ReadingPlan,
    private readonly comparator: string,
    private readonly step: number | 'overall',
  ) {}

  add({ series, cells, getCell, left }: SeriesReading): void {
    const { comparator, step } = this
    if (!this.of.isAsked(comparator, series)) return
    const primary = primaryIn(this.of.registered.rules)
    for (const { id, isShown } of cellsIn(cells, { step, group: 'all' })) {
      if (isShown) this.#worth.add(getCell(comparator, id).columns[primary]!, left(id))
    }
  }

  result(): ChargedWaiting {
    const { comparator, step: horizon } = this
    return { comparator, horizon, worth: this.#worth.share }
  }
}

/**
 * A comparator with a loss this many times that of the best standard comparator, overall and at every step, would set p
 * although it is irrelevant.
 */
const FAR_OFF = 1.5

/** Finds standard comparators that are far off, each compared with the best of them over the cells for which it is required. */
class FarOff {
  readonly #standard: readonly string[]
  /** Of each model over the cells of each: at the deciding steps together, and at every step. */
  readonly #losses = remembering(
    (_over: string, _of: string, _step: number | 'overall') => new MeanOfMeans(),
  )
  readonly #steps = new Map<string, Set<number>>()

  constructor(private readonly of: ReadingPlan) {
    const { comparators, rules } = of.registered
    const kinds = new Map(rules.baselines.map(({ id, kind }) => [id, kind]))
    this.#standard = comparators.flatMap(({ source, name }) =>
      source === 'built_in' && kinds.get(name) !== 'hourly' ? [name] : [],
    )
  }

  add({ series, cells }: SeriesReading, lossIn: (model: string, cell: number) => number): void {
    const shown = cells.filter(({ isShown }) => isShown)
    for (const over of this.#standard) {
      if (!this.of.isAsked(over, series)) continue
      for (const cell of shown) this.#addCell(over, series, cell, lossIn)
    }
  }

  #addCell(
    over: string,
    series: string,
    { id, horizon, decides }: ReadingCell,
    lossIn: (model: string, cell: number) => number,
  ): void {
    const steps = this.#steps.get(over) ?? new Set()
    this.#steps.set(over, steps.add(horizon))
    for (const of of this.#standard) {
      const loss = this.of.isAsked(of, series) ? lossIn(of, id) : Number.NaN
      const mean = Number.isNaN(loss) ? null : loss
      this.#losses(over, of, horizon).add(mean)
      if (decides) this.#losses(over, of, 'overall').add(mean)
    }
  }

  result(): string[] {
    const comparedLoss = (over: string, of: string, step: number | 'overall') =>
      this.#losses(over, of, step).value ?? Number.POSITIVE_INFINITY
    return this.#standard.filter((name) => {
      const [best = name] = this.#standard.toSorted(
        (a, b) => comparedLoss(name, a, 'overall') - comparedLoss(name, b, 'overall'),
      )
      const parts = ['overall' as const, ...(this.#steps.get(name) ?? [])]
      return parts.every(
        (step) => comparedLoss(name, name, step) > FAR_OFF * comparedLoss(name, best, step),
      )
    })
  }
}
