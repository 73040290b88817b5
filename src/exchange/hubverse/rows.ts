import type { Row } from '../../table/types.js'
import type { ExchangedForecast } from '../forecasts.js'
import { type HubFormat, LEVELS } from './columns.js'

/**
 * A forecast as rows of model output. Its point is the median: foreproof judges it by the absolute error of
 * the log return, which the median minimises.
 */
export function outputRows(
  { horizonHours, price, quantiles }: ExchangedForecast,
  round: string,
  format: HubFormat,
): Row[] {
  const task = [round, horizonHours] as const
  const point: Row = [...task, 'median', format === 'csv' ? 'NA' : null, price]
  if (quantiles === undefined) return [point]
  const values = [quantiles.q10, quantiles.q50, quantiles.q90]
  const levels = LEVELS.map((level, at): Row => {
    const id = format === 'csv' ? String(level) : level
    return [...task, 'quantile', id, values[at] ?? null]
  })
  return [point, ...levels]
}
