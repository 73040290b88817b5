import { quantile7 } from '../../contract/quantile.js'
import type { PairingRow } from '../../forecast/row.js'
import type { PeriodList } from '../../periods/list.js'
import { createTargetDistance } from '../../periods/seasons.js'
import { expectedFrom, type SeriesTimes } from '../../periods/series-times.js'
import { listCalendar } from '../../protocol/rules/calendar.js'
import { primaryTransform } from '../../protocol/rules/transforms.js'
import type { Domain } from '../../truth/releases.js'
import type { SeriesTruth } from '../../truth/series-truth.js'
import { TruthView } from '../../truth/truth-view.js'
import { baselineRows, type ForecastAt } from './baseline-rows.js'
import { OwnErrors } from './own-errors.js'
import { createRule, type SeriesBaseline, type SeriesRule, sampleSize } from './series-rules.js'
import { Strongest } from './strongest.js'

/** The parts of rules that baselines follow from. */
export interface BaselineRules extends Pick<SeriesTimes, 'due' | 'known' | 'targetsAt'> {
  readonly series: readonly { readonly id: string; readonly from?: string | null }[]
  readonly baselines: readonly SeriesBaseline[]
  readonly forecast: Domain & { readonly levels: readonly string[] }
  readonly scores: Parameters<typeof primaryTransform>[0] &
    Parameters<typeof sampleSize>[0]['scores']
}

/**
 * The forecasts of a protocol's baselines, by series, origin, horizon and id. Each is made from what was public when it
 * was due; one without enough to go by is an abstention.
 *
 * Those of a climatology are the median and the quantiles of values. Of the others quantiles come from own errors at the
 * step: the distances, on the transform of the score that decides, of earlier forecasts from what is in force when this
 * one is due, of targets that could be known by then; both ways. All quantiles are of type 7, not below the minimum,
 * and whole where values are.
 * @param ids - of baselines of the protocol. @param origins - of the window: positions, ascending. How far their targets lie apart says which seasons are near.
 * @param isBrief - only whether there is a forecast is asked, not which one.
 */
export function seriesBaselineRows(
  all: BaselineRules,
  periods: PeriodList,
  truth: SeriesTruth,
  ids: readonly string[],
  origins: readonly number[],
  isBrief = false,
): Iterable<PairingRow> {
  const baselines = all.baselines.filter(({ id }) => ids.includes(id))
  const { due, targetsAt } = all
  const every = [...periods.keys()].filter((at) => targetsAt(at).length > 0)
  const forecasts = new Map(every.map((origin, index) => [origin, index]))
  const distance = createTargetDistance(periods, all, origins)
  const sizes = sampleSize(all)
  const rules = new Map(
    all.baselines.map((each) => [each, createRule(each, periods, distance, sizes, isBrief)]),
  )
  // One level is enough to show whether there are quantiles.
  const levels = all.forecast.levels.slice(0, isBrief ? 1 : undefined)
  const createForecaster = (each: SeriesBaseline): Forecaster => {
    const rule = rules.get(each) as SeriesRule
    return new Forecaster(
      each,
      rule,
      findPool(each, all).map(createForecaster),
      all,
      levels,
      forecasts,
    )
  }
  const createForecasts = (index: number): ForecastAt => {
    const from = expectedFrom(all.series[index] ?? {}, periods)
    const view = new TruthView(truth, index, periods.length, all)
    const forecasters = new Map(baselines.map((each) => [each.id, createForecaster(each)]))
    const forecastAt = (model: string, origin: number, step: number, isAsked: boolean) =>
      forecasters.get(model)?.forecast(view, origin, step, isAsked)
    let next = 0
    return (model, origin, step) => {
      // Of origins that are not asked only the errors are needed.
      for (let at = every[next]; at !== undefined && at <= origin; at = every[++next]) {
        const touched = view.show(due(at))
        for (const forecaster of forecasters.values()) forecaster.revise(view, touched)
        if (at === origin) continue
        for (const each of targetsAt(at)) {
          for (const id of forecasters.keys()) forecastAt(id, at, each, false)
        }
      }
      const made = forecastAt(model, origin, step, true) ?? null
      return origin + step < from ? undefined : made
    }
  }
  const calendar = listCalendar(periods)
  const models = baselines.map(({ id }) => id)
  const { series } = all
  const grid = { series, models, origins, levels, calendar, inputs: due, targetsAt }
  return baselineRows(grid, createForecasts)
}

/** Sorted by id, so that ties do not depend on the order of the pool. */
function findPool({ pool }: SeriesBaseline, { baselines }: BaselineRules): SeriesBaseline[] {
  return baselines
    .filter(({ id }) => pool?.includes(id) === true)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A baseline for one series, with its own earlier forecasts. */
class Forecaster {
  readonly #on: ReturnType<typeof primaryTransform>
  readonly #levels: readonly number[]
  readonly #min: number
  readonly #errors = new Map<number, OwnErrors>()
  readonly #strongest = new Map<number, Strongest>()

  /** @param pool - what one that chooses chooses from. @param origins - all of the list, by position, with their places among each other. */
  constructor(
    private readonly baseline: SeriesBaseline,
    private readonly rule: SeriesRule,
    private readonly pool: readonly Forecaster[],
    private readonly rules: Pick<BaselineRules, 'forecast' | 'scores'>,
    levels: readonly string[],
    private readonly origins: ReadonlyMap<number, number>,
  ) {
    const { minimum, integer } = rules.forecast
    this.#on = primaryTransform(rules.scores)
    this.#levels = levels.map(Number)
    const minimumValue = Number(minimum ?? Number.NEGATIVE_INFINITY)
    this.#min = integer ? Math.ceil(minimumValue) : minimumValue
  }

  /** Records outcomes that have changed. */
  revise(view: TruthView, targets: readonly number[]): void {
    for (const target of targets) {
      const outcome = this.#on.of(view.value(target))
      for (const [step, errors] of this.#errors) {
        const position = this.origins.get(target - step)
        if (position !== undefined) errors.revise(position, outcome)
      }
    }
  }

  /**
   * @param isAsked - false if the forecast is needed only for its error. @returns undefined for an abstention.
   */
  forecast(view: TruthView, origin: number, step: number, isAsked: boolean) {
    const { errors: by } = this.baseline
    const rule = this.rule
    if (rule.of === 'sample') {
      const sample = isAsked ? rule.make(view, origin + step) : undefined
      return sample && this.#ofSample(sample)
    }
    const point = this.#point(view, origin + step, step)
    if (this.#levels.length === 0 || !by) {
      return Number.isNaN(point) ? undefined : { point, quantiles: undefined }
    }
    const middle = this.#on.of(point)
    const errors = this.#errors.get(step) ?? new OwnErrors(by.window, this.origins.size)
    this.#errors.set(step, errors)
    const enough = errors.size >= by.minimum && !Number.isNaN(middle)
    const quantiles = enough
      ? this.#levels.map((level) => this.#quantile(point, middle, errors.quantile(level)))
      : undefined
    const outcome = this.#on.of(view.value(origin + step))
    errors.forecast(this.origins.get(origin) as number, middle, outcome)
    return quantiles && { point, quantiles }
  }

  /** NaN for an abstention. A baseline that chooses among others must be called at every origin, in order. */
  #point(view: TruthView, target: number, step: number): number {
    const { rule } = this
    if (rule.of === 'point') return this.#allowed(rule.make(view, target))
    if (rule.of === 'sample') {
      const sample = rule.make(view, target)
      return sample === undefined ? Number.NaN : this.#ofSample(sample).point
    }
    const strongest = this.#strongest.get(step) ?? new Strongest(this.pool.length, this.#on)
    this.#strongest.set(step, strongest)
    const points = this.pool.map((each) => each.#point(view, target, step))
    return strongest.choose(view, target, points)
  }

  #ofSample(sample: Float64Array) {
    const at = (level: number) =>
      this.#allowed(quantile7(sample.length, (index) => sample[index] as number, level))
    return { point: at(0.5), quantiles: this.#levels.map(at) }
  }

  /** The transform and its inverse may change the last digit of a point, so keep the quantiles from crossing it. */
  #quantile(point: number, middle: number, error: number): number {
    if (error === 0) return point
    const value = this.#allowed(this.#on.back(middle + error))
    return error > 0 ? Math.max(point, value) : Math.min(point, value)
  }

  #allowed(value: number): number {
    return Math.max(this.#min, this.rules.forecast.integer ? Math.round(value) : value)
  }
}
