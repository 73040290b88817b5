/** The baselines of version 1 that depend on no other baseline, as named in protocols and plans. */
export const POOL_NAMES = [
  'persistence',
  'seasonal_naive_24h',
  'drift_24h',
  'drift_7d',
  'ar1',
  'ema_return_24h',
] as const

/** Chooses among others; see `strongestSimple`. */
export const STRONGEST_SIMPLE = 'strongest_simple'

export type PoolName = (typeof POOL_NAMES)[number]
export type BaselineName = PoolName | typeof STRONGEST_SIMPLE

export const BASELINE_NAMES: readonly BaselineName[] = [...POOL_NAMES, STRONGEST_SIMPLE]

export function isBaselineName(name: string): name is BaselineName {
  return (BASELINE_NAMES as readonly string[]).includes(name)
}

export function isPoolName(name: string): name is PoolName {
  return (POOL_NAMES as readonly string[]).includes(name)
}
