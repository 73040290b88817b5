import {
  checkedInstant,
  formatStored,
  type Instant,
  instantOf,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
} from '../../contract/instant.js'
import type { Registration } from '../../contract/types.js'
import type { LogKey } from '../../log/types.js'
import { lastMoment } from '../../pairing/hourly.js'
import { seriesCells } from '../../pairing/series.js'
import type { CellKey } from '../../pairing/types.js'
import { lastSettled, targetsFrom } from '../../periods/series-times.js'
import { hasVerdict } from '../../registration/family.js'
import { lastTarget } from '../../registration/time-rules.js'
import type { TaskPlace } from '../../task/types.js'
import { modelsOf, type SeriesBasis } from '../plan.js'

/** The forecasts that a registration asks of the models of a history, and when they have to be there. */
export interface ExpectedForecasts {
  readonly models: readonly string[]
  /** Of each model. */
  readonly count: number
  /** The share of them that a model may leave out. */
  readonly leftOut: number
  /**
   * Whether a forecast that the log holds and the history does not show is a fault, and a recorded attempt beside one
   * takes nothing back; in earlier registrations both make it withdrawn.
   */
  readonly allShown: boolean
  /** Before it the registration has to be there. */
  readonly firstDue: Instant
  /** When the last outcome can be known, before which the log may not end. */
  readonly lastTarget: Instant
  /** The last instant at which any of them may be committed. */
  readonly lastLatest: Instant
  /** Before it no outcome may be read. */
  readonly asOf: Instant
  /** One text for each of them; undefined for the key of another row. */
  textOf(key: Omit<LogKey, 'kind'>): string | undefined
  /** The same of a key that is expected. */
  textAt(origin: TaskPlace, cell: CellKey, model: string): string
  /** What a text names. */
  named(text: string): ExpectedForecast
  /** Whether a row is of the window, expected or not. */
  isOfWindow(key: Pick<LogKey, 'originAt'>): boolean
}

/** An expected forecast. */
export interface ExpectedForecast extends CellKey {
  readonly origin: TaskPlace
  readonly originAt: string
  readonly model: string
  /** Until when it may be committed. */
  readonly latest: Instant
}

/** Those of a registration of version 1: models × hourly origins × horizons. */
export function hourlyExpected(registration: Registration): ExpectedForecasts {
  const { window, horizons_hours: horizons, publication_lag_minutes: minutes } = registration
  const [from, to] = [checkedInstant(window.from), checkedInstant(window.to)]
  const lag = minutes === undefined ? undefined : minutes * MICROS_PER_MINUTE
  const models = modelsOf(registration, 'history')
  const [hours, names] = [new Set<number>(horizons), new Set(models)]
  const end = lastTarget(window.to, horizons)
  const originOf = (text: string): Instant => instantOf(text) ?? Number.NaN
  const textAt = (origin: TaskPlace, { horizon }: CellKey, model: string) =>
    `${origin} ${horizon} ${model}`
  return {
    models,
    count: window.origins * horizons.length,
    leftOut: registration.limits.availability_limit ?? 0,
    allShown: hasVerdict(registration),
    firstDue: from,
    lastTarget: end,
    lastLatest: lastMoment(to, end, lag),
    asOf: checkedInstant(registration.as_of),
    textOf: ({ originAt, horizonHours: horizon, model }) => {
      if (!hours.has(horizon) || !names.has(model)) return undefined
      const origin = originOf(originAt)
      if (!(origin >= from && origin <= to) || origin % MICROS_PER_HOUR !== 0) return undefined
      return textAt(origin, { series: '', horizon }, model)
    },
    textAt,
    named: (text) => {
      const [at, hour, ...model] = text.split(' ')
      const [origin, horizon] = [Number(at), Number(hour)]
      const latest = lastMoment(origin, origin + horizon * MICROS_PER_HOUR, lag)
      const originAt = formatStored(origin)
      return { origin, originAt, series: '', horizon, model: model.join(' '), latest }
    },
    isOfWindow: ({ originAt }) => {
      const origin = originOf(originAt)
      return origin >= from && origin <= to
    },
  }
}

/** Those of a registration of version 2: models × origins of the window × series × their steps. */
export function seriesExpected({
  registration,
  protocol,
  periods,
  times,
  origins,
}: SeriesBasis): ExpectedForecasts {
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  const place = (label: string) => places.get(label) ?? Number.NaN
  const [from, to] = [origins[0] as number, origins.at(-1) as number]
  const inWindow = new Set(origins)
  const targets = targetsFrom(times, origins)
  const models = modelsOf(registration, 'history')
  const names = new Set(models)
  const cells = new Set(seriesCells(protocol).map(({ series, horizon }) => `${horizon} ${series}`))
  const latest = (of: readonly Instant[]) => of.reduce((a, b) => Math.max(a, b), -Infinity)
  const textAt = (origin: TaskPlace, { series, horizon }: CellKey, model: string) =>
    JSON.stringify([origin, series, horizon, model])
  return {
    models,
    count: targets.length * protocol.series.length,
    leftOut: Number(protocol.limits.availability),
    allShown: true,
    firstDue: times.due(from),
    // A target that is over before its forecast is due has an outcome later still.
    lastTarget: latest(targets.map(times.known)),
    lastLatest: latest(origins.map(times.due)),
    asOf: lastSettled(times, origins),
    textOf: ({ series = '', originAt, horizonHours: horizon, model }) => {
      const origin = place(originAt)
      const isAsked =
        names.has(model) &&
        cells.has(`${horizon} ${series}`) &&
        inWindow.has(origin) &&
        times.targetsOf(origin).includes(horizon)
      return isAsked ? textAt(origin, { series, horizon }, model) : undefined
    },
    textAt,
    named: (text) => {
      const [origin, series, horizon, model] = JSON.parse(text) as [number, string, number, string]
      const originAt = periods[origin]?.label ?? ''
      return { origin, originAt, series, horizon, model, latest: times.due(origin) }
    },
    isOfWindow: ({ originAt }) => place(originAt) >= from && place(originAt) <= to,
  }
}
