import { formatStored, type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import { INTERVAL_LEVEL, PAIR } from '../../contract/limits.js'
import { HOURLY_LEVELS, type PairingRow } from '../../forecast/row.js'
import type { HourlyCloses } from './closes.js'
import type { Baselines } from './compute.js'

/**
 * The forecasts of a window as rows for pairing, by origin, horizon and name. An origin without a forecast has no row.
 * Their input was available at the origin by construction. They record no vintage, because they are made from the one
 * that scores.
 *
 * @param first first hourly origin. @param origins hours from there.
 */
export function* baselineRows(
  baselines: Baselines,
  closes: HourlyCloses,
  first: Instant,
  origins: number,
): Generator<PairingRow> {
  const names = [...baselines.keys()].sort()
  const horizons = [...(baselines.get(names[0] ?? '')?.keys() ?? [])].sort((a, b) => a - b)
  const price = (values: Float64Array | undefined, index: number): number | null => {
    const value = values?.[index]
    return value === undefined || Number.isNaN(value) ? null : value
  }
  for (let hour = 0; hour < origins; hour++) {
    const origin = first + hour * MICROS_PER_HOUR
    const index = (origin - closes.first) / MICROS_PER_HOUR
    const sourcePrice = price(closes.prices, index)
    if (sourcePrice === null) continue
    const originAt = formatStored(origin)
    for (const horizon of horizons) {
      const targetAt = formatStored(origin + horizon * MICROS_PER_HOUR)
      for (const model of names) {
        const own = baselines.get(model)?.get(horizon)
        const forecast = price(own?.forecast, index)
        if (forecast === null) continue
        yield {
          series: PAIR,
          originAt,
          model,
          horizon,
          targetAt,
          generatedAt: null,
          sourcePrice,
          forecast,
          levels: HOURLY_LEVELS,
          quantiles: [price(own?.q10, index), price(own?.q50, index), price(own?.q90, index)],
          level: INTERVAL_LEVEL,
          attempt: null,
          inputAvailableAt: originAt,
          selectionDataThrough: originAt,
          vintageId: null,
          vintageSha256: null,
        }
      }
    }
  }
}
