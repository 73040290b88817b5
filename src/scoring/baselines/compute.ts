import { type PoolName, STRONGEST_SIMPLE } from '../../contract/baseline-names.js'
import type { HourlyCloses } from './closes.js'
import { baselineQuantiles, type PriceQuantiles } from './quantiles.js'
import { BASELINE_RULES } from './rules.js'
import { strongestSimple } from './strongest-simple.js'

/** Predicted prices and price quantiles in USD by hour of the vintage; NaN if missing. */
export interface BaselineForecasts extends PriceQuantiles {
  readonly forecast: Float64Array
}

/** By name of the baseline, then by horizon. */
export type Baselines = ReadonlyMap<string, ReadonlyMap<number, BaselineForecasts>>

export interface BaselineRequest {
  /** Baselines that the plan names as comparators. */
  readonly names: readonly string[]
  /** Hours, each at least 1. */
  readonly horizons: readonly number[]
  /** The pool of `strongest_simple`; required if it is among the names. */
  readonly pool?: readonly string[]
}

/**
 * Computes the forecasts of built-in baselines at every hour of a vintage, in one pass. Each uses only closes at or
 * before its origin, so changing a later close never changes it.
 */
export function computeBaselines(closes: HourlyCloses, request: BaselineRequest): Baselines {
  const { names, horizons, pool = [] } = request
  const strongest = names.includes(STRONGEST_SIMPLE)
  const simple = new Set([
    ...names.filter((name) => name !== STRONGEST_SIMPLE),
    ...(strongest ? pool : []),
  ])
  const prices = new Map(
    [...simple].map((name) => [name, runRule(name as PoolName, closes, horizons)]),
  )
  if (strongest) {
    // Ties are decided by name, so the order of the pool does not matter.
    const members = [...new Set(pool)].sort().map((name) => prices.get(name) as Float64Array[])
    prices.set(
      STRONGEST_SIMPLE,
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
        return [
          horizon,
          { forecast, ...baselineQuantiles(closes.prices, forecast, horizon) },
        ] as const
      })
      return [name, new Map(byHorizon)]
    }),
  )
}

/** Returns one array over the hours for each horizon. */
function runRule(
  name: PoolName,
  closes: HourlyCloses,
  horizons: readonly number[],
): Float64Array[] {
  const rule = BASELINE_RULES[name]
  const hours = closes.prices.length
  const series = horizons.map(() => new Float64Array(hours))
  const prices = new Float64Array(horizons.length)
  for (let index = 0; index < hours; index++) {
    rule(closes, index, horizons, prices)
    for (let at = 0; at < horizons.length; at++) {
      const price = prices[at] as number
      // A forecast must be a possible price.
      ;(series[at] as Float64Array)[index] = price > 0 && price < Infinity ? price : Number.NaN
    }
  }
  return series
}
