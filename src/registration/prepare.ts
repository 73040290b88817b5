import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Plan, Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { locateFindings } from '../protocol/rules/check.js'
import { buildRegistration } from './build.js'
import { planFindings } from './plan-rules.js'
import { type VintageFacts, vintageFindings, withVintage } from './vintage-rules.js'

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
  /** Absent where a finding stands in the way. */
  readonly registration?: Registration
}

/**
 * A plan as the registration it would make, with what its rules and the vintage say of it. Whether
 * the protocol can reach a conclusion with this family and window is for `lintPlanned` to say.
 */
export function prepareRegistration(input: PrepareOptions): PrepareResult {
  const { now, vintage } = input
  const protocol = input.protocol.value as Protocol
  const findings = planFindings(input.plan.value, protocol, now)
  if (!hasNoErrors(findings)) return { findings: locateFindings(findings, input.plan) }
  let plan = input.plan.value as Plan
  let told = findings
  if (vintage !== undefined) {
    told = [
      ...findings.filter(({ code }) => code !== 'vintage-not-registered'),
      ...vintageFindings(plan, vintage, protocol.horizons_hours),
    ]
    plan = withVintage(plan, vintage)
  }
  if (!hasNoErrors(told)) return { findings: locateFindings(told, input.plan) }
  const registration = buildRegistration(plan, protocol, now)
  return { findings: locateFindings(told, input.plan), registration }
}
