import { STRONGEST } from '../../contract/baseline-names.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { valueAt } from '../../contract/pointer.js'
import type { ModelReference, Plan, RulesData } from '../../contract/types.js'
import { hourlyRules, type Rules } from './compile.js'
import { LIMIT_MEMBERS } from './compile-hourly.js'
import { DEFAULT_LIMITS, type HourlyLimits, PUBLICATION_LAG } from './hourly-texts.js'

/** What a plan of version 1 adds to the rules of its protocol; a plan of version 2 adds nothing. */
export interface Binding extends Pick<Plan, 'comparators'>, Bounds {
  readonly strata?: Plan['strata'] | undefined
  readonly baseline_pool?: Plan['baseline_pool'] | undefined
  readonly publication_lag_minutes?: number | undefined
}

/** The parts that determine how strict it is. */
interface Bounds {
  readonly limits?: Plan['limits'] | undefined
}

/**
 * The rules of a protocol of version 1 with what it leaves to its plan: lag, levels of strata, pool and the models
 * behind required names that are not built in.
 * @param plan - one in which `looserLimits` finds nothing.
 */
export function bindPlan(rules: Rules, plan: Binding): Rules {
  const models = new Map(Object.entries(plan.comparators))
  const required = rules.required.map(({ name, model }) => {
    const planned = models.get(name)
    return { name, model: planned === undefined ? model : requiredModel(planned) }
  })
  return bindHourly({ ...rules, required }, plan)
}

const requiredModel = ({ source, name }: ModelReference): RulesData['required'][number]['model'] =>
  source === 'built_in' ? { built_in: name } : { history: name }

function bindHourly(rules: RulesData, plan: Binding): Rules {
  const { strata = [], publication_lag_minutes: minutes = PUBLICATION_LAG } = plan
  const planned = new Set(strata.map(({ name }) => name))
  const { epsilon, ...limits } = limitsOf(rules, plan)
  const mapped = new Map(Object.entries(plan.baseline_pool ?? {}))
  // Each rule once, sorted by name, because ties are decided in this order.
  const bound = (pool: readonly string[]) =>
    [...new Set(pool.map((name) => mapped.get(name) ?? name))].sort()
  return hourlyRules({
    ...rules,
    origins: { ...rules.origins, due: { anchor: 'end', minutes } },
    scores: rules.scores.map((score) =>
      score.kind === 'direction' ? { ...score, epsilon } : score,
    ),
    baselines: rules.baselines.map((each) =>
      each.id === STRONGEST ? { ...each, pool: bound(each.pool ?? []) } : each,
    ),
    strata: [...strata, ...rules.strata.filter(({ name }) => !planned.has(name))],
    limits: { ...limits, practical_effect: rules.limits.practical_effect },
  })
}

/** The limits of rules, with those that the plan sets. Without verdict hypotheses no limit of a protocol binds. */
export function limitsOf(rules: RulesData, plan: Bounds): HourlyLimits {
  const bounds = hasHypotheses(rules) ? compiledLimits(rules) : DEFAULT_LIMITS
  return { ...bounds, ...plan.limits }
}

/** Whether verdicts rest on one hypothesis per candidate; if not, no limit of a protocol binds. */
export const hasHypotheses = ({ weights }: Pick<RulesData, 'weights'>): boolean =>
  (weights?.verdict ?? null) !== null

/** The limits of rules, by their names in plans of version 1. */
function compiledLimits(rules: RulesData): HourlyLimits {
  const named = Object.entries(LIMIT_MEMBERS).map(([name, member]) => [
    name,
    valueAt(rules, member),
  ])
  return Object.fromEntries(named)
}

/**
 * Limits of a plan that are looser than those of its protocol. A plan may ask for more than its protocol, never for
 * less: the author of the protocol sets its numbers.
 */
export function looserLimits(rules: RulesData, plan: Bounds): Finding[] {
  if (!hasHypotheses(rules)) return []
  const limits = new Map(Object.entries(plan.limits ?? {}))
  return Object.entries(compiledLimits(rules)).flatMap(([name, bound]) => {
    const limit = limits.get(name)
    if (limit === undefined || limit <= bound) return []
    const at = { pointer: `/limits/${name}` }
    return [finding('limit-beyond-protocol', { name, limit, bound }, at)]
  })
}
