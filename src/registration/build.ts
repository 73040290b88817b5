import type { Instant } from '../contract/instant.js'
import { formatUtc } from '../contract/instant.js'
import type { ModelReference, Plan, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { PeriodList } from '../periods/list.js'
import { bindPlan } from '../protocol/rules/bind.js'
import { type Rules, rulesData } from '../protocol/rules/compile.js'
import { askedIn, notAsked } from '../scoring/baselines/reach.js'
import type { SeriesScale } from '../scoring/scales.js'
import { enumerateFamily, familyDigest, registeredCells } from './family.js'
import { registeredInstants, registeredWindow } from './instants.js'

/** The member of a registration that carries its digest. */
export const REGISTRATION_DIGEST = 'registration_sha256'

/** By what the losses of each series are divided, and as of when. */
export interface Scaled {
  readonly scales: readonly SeriesScale[]
  readonly at: Instant
}

/**
 * Builds the registration of a plan in which `planFindings` found no error: the rules with what the plan adds, times in
 * UTC, every default written out, the comparators resolved, every test by name, and the digest of it all.
 * @param periods - the list of the protocol, if it has one. @param scaled - without it nothing is scaled.
 */
export function createRegistration(
  plan: Plan,
  compiled: Rules,
  now: Instant,
  periods: PeriodList = [],
  scaled?: Scaled,
): Registration {
  const rules = bindPlan(compiled, plan)
  const { window, origins } = registeredWindow(rules, periods, plan.window)
  const candidates = plan.candidates.map((name) => ({ source: 'history' as const, name }))
  const isHourly = rules.periods.kind === 'hours'
  const unasked = isHourly ? [] : notAsked(rules, periods, origins)
  const isAsked = askedIn(unasked)
  const comparators = registeredComparators(rules).filter(({ name }) =>
    rules.series.some(({ id }) => isAsked(name, id)),
  )
  const models = { candidates, comparators, not_asked: unasked }
  const registration = {
    registration_version: 1 as const,
    registration_sha256: '',
    name: plan.name,
    description: plan.description,
    registered_at: formatUtc(now),
    mode: plan.mode,
    protocol: { version: rules.version, sha256: rules.sha256 },
    window,
    ...models,
    provenance_required: plan.provenance_required,
    outcomes: plan.outcomes,
    time: plan.time,
    commitment: plan.commitment,
    commitment_log: plan.commitment_log,
    scales: [...(scaled?.scales ?? [])],
    scales_as_of: scaled?.scales.length ? formatUtc(scaled.at) : null,
    instants: registeredInstants(window, rules, periods),
    rules: rulesData(rules),
    family: createFamily(rules, models, origins),
  }
  return { ...registration, registration_sha256: digestWithout(registration, REGISTRATION_DIGEST) }
}

function createFamily(
  rules: Rules,
  models: Pick<Registration, 'candidates' | 'comparators' | 'not_asked'>,
  origins: readonly number[],
): Registration['family'] {
  const tests = registeredTests(rules, models, origins).map(({ name }) => name)
  return { size: tests.length, sha256: familyDigest(tests, rules.weights), tests }
}

/** The tests of a registration. @param origins - of its window, by their positions in the list. */
export function registeredTests(
  rules: Rules,
  models: Pick<Registration, 'candidates' | 'comparators' | 'not_asked'>,
  origins: readonly number[],
) {
  // Of full hours every step has as many keys as the window has origins.
  const cells = rules.periods.kind === 'hours' ? undefined : registeredCells(rules, origins)
  return enumerateFamily(rules, models, cells)
}

/** In the order in which the protocol requires them; one entry per model, with all its names. */
function registeredComparators({ required }: Pick<Rules, 'required'>): Registration['comparators'] {
  const byModel = new Map<string, ModelReference & { required_as: string[] }>()
  for (const { name: as, model } of required) {
    const reference = toReference(model)
    if (reference === undefined) continue
    const listed = byModel.get(reference.name)
    if (listed) listed.required_as.push(as)
    else byModel.set(reference.name, { ...reference, required_as: [as] })
  }
  return [...byModel.values()]
}

/** Undefined if the plan must name a model but does not. */
function toReference(model: Rules['required'][number]['model']): ModelReference | undefined {
  if ('built_in' in model) return { source: 'built_in', name: model.built_in }
  return 'history' in model ? { source: 'history', name: model.history } : undefined
}
