import { checkedInstant, type Instant } from '../../contract/instant.js'
import type { LogKey } from '../../log/log-entry.js'
import type { PeriodPosition } from '../../pairing/grid.js'
import type { CellKey, PairingPlan } from '../../pairing/plan.js'
import { lastSettled, targetsFrom } from '../../periods/series-times.js'
import { HOURS } from '../../protocol/rules/calendar.js'
import { lastTarget } from '../../registration/time-rules.js'
import { NO_TRUTH } from '../../truth/shown-values.js'
import {
  type EvaluationBasis,
  hourlyEvaluationPlan,
  registeredModels,
  type SeriesBasis,
  seriesEvaluationPlan,
} from '../plan.js'

/** The forecasts that a registration requires of the models of a history, and their deadlines. */
export interface ExpectedForecasts {
  readonly models: readonly string[]
  /** Of each model. */
  readonly count: number
  /** The share that a model may leave out. */
  readonly leftOut: number
  /**
   * Whether a forecast that the log holds and the history does not show is a fault, and a recorded attempt beside one
   * takes nothing back; without verdict hypotheses both make it withdrawn.
   */
  readonly allShown: boolean
  /** The deadline of the registration. */
  readonly firstInputs: Instant
  /** When the last outcome can be known; the log must not end before. */
  readonly lastTarget: Instant
  /** The last instant at which any of them may be committed. */
  readonly lastLatest: Instant
  /** No outcome may be read before this time. */
  readonly asOf: Instant
  /** A unique text for each expected forecast; undefined for the key of another row. */
  keyText(key: Omit<LogKey, 'kind'>): string | undefined
  /** The same for a key that is known to be expected. */
  textAt(origin: PeriodPosition, cell: CellKey, model: string): string
  /** The forecast that a text names. */
  named(text: string): ExpectedForecast
  /** Whether a row is of the window, expected or not. */
  isOfWindow(key: Pick<LogKey, 'originAt'>): boolean
}

/** An expected forecast. */
export interface ExpectedForecast extends CellKey {
  readonly origin: PeriodPosition
  readonly originAt: string
  readonly model: string
  /** The deadline for committing it. */
  readonly latest: Instant
}

/** What a plan does not say of the forecasts that are expected. */
type Limits = Pick<ExpectedForecasts, 'leftOut' | 'lastTarget' | 'asOf'> & {
  /** An origin in the spelling of rows. */
  readonly originText: (origin: PeriodPosition) => string
}

/** Every cell of every origin of a plan, of each of its models. @param plan - needs no outcomes. */
function expectedIn(
  { models, origins, cells, rules, from, to, forVerdict = false }: PairingPlan,
  { originText, ...limits }: Limits,
): ExpectedForecasts {
  const names = new Set(models)
  const cellName = ({ series, horizon }: CellKey) => `${horizon} ${series}`
  const byName = new Map(cells.map((cell) => [cellName(cell), cell]))
  const { hasCell } = rules
  // A log of hourly forecasts names no series.
  const only = cells[0]?.series ?? ''
  const positions = Array.from({ length: origins.count }, (_, index) => origins.position(index))
  const textAt = (origin: PeriodPosition, { series, horizon }: CellKey, model: string) =>
    JSON.stringify([origin, series, horizon, model])
  const latest = (origin: PeriodPosition, cell: CellKey) => rules.target(origin, cell).latest
  return {
    ...limits,
    models,
    count: positions.reduce((sum, at) => sum + cells.filter((cell) => hasCell(at, cell)).length, 0),
    allShown: forVerdict,
    firstInputs: rules.inputs(positions[0] as PeriodPosition),
    // The longest horizon of an origin has the latest deadline.
    lastLatest: positions.reduce(
      (last, at) => Math.max(last, latest(at, cells.at(-1)!)),
      -Infinity,
    ),
    keyText: ({ series: id, originAt, horizonHours: horizon, model }) => {
      const series = id || only
      const cell = byName.get(cellName({ series, horizon }))
      if (cell === undefined || !names.has(model)) return undefined
      const origin = rules.position(originAt)
      const isAsked = origins.indexOf(origin) !== undefined && hasCell(origin, cell)
      return isAsked ? textAt(origin, cell, model) : undefined
    },
    textAt,
    named: (text) => {
      const [origin, series, horizon, model] = JSON.parse(text) as [number, string, number, string]
      const originAt = originText(origin)
      return {
        origin,
        originAt,
        series,
        horizon,
        model,
        latest: latest(origin, { series, horizon }),
      }
    },
    isOfWindow: ({ originAt }) => {
      const origin = rules.position(originAt)
      return origin >= from && origin <= to
    },
  }
}

/** Those of a registration over full hours: models × origins × steps. */
export function hourlyExpected(basis: EvaluationBasis): ExpectedForecasts {
  const { registration, rules } = basis
  const { window } = registration
  const plan = hourlyEvaluationPlan({ ...basis, truth: NO_TRUTH, strata: [] })
  const expected = expectedIn(
    { ...plan, models: registeredModels(registration, 'history') },
    {
      leftOut: rules.limits.availability,
      lastTarget: lastTarget(window.to, rules.steps),
      asOf: checkedInstant(window.last_settled ?? ''),
      originText: HOURS.stated,
    },
  )
  return { ...expected, named: (text) => ({ ...expected.named(text), series: '' }) }
}

/** Those of a registration over a list: models × origins of the window × series × their steps. */
export function seriesExpected(basis: SeriesBasis): ExpectedForecasts {
  const { registration, periods, rules, origins } = basis
  const asOf = lastSettled(rules, origins)
  const plan = seriesEvaluationPlan(basis, NO_TRUTH, asOf)
  return expectedIn(
    { ...plan, models: registeredModels(registration, 'history') },
    {
      leftOut: rules.limits.availability,
      // If a target ends before its forecast is due, its outcome becomes known even later.
      lastTarget: targetsFrom(rules, origins).reduce(
        (last, target) => Math.max(last, rules.known(target)),
        -Infinity,
      ),
      asOf,
      originText: (origin) => periods[origin]?.label ?? '',
    },
  )
}
