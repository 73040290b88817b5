import { isValue } from '../contract/limits.js'
import type { RulesData } from '../contract/types.js'
import { primaryTransform } from '../protocol/rules/transforms.js'
import type { PairingRow } from './row.js'

/** Why a forecast cannot be scored, whatever its outcome; the reasons are checked in this order. */
export type ForecastFault =
  | 'quantiles_incomplete'
  | 'quantiles_cross'
  | 'out_of_range'
  | 'not_integer'

type Values = Pick<PairingRow, 'forecast' | 'quantiles' | 'sourcePrice'>

/**
 * Returns a function that finds why a forecast cannot be scored. The forecast's quantiles must be in the order of the
 * protocol's levels.
 */
export function forecastFaults({
  forecast,
  scores,
}: Pick<RulesData, 'forecast' | 'scores'>): (row: Values) => ForecastFault | undefined {
  const { levels, minimum, positive, integer, interval } = forecast
  const median = levels.indexOf('0.5')
  const { of: on } = primaryTransform(scores)
  const lowest = minimum ?? Number.NEGATIVE_INFINITY
  const isPrice = (value: number | null) => value !== null && value > 0 && Number.isFinite(value)
  // A forecast without a loss would be missing from every mean, and still count as scored.
  const isOut = (value: number | null) =>
    value === null || value < lowest || !isValue(value) || Number.isNaN(on(value))
  const isBroken = (value: number | null) => integer && !Number.isInteger(value)
  const ofPoint = (point: number | null) => {
    if (isOut(point)) return 'out_of_range'
    return isBroken(point) ? 'not_integer' : undefined
  }
  // A separate interval has its own status.
  if (interval === 'separate') {
    return ({ forecast: point, sourcePrice }) =>
      positive && !(isPrice(point) && isPrice(sourcePrice)) ? 'out_of_range' : ofPoint(point)
  }
  return ({ forecast: point, quantiles }) => {
    let crosses = false
    let before = Number.NEGATIVE_INFINITY
    for (const value of quantiles) {
      if (value === null || !Number.isFinite(value)) return 'quantiles_incomplete'
      crosses ||= value < before
      before = value
    }
    if (crosses) return 'quantiles_cross'
    if (point === null || !Number.isFinite(point)) return 'out_of_range'
    // The point must equal the median: a different value would be a second forecast.
    if (median >= 0 && quantiles[median] !== point) return 'quantiles_cross'
    if (quantiles.some(isOut)) return 'out_of_range'
    return ofPoint(point) ?? (quantiles.some(isBroken) ? 'not_integer' : undefined)
  }
}
