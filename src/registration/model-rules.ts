import {
  BASELINE_NAMES,
  isBaselineName,
  isPoolName,
  STRONGEST,
} from '../contract/baseline-names.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { nearest } from '../contract/nearest.js'
import { pointerTo } from '../contract/pointer.js'
import { quoteValue } from '../contract/schema-findings.js'
import type { ModelReference, Plan, Protocol, RulesData } from '../contract/types.js'
import { hasHypotheses } from '../protocol/rules/bind.js'

/** The parts of a plan that name models. */
export type PlannedModels = Pick<Plan, 'candidates' | 'comparators'>

/**
 * Checks candidates and the models behind required comparators.
 * @param rules of the protocol, which names the comparators.
 */
export function modelFindings(plan: PlannedModels, rules: RulesData): Finding[] {
  const named = namedModels(plan)
  const unknown = named.filter(
    ({ model }) => model.source === 'built_in' && !isBaselineName(model.name),
  )
  return [
    ...unknown.map(({ model, pointer }) =>
      unknownName('baseline', model.name, `${pointer}/name`, BASELINE_NAMES, BASELINE_NAMES),
    ),
    ...twoSources(named),
    ...candidateFindings(
      plan.candidates,
      Object.entries(plan.comparators).map(([key, { name }]) => [key, name]),
    ),
    ...comparatorFindings(plan, rules),
  ]
}

interface NamedModel {
  readonly model: ModelReference
  readonly pointer: string
}

function namedModels({ candidates, comparators }: PlannedModels): NamedModel[] {
  return [
    ...candidates.map((model, index) => ({ model, pointer: pointerTo('/candidates', index) })),
    ...Object.entries(comparators).map(([required, model]) => ({
      model,
      pointer: pointerTo('/comparators', required),
    })),
  ]
}

/** An unknown name, with the nearest known one; if none is near, all `known` are listed. */
export function unknownName(
  fault: ArgsOf<'name-unknown'>['fault'],
  name: string,
  pointer: string,
  names: readonly string[],
  known: readonly string[] = [],
): Finding {
  const args = { fault, name, nearest: nearest(name, names) ?? null, known }
  return finding('name-unknown', args, { pointer })
}

/** A name of the protocol that the plan does not define. */
export const undefinedName = (
  fault: ArgsOf<'name-undefined'>['fault'],
  name: string,
  pointer: string,
): Finding => finding('name-undefined', { fault, name }, { pointer })

/** A name that occurs twice in a list. @param first - where it occurs first. */
export const listedTwice = (name: string, first: string, pointer: string): Finding =>
  finding('listed-twice', { found: quoteValue(name), first }, { pointer })

/** A model of the history with the name of a baseline. */
export const bothSources = (name: string, pointer: string): Finding =>
  finding('model-ambiguous', { fault: 'sources', name, required: '' }, { pointer })

/** Rows of two sources under one name could not be distinguished. */
function twoSources(named: readonly NamedModel[]): Finding[] {
  const findings: Finding[] = []
  const seen = new Map<string, ModelReference['source']>()
  for (const { model, pointer } of named) {
    const before = seen.get(model.name)
    if (before === undefined) seen.set(model.name, model.source)
    else if (before !== model.source) {
      findings.push(bothSources(model.name, pointer))
    }
  }
  return findings
}

/**
 * @param comparators by their names in the protocol, each with its model.
 */
export function candidateFindings(
  candidates: PlannedModels['candidates'],
  comparators: readonly (readonly [required: string, name: string])[],
): Finding[] {
  const findings: Finding[] = []
  const seen = new Map<string, number>()
  for (const [index, { name }] of candidates.entries()) {
    const pointer = pointerTo('/candidates', index)
    const first = seen.get(name)
    if (first !== undefined) {
      findings.push(listedTwice(name, pointerTo('/candidates', first), pointer))
      continue
    }
    seen.set(name, index)
    const [required] = comparators.find(([, model]) => model === name) ?? []
    if (required !== undefined) {
      const args = { fault: 'comparator', name, required } as const
      findings.push(finding('model-ambiguous', args, { pointer }))
    }
  }
  return findings
}

function comparatorFindings({ comparators }: PlannedModels, rules: RulesData): Finding[] {
  const required = rules.required.map(({ name }) => name)
  const findings: Finding[] = []
  const given = Object.keys(comparators)
  for (const name of required) {
    if (!given.includes(name)) findings.push(undefinedName('comparator', name, '/comparators'))
  }
  const open = required.filter((name) => !given.includes(name))
  for (const [key, model] of Object.entries(comparators)) {
    const pointer = pointerTo('/comparators', key)
    if (!required.includes(key)) {
      findings.push(unknownName('comparator', key, pointer, open))
    } else if (isBaselineName(key) && (model.name !== key || model.source === 'history')) {
      // A name stands for one rule: another rule, or a model of the history, under that name would mislead every
      // reader.
      const severity = model.source === 'built_in' ? 'error' : 'warning'
      const bars = severity === 'warning' && hasHypotheses(rules)
      const args = { name: key, model: model.name, source: model.source, bars }
      findings.push(finding('comparator-substituted', args, { pointer, severity }))
    }
  }
  return findings
}

/** The pool of strongest_simple: each of the protocol's names must be a rule. */
export function poolFindings(plan: Plan, protocol: Protocol): Finding[] {
  const findings: Finding[] = []
  const pool = protocol.estimands.comparisons.simple_baseline_pool
  const mapped = plan.baseline_pool ?? {}
  for (const [key, builtIn] of Object.entries(mapped)) {
    const pointer = pointerTo('/baseline_pool', key)
    if (!pool.includes(key)) {
      findings.push(unknownName('pool', key, pointer, pool))
    } else if (!isPoolName(builtIn)) {
      findings.push(unknownName('baseline', builtIn, pointer, BASELINE_NAMES, BASELINE_NAMES))
    } else if (isBaselineName(key) && key !== builtIn) {
      const args = { name: key, model: builtIn, source: 'built_in' } as const
      findings.push(finding('comparator-substituted', args, { pointer }))
    }
  }
  if (!usesStrongest(plan)) return findings
  for (const name of pool) {
    if (isPoolName(name) || Object.hasOwn(mapped, name)) continue
    findings.push(undefinedName('pool', name, '/baseline_pool'))
  }
  return findings
}

/** Whether strongest_simple takes part, so that its pool is needed. */
export function usesStrongest(plan: PlannedModels): boolean {
  const models = [...plan.candidates, ...Object.values(plan.comparators)]
  return models.some(({ source, name }) => source === 'built_in' && name === STRONGEST)
}
