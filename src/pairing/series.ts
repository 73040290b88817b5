import type { Instant } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import { expectedFrom } from '../periods/expected.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { forecastFaults } from '../task/forecast-fault.js'
import { remembering } from '../task/remembering.js'
import type { SeriesTruth } from '../task/series-truth.js'
import { TruthView } from '../task/truth-view.js'
import type { TaskCell, TaskOrigins, TaskPlace } from '../task/types.js'
import type { CellKey, PairingPlan, PairingRules, Seen } from './types.js'

/** A protocol of version 2 with its list of periods, and the outcomes. */
export interface SeriesSetting {
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly times: SeriesTimes
  readonly truth: SeriesTruth
}

/** A plan of version 2: models × origins of the window × series × steps. */
export type SeriesPairingPlan = Omit<
  PairingPlan,
  'origins' | 'cells' | 'rules' | 'asksWhenMade' | 'forVerdict'
>

/** Cells by series, by code point, then by horizon; numbered in this order. */
function seriesCells({ series, horizons }: SeriesProtocol): TaskCell[] {
  const ids = series.map(({ id }) => id).sort(compareText)
  const keys = ids.flatMap((id) => horizons.map((horizon) => ({ series: id, horizon })))
  return keys.map((key, id) => ({ id, ...key }))
}

/** The origins of a list from one position to another, both included. */
function seriesOrigins({ targetsOf }: SeriesTimes, from: number, to: number): TaskOrigins {
  const positions: number[] = []
  for (let at = from; at <= to; at++) if (targetsOf(at).length > 0) positions.push(at)
  const indices = new Map(positions.map((position, index) => [position, index]))
  return {
    count: positions.length,
    placeOf: (index) => positions[index] ?? Number.NaN,
    indexOf: (place) => indices.get(place),
  }
}

const NOTHING_SEEN: Seen = { seen: null, base: null }

/** @param origins - of which it is asked. */
function seenAt(
  { periods, times, truth }: SeriesSetting,
  origins: TaskOrigins,
): (series: number, origin: TaskPlace) => Seen {
  const columns = remembering((series: number) => {
    const view = new TruthView(truth, series, periods.length, times)
    const newest = new Int32Array(origins.count)
    const values = new Float64Array(origins.count)
    for (let index = 0; index < origins.count; index++) {
      view.show(times.due(origins.placeOf(index)))
      newest[index] = view.newest
      values[index] = view.value(view.newest)
    }
    return { newest, values }
    // One series is asked about after the other.
  }, 1)
  return (series, origin) => {
    const index = origins.indexOf(origin)
    if (index === undefined) return NOTHING_SEEN
    const { newest, values } = columns(series)
    const seen = newest[index] as number
    return seen < 0 ? NOTHING_SEEN : { seen, base: values[index] as number }
  }
}

/** @param plan - places are positions in the list of periods. */
export function seriesPlan(plan: SeriesPairingPlan, setting: SeriesSetting): PairingPlan {
  const origins = seriesOrigins(setting.times, plan.from, plan.to)
  return {
    ...plan,
    models: [...new Set(plan.models)].sort(compareText),
    origins,
    cells: seriesCells(setting.protocol),
    asksWhenMade: true,
    forVerdict: true,
    rules: seriesRules(setting, origins, plan.asOf),
  }
}

function seriesRules(setting: SeriesSetting, origins: TaskOrigins, asOf: Instant): PairingRules {
  const { protocol, periods, times, truth } = setting
  const seenIn = seenAt(setting, origins)
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  const series = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const steps = periods.map((_, at) => new Set(times.targetsOf(at)))
  const expected = new Map(protocol.series.map((each) => [each.id, expectedFrom(each, periods)]))
  return {
    place: (label) => places.get(label) ?? Number.NaN,
    textOf: (place) => periods[place]?.label ?? '',
    target: (origin, cell: CellKey) => {
      const place = origin + cell.horizon
      const own = series.get(cell.series)
      const value = own === undefined ? Number.NaN : truth.value(own, place)
      return {
        place: periods[place] === undefined ? Number.NaN : place,
        text: null,
        // A position that is not in the list has no value either.
        outcome: Number.isFinite(value) ? value : undefined,
        matured: !(times.settled(place) > asOf),
        latest: times.due(origin),
      }
    },
    hasCell: (origin, { series: id, horizon }) =>
      steps[origin]?.has(horizon) === true && origin + horizon >= (expected.get(id) ?? 0),
    seen: (origin, id) => {
      const own = series.get(id)
      return own === undefined ? NOTHING_SEEN : seenIn(own, origin)
    },
    due: (origin) => times.due(origin),
    fault: forecastFaults(protocol),
    interval: (_, point) => point,
  }
}

/**
 * Rows with the levels of a protocol and no others: null where a row lacks one.
 * @param levels - of the protocol.
 */
export function withLevels(levels: readonly string[]): (row: PairingRow) => PairingRow {
  const places = new Map<readonly string[], readonly number[]>()
  return (row) => {
    let own = places.get(row.levels)
    if (own === undefined) {
      own = levels.map((level) => row.levels.indexOf(level))
      places.set(row.levels, own)
    }
    return { ...row, levels, quantiles: own.map((at) => row.quantiles[at] ?? null) }
  }
}
