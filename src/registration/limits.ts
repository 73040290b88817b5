import { type Finding, finding } from '../contract/findings/finding.js'
import type { Plan } from '../contract/types.js'
import { hasHypotheses, looserLimits } from '../protocol/rules/bind.js'
import type { Rules } from '../protocol/rules/compile.js'
import { DEFAULT_LIMITS, type HourlyLimits } from '../protocol/rules/hourly-texts.js'
import { countOrigins } from './time-rules.js'

/**
 * A comparator's direction is tested only if it calls one at this many times the minimum of pairs: without a margin, a
 * handful of origins would decide whether there is a test.
 */
export const DIRECTION_PAIRS_FACTOR = 1.1

/** Origins at which a comparator must call a direction, corrected for the rounding of a product. */
export const directedOrigins = (minimumPairs: number) =>
  Math.ceil(minimumPairs * DIRECTION_PAIRS_FACTOR - 1e-9)

/** Limits that are looser than the protocol's, and a window in which a limit would bind nothing. */
function bindingFindings(plan: Plan, rules: Rules): Finding[] {
  const loosened = looserLimits(rules, plan)
  // If no comparator's direction can be tested in this window, its limit would bind nothing.
  const { minimum_pairs: minimum } = rules.dependence
  const origins = countOrigins(plan.window)
  const enoughOrigins = Math.ceil(minimum * DIRECTION_PAIRS_FACTOR)
  // What is no window has no number of origins.
  const isTooFew = origins >= minimum && origins < enoughOrigins
  if (!isTooFew) return loosened
  const args = { origins, least: enoughOrigins }
  return [...loosened, finding('window-without-direction', args, { pointer: '/window' })]
}

/**
 * Limits of a plan that are too loose. With verdict hypotheses the protocol's limits bind, and looser ones are refused;
 * without, limits looser than the defaults are allowed but reported.
 */
export function limitFindings(plan: Plan, rules: Rules): Finding[] {
  const { limits } = plan
  if (hasHypotheses(rules)) return bindingFindings(plan, rules)
  return Object.entries(DEFAULT_LIMITS).flatMap(([name, usual]) => {
    const limit = limits[name as keyof HourlyLimits]
    if (limit === undefined || limit <= usual) return []
    return [finding('limit-loosened', { limit, usual }, { pointer: `/limits/${name}` })]
  })
}
