import type { PairingRow } from '../../forecast/row.js'
import { poolIn } from '../../protocol/rules/bind.js'
import { hourAt } from '../../protocol/rules/calendar.js'
import type { Rules } from '../../protocol/rules/compile.js'
import { baselineRows } from './baseline-rows.js'
import type { HourlyCloses } from './closes.js'
import { type BaselineForecasts, computeBaselines } from './compute.js'

/**
 * The forecasts of built-in models over hourly closes; a key without a forecast has no row.
 * @param origins - hours, ascending.
 */
export function hourlyBaselineRows(
  rules: Rules,
  closes: HourlyCloses,
  models: readonly string[],
  origins: readonly number[],
): Iterable<PairingRow> {
  const horizons = rules.steps.toSorted((a, b) => a - b)
  const baselines = computeBaselines(closes, { names: models, horizons, pool: poolIn(rules) })
  const { calendar, inputs, series, forecast } = rules
  const { levels } = forecast
  const grid = { series, models, origins, levels, calendar, inputs, targetsAt: () => horizons }
  return baselineRows(grid, () => (model, origin, step) => {
    const hour = origin - hourAt(closes.first)
    const columns = baselines.get(model)?.get(step) as BaselineForecasts
    const point = columns.forecast[hour] ?? Number.NaN
    const source = closes.prices[hour] ?? Number.NaN
    if (Number.isNaN(point) || Number.isNaN(source)) return undefined
    const quantiles = [columns.q10, columns.q50, columns.q90].map((values) => {
      const value = values[hour] as number
      return Number.isNaN(value) ? null : value
    })
    return { point, quantiles, source }
  })
}
