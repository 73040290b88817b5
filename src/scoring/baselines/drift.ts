import { exp, ln } from '../../contract/logarithm.js'
import type { BaselineRule } from './closes.js'

/**
 * Continues the mean hourly log return of the last w hours: P̂ = P0·exp(h·ln(P0/P−w)/w). Only the two closes at its
 * ends are needed.
 */
function drift(hours: number): BaselineRule {
  return (closes, index, horizons, prices) => {
    const last = closes.prices[index] as number
    const hourly = ln(last / (closes.prices[index - hours] ?? Number.NaN)) / hours
    for (const [at, horizon] of horizons.entries()) prices[at] = last * exp(horizon * hourly)
  }
}

export const DRIFT_HOURS = { drift_24h: 24, drift_7d: 168 } as const
export const drift24h = drift(DRIFT_HOURS.drift_24h)
export const drift7d = drift(DRIFT_HOURS.drift_7d)
