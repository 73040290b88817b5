import { STRONGEST } from '../contract/baseline-names.js'
import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import type { ModelReference, Plan, Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Document } from '../document/read.js'
import { bindPlan, limitsOf } from '../protocol/rules/bind.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import { inferenceOf, PUBLICATION_LAG, undecidedFindings } from '../protocol/rules/hourly-texts.js'
import { SCORER_VERSION } from '../scoring/measures.js'
import { enumerateFamily, familyDigest } from './family.js'
import { hourlyWindowInstants } from './instants.js'
import { DIRECTION_PAIRS_FACTOR } from './limits.js'
import { usesStrongest } from './model-rules.js'
import { lacksVintage, planFindings, unfitVintage } from './plan-rules.js'
import { scorerOf } from './scorer/scorer.js'
import { lastTarget, originsOf } from './time-rules.js'

/** The member of a registration that carries its digest. */
export const REGISTRATION_DIGEST = 'registration_sha256'

/**
 * Builds the registration of a plan in which `planFindings` found no error: times in UTC, every default written out,
 * the comparators resolved, every test by name, the computation in words, and the digest of it all.
 */
export function buildRegistration(plan: Plan, protocol: Protocol, now: Instant): Registration {
  const compiled = compileRules(protocol)
  const rules = bindPlan(compiled, plan)
  const inference = inferenceOf(protocol)
  const horizons = [...rules.steps]
  const { window, outcomes } = plan
  const { description, ...stated } = statedMembers(plan)
  const utc = (text: string) => formatUtc(instantOrNaN(text))
  const basis = {
    horizons_hours: horizons,
    candidates: registeredCandidates(plan),
    comparators: registeredComparators(rules),
    strata: plan.strata,
  }
  const family = enumerateFamily(rules, basis).map(({ name }) => name)
  const registration = {
    registration_version: 1 as const,
    registration_sha256: '',
    name: plan.name,
    ...(description !== undefined && { description }),
    registered_at: formatUtc(now),
    mode: plan.mode,
    protocol: { version: rules.version, sha256: rules.sha256 },
    window: {
      ...{ from: utc(window.from), to: utc(window.to), origins: originsOf(window) },
      ...hourlyWindowInstants(rules, window),
    },
    horizons_hours: basis.horizons_hours,
    candidates: basis.candidates,
    comparators: basis.comparators,
    baseline_pool: usesStrongest(rules) ? poolOf(rules) : [],
    strata: basis.strata,
    limits: {
      ...limitsOf(compiled, plan),
      direction_pairs_factor: DIRECTION_PAIRS_FACTOR,
    },
    ...(inference === undefined ? {} : { inference }),
    ...stated,
    publication_lag_minutes: plan.due_minutes ?? PUBLICATION_LAG,
    provenance_required: plan.provenance_required,
    outcomes,
    family_size: family.length,
    family_sha256: familyDigest(family, inference),
    family,
  }
  const whole = { ...registration, scorer: scorerOf(registration, protocol, SCORER_VERSION) }
  return { ...whole, registration_sha256: digestWithout(whole, REGISTRATION_DIGEST) }
}

/** A candidate is a model of the history. */
export const registeredCandidates = ({ candidates }: Pick<Plan, 'candidates'>) =>
  candidates.map((name) => ({ source: 'history' as const, name }))

/** The members of a plan that its registration has only where they say something. */
export const statedMembers = ({ description, time, commitment, commitment_log: log }: Plan) => ({
  ...(description !== null && { description }),
  ...(time !== null && { time }),
  ...(commitment !== 'self_declared' && { commitment }),
  ...(log !== null && { commitment_log: log }),
})

/** In the order in which the protocol requires them; one entry per model, with all its names. */
export function registeredComparators({
  required,
}: Pick<Rules, 'required'>): Registration['comparators'] {
  const byModel = new Map<string, ModelReference & { required_as: string[] }>()
  for (const { name: as, model } of required) {
    const reference = referenceOf(model)
    if (reference === undefined) continue
    const known = byModel.get(reference.name)
    if (known) known.required_as.push(as)
    else byModel.set(reference.name, { ...reference, required_as: [as] })
  }
  return [...byModel.values()]
}

/** Undefined if the plan must name a model but does not. */
function referenceOf(model: Rules['required'][number]['model']): ModelReference | undefined {
  if ('built_in' in model) return { source: 'built_in', name: model.built_in }
  return 'history' in model ? { source: 'history', name: model.history } : undefined
}

const poolOf = ({ baselines }: Rules): string[] => [
  ...(baselines.find(({ id }) => id === STRONGEST)?.pool ?? []),
]

export interface PrepareOptions {
  readonly plan: Document
  /** Already verified, with the ledger beside it. */
  readonly protocol: Document
  readonly now: Instant
  /** The vintage that a backtest is tied to. */
  readonly vintage?: VintageFacts | undefined
}

export interface PrepareResult {
  readonly findings: readonly Finding[]
  /** Absent if a finding forbids it. */
  readonly registration?: Registration
}

/**
 * The registration that a plan would make, with the findings of its rules and the vintage. `lintPlanned` checks whether
 * the protocol can reach a conclusion with this family and window.
 */
export function prepareRegistration(input: PrepareOptions): PrepareResult {
  const { now, vintage } = input
  const protocol = input.protocol.value as Protocol
  const plan = input.plan.value as Plan
  const undecided = locateFindings(undecidedFindings(protocol), input.protocol)
  if (undecided.length > 0) return { findings: undecided }
  let found = planFindings(plan, protocol, now)
  if (vintage !== undefined) found = found.filter((each) => !lacksVintage(each))
  if (vintage !== undefined && hasNoErrors(found)) {
    found = [...found, ...vintageFindings(plan, vintage, protocol.horizons_hours)]
  }
  const findings = locateFindings(found, input.plan)
  if (!hasNoErrors(found)) return { findings }
  const tied = vintage === undefined ? plan : withVintage(plan, vintage)
  return { findings, registration: buildRegistration(tied, protocol, now) }
}

/** The facts about a vintage that registering needs; it does not read any close. */
export interface VintageFacts {
  readonly first: Instant
  readonly last: Instant
  readonly manifest: {
    readonly vintage_id: string
    readonly sha256: string
    readonly source: string
  }
}

/** Closes that the baseline with the longest memory needs before the first origin: 720 returns and one. */
const LEAD_IN_HOURS = 720

/** Checks whether a plan can be evaluated on the vintage it is registered with. */
export function vintageFindings(
  plan: Plan,
  vintage: VintageFacts,
  horizons: readonly number[],
): Finding[] {
  const { mode, window } = plan
  if (mode === 'prospective') return [unfitVintage('too-early', '/mode')]
  const findings = otherVintage(plan, vintage)
  const settled = lastTarget(window.to, horizons)
  if (settled > vintage.last) {
    const last = formatUtc(vintage.last)
    findings.push(unfitVintage('ends-early', '/window/to', last, formatUtc(settled)))
  }
  const leadIn = (instantOrNaN(window.from) - vintage.first) / MICROS_PER_HOUR
  if (leadIn < LEAD_IN_HOURS) {
    const hours = Math.max(0, Math.floor(leadIn))
    findings.push(unfitVintage('lead-in', '/window/from', hours, LEAD_IN_HOURS))
  }
  return findings
}

/** Whether the plan names a different vintage. */
export function otherVintage(
  { outcomes }: Pick<Plan, 'outcomes'>,
  { manifest }: Pick<VintageFacts, 'manifest'>,
): Finding[] {
  const found = [
    ['source', manifest.source],
    ['vintage_id', manifest.vintage_id],
    ['vintage_sha256', manifest.sha256],
  ] as const
  return found.flatMap(([key, is]) => {
    const given = outcomes[key]
    if (given === null || given === is) return []
    return [unfitVintage('other', `/outcomes/${key}`, is, given)]
  })
}

/** The plan with the vintage it is to be scored with. */
export function withVintage(plan: Plan, { manifest }: Pick<VintageFacts, 'manifest'>): Plan {
  const { vintage_id, sha256 } = manifest
  return { ...plan, outcomes: { ...plan.outcomes, vintage_id, vintage_sha256: sha256 } }
}
