import { formatStored } from '../../contract/instant.js'
import { INTERVAL_LEVEL } from '../../contract/limits.js'
import type { SeriesProtocol } from '../../contract/types.js'
import type { PairingRow } from '../../forecast/row.js'
import type { PeriodList } from '../../periods/list.js'
import type { SeriesTimes } from '../../periods/series-times.js'
import type { SeriesTruth } from '../../task/series-truth.js'
import { primaryTransform } from '../../task/transforms.js'
import { TruthView } from '../../task/truth-view.js'
import { OwnErrors } from './own-errors.js'

type SeriesBaseline = SeriesProtocol['baselines'][number]

/** The point forecast of a target from what is public; NaN where there is none. */
type SeriesRule = (view: TruthView, target: number, step: number) => number

function ruleOf({ kind, period_steps: season = 1 }: SeriesBaseline): SeriesRule {
  // The last value that is public, be it a preliminary one of the target itself.
  if (kind === 'persistence') return (view) => view.value(view.newest)
  // The newest public value whole seasons before the target.
  return (view, target, step) => {
    const seasons = Math.max(1, Math.ceil(step / season))
    for (let from = target - seasons * season; from >= 0; from -= season) {
      const value = view.value(from)
      if (!Number.isNaN(value)) return value
    }
    return Number.NaN
  }
}

/**
 * The forecasts of a protocol's baselines, by series, origin, horizon and id. Each is made from what was public when it
 * was due; one without enough to go by is an abstention.
 *
 * Quantiles come from own errors at the step: the distances, on the transform of the score that decides, of earlier
 * forecasts from what is in force when this one is due, of targets that could be known by then; both ways, and of type
 * 7. They are not below the minimum, and whole where values are.
 * @param ids - of baselines of the protocol. @param origins - positions, ascending.
 */
export function* seriesBaselineRows(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
  truth: SeriesTruth,
  ids: readonly string[],
  origins: readonly number[],
): Generator<PairingRow> {
  const chosen = protocol.baselines.filter(({ id }) => ids.includes(id))
  const baselines = chosen.sort((a, b) => (a.id < b.id ? -1 : 1))
  const asked = new Set(origins)
  const all = [...periods.keys()].filter((at) => times.targetsOf(at).length > 0)
  const forecasts = new Map(all.map((origin, index) => [origin, index]))
  const levels = protocol.forecast.levels
  const none = levels.map(() => null)
  const inOrder = [...protocol.series.entries()].sort(([, a], [, b]) => (a.id < b.id ? -1 : 1))
  const last = origins.at(-1) ?? -1
  for (const [index, { id }] of inOrder) {
    const view = new TruthView(truth, index, periods.length, times)
    const own = baselines.map((each) => new Forecaster(each, protocol, forecasts))
    for (const origin of all) {
      if (origin > last) break
      const due = times.due(origin)
      const dueAt = formatStored(due)
      const isAsked = asked.has(origin)
      const touched = view.show(due)
      for (const forecaster of own) forecaster.revise(view, touched)
      for (const step of times.targetsOf(origin)) {
        for (const [at, forecaster] of own.entries()) {
          const made = forecaster.forecast(view, origin, step)
          if (!isAsked) continue
          yield {
            series: id,
            originAt: periods[origin]?.label ?? '',
            model: baselines[at]?.id ?? '',
            horizon: step,
            targetAt: null,
            generatedAt: null,
            sourcePrice: null,
            forecast: made?.point ?? null,
            levels,
            quantiles: made?.quantiles ?? none,
            level: INTERVAL_LEVEL,
            attempt: made === undefined ? 'abstained' : null,
            inputAvailableAt: dueAt,
            selectionDataThrough: dueAt,
            vintageId: null,
            vintageSha256: null,
          }
        }
      }
    }
  }
}

/** A baseline at one series, with its own earlier forecasts. */
class Forecaster {
  readonly #rule: SeriesRule
  readonly #on: ReturnType<typeof primaryTransform>
  readonly #levels: readonly number[]
  readonly #least: number
  readonly #errors = new Map<number, OwnErrors>()

  /** @param origins - all of the list, by position, with their places among each other. */
  constructor(
    private readonly baseline: SeriesBaseline,
    private readonly protocol: SeriesProtocol,
    private readonly origins: ReadonlyMap<number, number>,
  ) {
    const { levels, minimum = '-Infinity', integer } = protocol.forecast
    this.#rule = ruleOf(baseline)
    this.#on = primaryTransform(protocol)
    this.#levels = levels.map(Number)
    this.#least = integer ? Math.ceil(Number(minimum)) : Number(minimum)
  }

  /** Takes note of outcomes that are others than before. */
  revise(view: TruthView, targets: readonly number[]): void {
    for (const target of targets) {
      const outcome = this.#on.of(view.known(target))
      for (const [step, errors] of this.#errors) {
        const place = this.origins.get(target - step)
        if (place !== undefined) errors.revise(place, outcome)
      }
    }
  }

  /** @returns undefined for an abstention. */
  forecast(view: TruthView, origin: number, step: number) {
    const { errors: by } = this.baseline
    const point = this.#allowed(this.#rule(view, origin + step, step))
    if (this.#levels.length === 0 || by === undefined) {
      return Number.isNaN(point) ? undefined : { point, quantiles: undefined }
    }
    const middle = this.#on.of(point)
    const errors = this.#errors.get(step) ?? new OwnErrors(by.window, this.origins.size)
    this.#errors.set(step, errors)
    const enough = errors.size >= by.minimum && !Number.isNaN(middle)
    const quantiles = enough
      ? this.#levels.map((level) => this.#quantile(point, middle, errors.quantile(level)))
      : undefined
    const outcome = this.#on.of(view.known(origin + step))
    errors.forecast(this.origins.get(origin) as number, middle, outcome)
    return quantiles && { point, quantiles }
  }

  /** Through the transform and back a point may differ in its last digit: quantiles do not cross it. */
  #quantile(point: number, middle: number, error: number): number {
    if (error === 0) return point
    const value = this.#allowed(this.#on.back(middle + error))
    return error > 0 ? Math.max(point, value) : Math.min(point, value)
  }

  #allowed(value: number): number {
    return Math.max(this.#least, this.protocol.forecast.integer ? Math.round(value) : value)
  }
}
