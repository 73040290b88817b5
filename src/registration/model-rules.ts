import { type Finding, finding } from '../contract/findings/finding.js'
import { nearest } from '../contract/nearest.js'
import { pointerTo } from '../contract/pointer.js'
import type { ModelReference, Plan, Protocol } from '../contract/types.js'
import {
  BASELINE_NAMES,
  isBaselineName,
  isPoolName,
  STRONGEST,
} from '../scoring/baselines/names.js'

/** Candidates, and the models behind required comparators. */
export function modelFindings(plan: Plan, protocol: Protocol): Finding[] {
  const findings: Finding[] = []
  const named = namedModels(plan)
  for (const { model, pointer } of named) {
    if (model.source !== 'built_in' || isBaselineName(model.name)) continue
    findings.push(unknownBaseline(model.name, `${pointer}/name`))
  }
  return [
    ...findings,
    ...twoSources(named),
    ...candidateFindings(plan),
    ...comparatorFindings(plan, protocol),
  ]
}

interface NamedModel {
  readonly model: ModelReference
  readonly pointer: string
}

function namedModels({ candidates, comparators }: Plan): NamedModel[] {
  return [
    ...candidates.map((model, index) => ({ model, pointer: pointerTo('/candidates', index) })),
    ...Object.entries(comparators).map(([required, model]) => ({
      model,
      pointer: pointerTo('/comparators', required),
    })),
  ]
}

function unknownBaseline(name: string, pointer: string): Finding {
  const close = nearest(name, BASELINE_NAMES) ?? null
  return finding('baseline-unknown', { name, nearest: close, known: BASELINE_NAMES }, { pointer })
}

/** Rows of two sources under one name could not be told apart. */
function twoSources(named: readonly NamedModel[]): Finding[] {
  const findings: Finding[] = []
  const seen = new Map<string, ModelReference['source']>()
  for (const { model, pointer } of named) {
    const before = seen.get(model.name)
    if (before === undefined) seen.set(model.name, model.source)
    else if (before !== model.source) {
      findings.push(finding('model-of-two-sources', { name: model.name }, { pointer }))
    }
  }
  return findings
}

function candidateFindings({ candidates, comparators }: Plan): Finding[] {
  const findings: Finding[] = []
  const seen = new Map<string, number>()
  for (const [index, { name }] of candidates.entries()) {
    const pointer = pointerTo('/candidates', index)
    const first = seen.get(name)
    if (first !== undefined) {
      const earlier = pointerTo('/candidates', first)
      findings.push(
        finding('listed-twice', { what: 'candidate', name, first: earlier }, { pointer }),
      )
      continue
    }
    seen.set(name, index)
    const required = Object.keys(comparators).find((key) => comparators[key]?.name === name)
    if (required !== undefined) {
      findings.push(finding('candidate-is-comparator', { name, required }, { pointer }))
    }
  }
  return findings
}

function comparatorFindings({ comparators }: Plan, protocol: Protocol): Finding[] {
  const findings: Finding[] = []
  const { required } = protocol.estimands.comparisons
  const given = Object.keys(comparators)
  for (const name of required) {
    if (!given.includes(name))
      findings.push(finding('comparator-missing', { name }, { pointer: '/comparators' }))
  }
  const open = required.filter((name) => !given.includes(name))
  for (const [key, model] of Object.entries(comparators)) {
    const pointer = pointerTo('/comparators', key)
    if (!required.includes(key)) {
      const close = nearest(key, open) ?? null
      findings.push(finding('comparator-not-required', { name: key, nearest: close }, { pointer }))
    } else if (isBaselineName(key) && (model.name !== key || model.source === 'history')) {
      // The name says which rule is meant: another one under it, or a model of the history that bears the
      // same name, would mislead every reader.
      const severity = model.source === 'built_in' ? 'error' : 'warning'
      const args = { name: key, model: model.name, source: model.source }
      findings.push(finding('comparator-substituted', args, { pointer, severity }))
    }
  }
  return findings
}

/** The pool that strongest_simple chooses from: each of the protocol's names must stand for a rule. */
export function poolFindings(plan: Plan, protocol: Protocol): Finding[] {
  const findings: Finding[] = []
  const pool = protocol.estimands.comparisons.simple_baseline_pool
  const mapped = plan.baseline_pool ?? {}
  for (const [key, builtIn] of Object.entries(mapped)) {
    const pointer = pointerTo('/baseline_pool', key)
    if (!pool.includes(key)) {
      const close = nearest(key, pool) ?? null
      findings.push(finding('pool-name-unknown', { name: key, nearest: close }, { pointer }))
    } else if (!isPoolName(builtIn)) {
      findings.push(unknownBaseline(builtIn, pointer))
    } else if (isBaselineName(key) && key !== builtIn) {
      findings.push(
        finding(
          'comparator-substituted',
          { name: key, model: builtIn, source: 'built_in' },
          { pointer },
        ),
      )
    }
  }
  if (!usesStrongest(plan)) return findings
  for (const name of pool) {
    if (isPoolName(name) || Object.hasOwn(mapped, name)) continue
    findings.push(finding('pool-name-unresolved', { name }, { pointer: '/baseline_pool' }))
  }
  return findings
}

/** Whether strongest_simple takes part, so that its pool must be known. */
export function usesStrongest(plan: Pick<Plan, 'candidates' | 'comparators'>): boolean {
  return namedModels(plan as Plan).some(
    ({ model }) => model.source === 'built_in' && model.name === STRONGEST,
  )
}
