import { logReturn } from './log-return.js'
import { MEASURE_NAMES, type MeasureName, PAIR_MEASURES } from './measures.js'
import type { ScoredPair, ScoredPairs } from './scored-pairs.js'

type ByMeasure<T> = Readonly<Record<MeasureName, T>>

/** The measures of one model at one horizon, by origin; NaN if one does not exist. */
export type LossColumns = ByMeasure<Float64Array>

/** The prices of one pair. */
export interface PairPrices {
  /** At the origin; NaN if the vintage has no price. */
  readonly p0: number
  readonly p1: number
  readonly forecast: number
  readonly q10: number
  readonly q50: number
  readonly q90: number
}

function byMeasure<T>(valueAt: (name: MeasureName) => T): ByMeasure<T> {
  return Object.fromEntries(MEASURE_NAMES.map((name) => [name, valueAt(name)])) as ByMeasure<T>
}

/**
 * Every measure of every pair of one model at one horizon.
 * @param epsilon half width of the band without direction, in log returns.
 */
export function lossColumns(pairs: ScoredPairs, epsilon: number): LossColumns {
  const attempts = Array.from(pairs.p0, (_, index) => pairAt(pairs, index, epsilon))
  return byMeasure((name) => {
    const { of } = PAIR_MEASURES[name]
    const column = new Float64Array(attempts.length)
    for (let index = 0; index < column.length; index++) column[index] = of(attempts[index]!)
    return column
  })
}

function pairAt(pairs: ScoredPairs, index: number, epsilon: number): ScoredPair {
  return scoredPair(
    {
      p0: pairs.p0[index]!,
      p1: pairs.p1[index]!,
      forecast: pairs.forecast[index]!,
      q10: pairs.quantiles[0]![index]!,
      q50: pairs.quantiles[1]![index]!,
      q90: pairs.quantiles[2]![index]!,
    },
    epsilon,
  )
}

/**
 * Converts one pair to the form that measures take.
 * @param prices - USD, as in `ScoredPairs`; NaN if missing.
 * @param epsilon - half width of the band without direction, in log returns.
 */
export function scoredPair(prices: PairPrices, epsilon: number): ScoredPair {
  const { p0, p1, forecast, q10, q50, q90 } = prices
  const since = Number.isNaN(p0) ? p1 : p0
  return {
    origin: p0,
    forecast,
    close: p1,
    predicted: logReturn(forecast, since),
    realised: logReturn(p1, since),
    lower: logReturn(q10, since),
    median: logReturn(q50, since),
    upper: logReturn(q90, since),
    epsilon,
  }
}
