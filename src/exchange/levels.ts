import type { Quantiles } from './forecasts.js'

/** Where the quantile of each level that a forecast may have stands in a row of an import. */
export const LEVEL_COLUMNS: ReadonlyMap<number, 'q10_usd' | 'q50_usd' | 'q90_usd'> = new Map([
  [0.1, 'q10_usd'],
  [0.5, 'q50_usd'],
  [0.9, 'q90_usd'],
])

/** Those levels, ascending. */
export const LEVELS: readonly number[] = [...LEVEL_COLUMNS.keys()]

/** The quantiles of a forecast with their levels, ascending. */
export function byLevel({ q10, q50, q90 }: Quantiles) {
  return [
    [0.1, q10],
    [0.5, q50],
    [0.9, q90],
  ] as const
}
