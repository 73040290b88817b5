import { isPoolName, STRONGEST_SIMPLE } from '../../contract/baseline-names.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { valueAt } from '../../contract/pointer.js'
import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { Plan, RulesData } from '../../contract/types.js'
import { type Rules, rulesOver } from './compile.js'
import { LIMIT_MEMBERS } from './compile-hourly.js'
import { DEFAULT_LIMITS, type HourlyLimits, PUBLICATION_LAG } from './hourly-texts.js'

/** What a plan adds to the rules of its protocol. Only a document of version 1 leaves something to it. */
export type Binding = Partial<Pick<Plan, 'bound' | 'due_minutes' | 'strata'>> & Bounds

/** The parts that determine how strict it is. */
type Bounds = Partial<Pick<Plan, 'limits'>>

/** Whether a protocol leaves deadline, strata, names and limits to its plans. */
export const leavesToPlan = ({ schema }: Pick<RulesData, 'schema'>): boolean => schema === 1

/** Members in which a plan answers what its protocol leaves open. */
const LEFT_OPEN = ['due_minutes', 'bound', 'strata', 'limits'] as const

/** What a plan says though its protocol leaves it no choice, and a missing deadline. */
export function openFindings(rules: RulesData, plan: Pick<Plan, (typeof LEFT_OPEN)[number]>) {
  if (leavesToPlan(rules)) {
    return plan.due_minutes === null ? [finding('plan-lag', {}, { pointer: '/due_minutes' })] : []
  }
  return LEFT_OPEN.flatMap((name): Finding[] => {
    const given = plan[name]
    const isOpen = given === null || (typeof given === 'object' && Object.keys(given).length === 0)
    return isOpen ? [] : [finding('plan-unasked', { name }, { pointer: `/${name}` })]
  })
}

/**
 * The rules of a protocol with what it leaves to its plan: deadline, levels of strata, pool and the models behind
 * required names that are not built in.
 * @param plan - one in which `looserLimits` finds nothing.
 */
export function bindPlan(rules: Rules, plan: Binding): Rules {
  if (!leavesToPlan(rules)) return rules
  const models = new Map(Object.entries(plan.bound ?? {}))
  const required = rules.required.map(({ name, model }) => {
    const bound = models.get(name)
    return { name, model: bound === undefined ? model : modelNamed(bound, rules) }
  })
  return bindHourly({ ...rules, required }, plan)
}

/** The name of a built-in is that built-in; any other is a model of the history. */
const modelNamed = (
  name: string,
  { baselines }: Pick<RulesData, 'baselines'>,
): RulesData['required'][number]['model'] =>
  baselines.some(({ id }) => id === name) ? { built_in: name } : { history: name }

function bindHourly(rules: RulesData, plan: Binding): Rules {
  const { strata = [] } = plan
  const minutes = plan.due_minutes ?? PUBLICATION_LAG
  const planned = new Set(strata.map(({ name }) => name))
  const { epsilon, ...limits } = boundLimits(rules, plan)
  const mapped = new Map(Object.entries(plan.bound ?? {}))
  // Each rule once, sorted by name, because ties are decided in this order.
  const bound = (pool: readonly string[]) =>
    [...new Set(pool.map((name) => mapped.get(name) ?? name))].sort()
  const data = {
    ...rules,
    origins: { ...rules.origins, due: { anchor: 'end' as const, minutes } },
    scores: rules.scores.map((score) =>
      score.kind === 'direction' ? { ...score, epsilon } : score,
    ),
    baselines: rules.baselines.map((each) =>
      each.id === STRONGEST_SIMPLE ? { ...each, pool: bound(each.pool ?? []) } : each,
    ),
    strata: [...strata, ...rules.strata.filter(({ name }) => !planned.has(name))],
    limits: { ...limits, practical_effect: rules.limits.practical_effect },
  }
  return rulesOver(data, [])
}

/**
 * Recovers from bound rules what the plan chose. If no plan can produce these rules, the returned choice gives other
 * rules, so that a comparison fails.
 */
export function extractBinding(rules: Rules, bound: RulesData): Required<Binding> {
  if (!leavesToPlan(rules)) return { bound: {}, due_minutes: null, strata: [], limits: {} }
  const { due } = bound.origins
  const limits = Object.entries(LIMIT_MEMBERS).flatMap(([name, member]) => {
    const limit = valueAt(bound, member)
    return typeof limit === 'number' ? [[name, limit] as const] : []
  })
  return {
    bound: boundNames(rules, bound),
    due_minutes: 'minutes' in due ? due.minutes : null,
    strata: bound.strata.filter(({ by }) => by !== 'by_plan') as Plan['strata'],
    limits: Object.fromEntries(limits),
  }
}

/** The models behind the names that a protocol leaves to its plan. */
function boundNames(rules: RulesData, bound: RulesData): Plan['bound'] {
  const names = rules.required.flatMap(({ name, model }): [string, string][] => {
    const binding = bound.required.find((each) => each.name === name)?.model
    if (!('by_plan' in model) || binding === undefined || 'by_plan' in binding) return []
    return [[name, 'built_in' in binding ? binding.built_in : binding.history]]
  })
  const bindable = new Set(names.map(([name]) => name))
  const [pool, chosen] = [poolIn(rules), poolIn(bound)]
  const foreign = pool.filter((name) => !isPoolName(name) && !bindable.has(name))
  const others = chosen.filter((name) => !pool.includes(name))
  // Which foreign name was bound to which model is not said: the pool is the same for any.
  const models = others.length > 0 ? others : chosen.filter(isPoolName)
  const unbound = foreign.filter((name) => !chosen.includes(name))
  const pairs = unbound.flatMap((name, at): [string, string][] => {
    const model = models[Math.min(at, models.length - 1)]
    return model === undefined ? [] : [[name, model]]
  })
  return Object.fromEntries([...names, ...pairs])
}

/** What `strongest_simple` chooses from. */
export const poolIn = ({
  baselines,
}: ReadonlyDeep<Pick<RulesData, 'baselines'>>): readonly string[] =>
  baselines.find(({ id }) => id === STRONGEST_SIMPLE)?.pool ?? []

/** The limits of rules, with those that the plan sets. Without verdict hypotheses no limit of a protocol binds. */
export function boundLimits(rules: RulesData, plan: Bounds): HourlyLimits {
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
