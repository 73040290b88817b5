import { isValue } from '../contract/limits.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import { primaryTransform } from './transforms.js'

/** Why a forecast cannot be scored whatever its outcome is, in the order in which the reasons are tried. */
export type ForecastFault =
  | 'quantiles_incomplete'
  | 'quantiles_cross'
  | 'out_of_range'
  | 'not_integer'

/** Finds what keeps a forecast from being scored: its quantiles are those of the protocol's levels, in their order. */
export function forecastFaults(
  protocol: SeriesProtocol,
): (row: Pick<PairingRow, 'forecast' | 'quantiles'>) => ForecastFault | undefined {
  const { levels, integer } = protocol.forecast
  const median = levels.indexOf('0.5')
  const { of: on } = primaryTransform(protocol)
  const least = Number(protocol.forecast.minimum ?? Number.NEGATIVE_INFINITY)
  // Without a loss it would drop out of every mean, and still count as scored.
  const isOut = (value: number) => value < least || !isValue(value) || Number.isNaN(on(value))
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
    // The point is the median: another value beside it would be a second forecast.
    if (median >= 0 && quantiles[median] !== point) return 'quantiles_cross'
    const all = [point, ...(quantiles as readonly number[])]
    if (all.some(isOut)) return 'out_of_range'
    return integer && all.some((value) => !Number.isInteger(value)) ? 'not_integer' : undefined
  }
}
