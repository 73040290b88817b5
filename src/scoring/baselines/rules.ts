import type { PoolName } from '../../contract/baseline-names.js'
import { ar1 } from './ar1.js'
import type { BaselineRule } from './closes.js'
import { drift7d, drift24h } from './drift.js'
import { emaReturn24h } from './ema-return.js'
import { persistence } from './persistence.js'
import { seasonalNaive24h } from './seasonal-naive.js'

/** The baselines that do not depend on other baselines, by name. */
export const BASELINE_RULES: Readonly<Record<PoolName, BaselineRule>> = {
  persistence,
  seasonal_naive_24h: seasonalNaive24h,
  drift_24h: drift24h,
  drift_7d: drift7d,
  ar1,
  ema_return_24h: emaReturn24h,
}
