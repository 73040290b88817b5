import { type PoolName, STRONGEST } from '../../contract/baseline-names.js'
import type { HourlyCloses } from './closes.js'
import { type PriceQuantiles, quantilesOf } from './quantiles.js'
import { RULES } from './rules.js'
import { strongestSimple } from './strongest-simple.js'

/** Predicted prices and price quantiles in USD by hour of the vintage; NaN where there are none. */
export interface BaselineForecasts extends PriceQuantiles {
  readonly forecast: Float64Array
}

/** By name of the baseline, then by horizon. */
export type Baselines = ReadonlyMap<string, ReadonlyMap<number, BaselineForecasts>>

export interface BaselineRequest {
  /** Of baselines: what a plan names was compared with them. */
  readonly names: readonly string[]
  /** Hours, each at least 1. */
  readonly horizons: readonly number[]
  /** What `strongest_simple` chooses from; needed where it is among the names. */
  readonly pool?: readonly string[]
}

/**
 * The forecasts of built-in baselines at every hour of a vintage, in one pass over it. Each is made
 * from closes at or before its origin: changing a later close never changes it.
 */
export function computeBaselines(closes: HourlyCloses, request: BaselineRequest): Baselines {
  const { names, horizons, pool = [] } = request
  const strongest = names.includes(STRONGEST)
  const simple = new Set([
    ...names.filter((name) => name !== STRONGEST),
    ...(strongest ? pool : []),
  ])
  const prices = new Map(
    [...simple].map((name) => [name, runRule(name as PoolName, closes, horizons)]),
  )
  if (strongest) {
    // Ties go by name, in any order of the pool.
    const members = [...new Set(pool)].sort().map((name) => prices.get(name) as Float64Array[])
    prices.set(
      STRONGEST,
      horizons.map((horizon, at) =>
        strongestSimple(
          closes.prices,
          members.map((member) => member[at] as Float64Array),
          horizon,
        ),
      ),
    )
  }
  return new Map(
    names.map((name) => {
      const series = prices.get(name) as Float64Array[]
      const byHorizon = horizons.map((horizon, at) => {
        const forecast = series[at] as Float64Array
        return [horizon, { forecast, ...quantilesOf(closes.prices, forecast, horizon) }] as const
      })
      return [name, new Map(byHorizon)]
    }),
  )
}

/** One array over the hours for every horizon. */
function runRule(
  name: PoolName,
  closes: HourlyCloses,
  horizons: readonly number[],
): Float64Array[] {
  const rule = RULES[name]
  const hours = closes.prices.length
  const series = horizons.map(() => new Float64Array(hours))
  const prices = new Float64Array(horizons.length)
  for (let index = 0; index < hours; index++) {
    rule(closes, index, horizons, prices)
    for (let at = 0; at < horizons.length; at++) {
      const price = prices[at] as number
      // Only what can be a price is a forecast.
      ;(series[at] as Float64Array)[index] = price > 0 && price < Infinity ? price : Number.NaN
    }
  }
  return series
}
