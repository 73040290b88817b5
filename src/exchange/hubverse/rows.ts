import type { Row } from '../../table/types.js'
import type { ExchangedForecast } from '../forecasts.js'
import { byLevel } from '../levels.js'
import type { HubFormat } from './columns.js'

/**
 * A forecast as rows of model output, which begin with `round`: the origin, before it the week where rounds are weeks. Its point is the median: foreproof judges it by the absolute error of
 * the log return, which the median minimises.
 */
export function outputRows(
  { horizonHours, price, quantiles }: ExchangedForecast,
  round: readonly string[],
  format: HubFormat,
): Row[] {
  const task = [...round, horizonHours] as const
  const point: Row = [...task, 'median', format === 'csv' ? 'NA' : null, price]
  if (quantiles === undefined) return [point]
  const levels = byLevel(quantiles).map(([level, usd]): Row => {
    const id = format === 'csv' ? String(level) : level
    return [...task, 'quantile', id, usd]
  })
  return [point, ...levels]
}
