import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Plan, Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { locateFindings } from '../protocol/rules/check.js'
import { buildRegistration } from './build.js'
import { lacksVintage, planFindings, unfitVintage } from './plan-rules.js'
import { lastTarget } from './time-rules.js'

export interface PrepareOptions {
  readonly plan: Document
  /** Verified already, with the ledger beside it. */
  readonly protocol: Document
  readonly now: Instant
  /** The vintage a retrospective evaluation is to be tied to. */
  readonly vintage?: VintageFacts | undefined
}

export interface PrepareResult {
  readonly findings: readonly Finding[]
  /** Absent where a finding forbids it. */
  readonly registration?: Registration
}

/**
 * A plan as the registration it would make, with what its rules and the vintage say of it. Whether
 * the protocol can reach a conclusion with this family and window is for `lintPlanned` to say.
 */
export function prepareRegistration(input: PrepareOptions): PrepareResult {
  const { now, vintage } = input
  const protocol = input.protocol.value as Protocol
  const plan = input.plan.value as Plan
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

/** What registering needs to know of a vintage; no close is looked at. */
export interface VintageFacts {
  readonly first: Instant
  readonly last: Instant
  readonly manifest: {
    readonly vintage_id: string
    readonly sha256: string
    readonly source: string
  }
}

/** Closes that the longest-looking baseline needs before the first origin: 720 returns and one. */
const LEAD_IN_HOURS = 720

/** Whether a plan's evaluation can be run on the vintage it is to be registered with. */
export function vintageFindings(
  plan: Plan,
  vintage: VintageFacts,
  horizons: readonly number[],
): Finding[] {
  const { mode, window } = plan
  if (mode === 'prospective') return [unfitVintage('too-early', '/mode')]
  const findings = otherVintage(plan, vintage)
  const asOf = plan.as_of === undefined ? lastTarget(window.to, horizons) : instantOrNaN(plan.as_of)
  if (asOf > vintage.last) {
    const last = formatUtc(vintage.last)
    findings.push(unfitVintage('ends-early', '/window/to', last, formatUtc(asOf)))
  }
  const leadIn = (instantOrNaN(window.from) - vintage.first) / MICROS_PER_HOUR
  if (leadIn < LEAD_IN_HOURS) {
    const hours = Math.max(0, Math.floor(leadIn))
    findings.push(unfitVintage('lead-in', '/window/from', hours, LEAD_IN_HOURS))
  }
  return findings
}

/** Whether a plan names another vintage. */
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
    if (given === undefined || given === is) return []
    return [unfitVintage('other', `/outcomes/${key}`, is, given)]
  })
}

/** The plan with the vintage it is to be scored with. */
export function withVintage<P extends Pick<Plan, 'outcomes'>>(
  plan: P,
  { manifest }: Pick<VintageFacts, 'manifest'>,
): P {
  const { vintage_id, sha256 } = manifest
  return { ...plan, outcomes: { ...plan.outcomes, vintage_id, vintage_sha256: sha256 } }
}
