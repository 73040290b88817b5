import { ar1 } from './ar1.js'
import type { BaselineRule } from './closes.js'
import { drift7d, drift24h } from './drift.js'
import { emaReturn24h } from './ema-return.js'
import { persistence } from './persistence.js'
import { seasonalNaive24h } from './seasonal-naive.js'

/** The baselines that need no other, by name. */
export const RULES = {
  persistence,
  seasonal_naive_24h: seasonalNaive24h,
  drift_24h: drift24h,
  drift_7d: drift7d,
  ar1,
  ema_return_24h: emaReturn24h,
} as const satisfies Record<string, BaselineRule>

/** Chooses among others; see `strongestSimple`. */
export const STRONGEST = 'strongest_simple'

export type PoolName = keyof typeof RULES
export type BaselineName = PoolName | typeof STRONGEST

export const POOL_NAMES = Object.keys(RULES) as readonly PoolName[]
export const BASELINE_NAMES: readonly BaselineName[] = [...POOL_NAMES, STRONGEST]

export function isBaselineName(name: string): name is BaselineName {
  return (BASELINE_NAMES as readonly string[]).includes(name)
}

export function isPoolName(name: string): name is PoolName {
  return Object.hasOwn(RULES, name)
}
