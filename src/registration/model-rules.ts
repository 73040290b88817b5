import { BASELINE_NAMES, isPoolName, STRONGEST_SIMPLE } from '../contract/baseline-names.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { nearest } from '../contract/nearest.js'
import { pointerTo } from '../contract/pointer.js'
import type { Plan, RulesData } from '../contract/types.js'
import { listedTwice } from '../protocol/rules/stratum-findings.js'

/** The parts of a plan that name models. */
export type PlannedModels = Pick<Plan, 'candidates' | 'bound'>

type NamedRules = Pick<RulesData, 'required' | 'baselines'>

/**
 * Checks candidates and the models behind names that a protocol leaves to its plan.
 * @param rules of the protocol, not bound to the plan.
 */
export function modelFindings({ candidates, bound }: PlannedModels, rules: NamedRules): Finding[] {
  const baselines = rules.baselines.map(({ id }) => id)
  const required = openNames(rules)
  const open = [...new Set([...required, ...foreignPool(rules)])]
  const given = new Map(Object.entries(bound))
  return [
    ...missing(required, bound, 'comparator'),
    ...[...given.keys()].flatMap((name) =>
      open.includes(name) ? [] : [unknownName('bound', name, pointerTo('/bound', name), open)],
    ),
    ...candidateFindings(candidates, compared(rules, given), baselines),
  ]
}

/** Checks the rules behind names of the pool of strongest_simple that are no built-ins. */
export function poolFindings({ bound }: Pick<PlannedModels, 'bound'>, rules: NamedRules) {
  const pool = foreignPool(rules)
  const given = new Map(Object.entries(bound))
  const isUsed = compared(rules, given).some(([, model]) => model === STRONGEST_SIMPLE)
  return [
    ...(isUsed ? missing(pool, bound, 'pool') : []),
    ...[...given].flatMap(([name, model]): Finding[] => {
      if (!pool.includes(name) || isPoolName(model)) return []
      const pointer = pointerTo('/bound', name)
      return [unknownName('baseline', model, pointer, BASELINE_NAMES, BASELINE_NAMES)]
    }),
  ]
}

/** Names of required comparators whose models a protocol leaves to its plan. */
export const openNames = ({ required }: Pick<RulesData, 'required'>): string[] =>
  required.flatMap(({ name, model }) => ('by_plan' in model ? [name] : []))

const foreignPool = ({ baselines }: NamedRules): string[] =>
  (baselines.find(({ id }) => id === STRONGEST_SIMPLE)?.pool ?? []).filter(
    (name) => !isPoolName(name),
  )

/** Required names, each with its model. */
const compared = ({ required }: NamedRules, bound: ReadonlyMap<string, string>) =>
  required.map(({ name }) => [name, bound.get(name) ?? name] as const)

const missing = (
  names: readonly string[],
  bound: PlannedModels['bound'],
  fault: 'comparator' | 'pool',
): Finding[] =>
  names.flatMap((name) =>
    Object.hasOwn(bound, name) ? [] : [undefinedName(fault, name, '/bound')],
  )

/** An unknown name, with the nearest known one; if none is near, all of them are listed. */
export function unknownName(
  fault: ArgsOf<'name-unknown'>['fault'],
  name: string,
  pointer: string,
  names: readonly string[],
  knownNames: readonly string[] = [],
): Finding {
  const args = { fault, name, nearest: nearest(name, names) ?? null, known: knownNames }
  return finding('name-unknown', args, { pointer })
}

/** A name of the protocol that the plan does not define. */
export const undefinedName = (
  fault: ArgsOf<'name-undefined'>['fault'],
  name: string,
  pointer: string,
): Finding => finding('name-undefined', { fault, name }, { pointer })

/** @param comparators by their names in the protocol, each with its model. */
function candidateFindings(
  candidates: readonly string[],
  comparators: readonly (readonly [required: string, name: string])[],
  baselines: readonly string[],
): Finding[] {
  return candidates.flatMap((name, index) => {
    const pointer = pointerTo('/candidates', index)
    const first = candidates.indexOf(name)
    if (first < index) return [listedTwice(name, pointerTo('/candidates', first), pointer)]
    const ambiguous = (fault: 'sources' | 'comparator', required = '') => [
      finding('model-ambiguous', { fault, name, required }, { pointer }),
    ]
    if (baselines.includes(name)) return ambiguous('sources')
    const [required] = comparators.find(([, model]) => model === name) ?? []
    return required === undefined ? [] : ambiguous('comparator', required)
  })
}
