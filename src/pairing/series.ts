import type { Instant } from '../contract/instant.js'
import { isValue } from '../contract/limits.js'
import { compareText } from '../contract/order.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import type { SeriesTruth } from '../task/series-truth.js'
import { primaryTransform } from '../task/transforms.js'
import type { TaskCell, TaskOrigins } from '../task/types.js'
import type { CellKey, PairingPlan, PairingRules, Reason } from './types.js'

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

/** What pairing needs of a protocol and its outcomes. */
type PairingSetting = Omit<SeriesSetting, 'truth'> & { readonly truth: Pick<SeriesTruth, 'value'> }

/** @param plan - places are positions in the list of periods. */
export function seriesPlan(plan: SeriesPairingPlan, setting: PairingSetting): PairingPlan {
  return {
    ...plan,
    models: [...new Set(plan.models)].sort(compareText),
    origins: seriesOrigins(setting.times, plan.from, plan.to),
    cells: seriesCells(setting.protocol),
    asksWhenMade: true,
    forVerdict: true,
    rules: seriesRules(setting, plan.asOf),
  }
}

function seriesRules(
  { protocol, periods, times, truth }: PairingSetting,
  asOf: Instant,
): PairingRules {
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  const series = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const steps = periods.map((_, at) => new Set(times.targetsOf(at)))
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
        base: null,
        // A position that is not in the list has no value either.
        outcome: Number.isFinite(value) ? value : undefined,
        matured: !(times.settled(place) > asOf),
        latest: times.due(origin),
      }
    },
    hasCell: (origin, { horizon }) => steps[origin]?.has(horizon) === true,
    due: (origin) => times.due(origin),
    absent: 'outcome_absent',
    fault: valueFault(protocol),
    interval: (_, point) => point,
  }
}

/** Why a forecast cannot be scored: it lacks a level, its quantiles cross, or a value is none of the series. */
function valueFault(protocol: SeriesProtocol) {
  const { levels, minimum, integer } = protocol.forecast
  const { of: on } = primaryTransform(protocol)
  const least = minimum === undefined ? Number.NEGATIVE_INFINITY : Number(minimum)
  const median = levels.indexOf('0.5')
  return (row: Pick<PairingRow, 'forecast' | 'quantiles'>): Reason | undefined => {
    const { forecast: point, quantiles } = row
    const values: number[] = []
    for (const value of quantiles) {
      if (value === null || !Number.isFinite(value)) return 'quantiles_incomplete'
      if (value < (values.at(-1) ?? value)) return 'quantiles_cross'
      values.push(value)
    }
    if (point === null || !Number.isFinite(point)) return 'out_of_range'
    // The point is the median: another value beside it would be a second forecast.
    if (median >= 0 && values[median] !== point) return 'quantiles_cross'
    const all = [point, ...values]
    // Without a loss it would drop out of every mean, and still count as scored.
    const isOut = (value: number) => value < least || !isValue(value) || Number.isNaN(on(value))
    if (all.some(isOut)) return 'out_of_range'
    return integer && all.some((value) => !Number.isInteger(value)) ? 'not_integer' : undefined
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
