import { formatUtc, MICROS_PER_HOUR } from '../../contract/instant.js'
import { ln } from '../../contract/logarithm.js'
import { type Column, type Row, type Table, tableFrom } from '../../table/types.js'
import { byLevel, type ExchangedForecast, type Omissions } from '../forecasts.js'

/**
 * The columns of a table for scoringutils (version 2): `as_forecast_quantile()` takes it as it is. All columns
 * but `observed`, `predicted` and `quantile_level` make the unit of a forecast.
 */
const SCORINGUTILS_COLUMNS = [
  { name: 'model', type: 'text' },
  { name: 'origin_at', type: 'instant' },
  { name: 'target_at', type: 'instant' },
  { name: 'horizon', type: 'integer' },
  { name: 'scale', type: 'text' },
  { name: 'quantile_level', type: 'number' },
  { name: 'predicted', type: 'number' },
  { name: 'observed', type: 'number' },
] as const satisfies readonly Column[]

/** As `transform_forecasts()` names them: US dollars, and the log return on which foreproof scores. */
export const SCALES = ['natural', 'log_return'] as const

/**
 * Forecasts with quantiles and a known outcome, six rows each: three levels on two scales.
 * @param leftOut counts forecasts that have no rows, and points that are not the median.
 */
export function scoringutilsTable(
  forecasts: AsyncIterable<readonly ExchangedForecast[]>,
  leftOut: Omissions,
): Table {
  return tableFrom(SCORINGUTILS_COLUMNS, forecasts, (batch) =>
    batch.flatMap((forecast) => rowsFor(forecast, leftOut)),
  )
}

function rowsFor(forecast: ExchangedForecast, leftOut: Omissions): Row[] {
  const { origin, horizonHours, model, price, quantiles, originClose, targetClose } = forecast
  if (originClose === undefined || targetClose === undefined) return left('outcomes', leftOut)
  if (quantiles.length === 0) return left('quantiles', leftOut)
  if (quantiles[1] !== price) leftOut.add('points')
  const target = origin + horizonHours * MICROS_PER_HOUR
  const unit = [model, formatUtc(origin), formatUtc(target), horizonHours] as const
  return SCALES.flatMap((scale) => {
    const on = (usd: number) => (scale === 'natural' ? usd : ln(usd / originClose))
    return byLevel(forecast).map(
      ([level, usd]): Row => [...unit, scale, level, on(usd), on(targetClose)],
    )
  })
}

function left(kind: 'outcomes' | 'quantiles', leftOut: Omissions): Row[] {
  leftOut.add(kind)
  return []
}
