import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Plan, Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { lintProtocol, lintRegistered } from '../lint/protocol.js'
import { placed } from '../protocol/rules/check.js'
import { buildRegistration } from './build.js'
import { planFindings } from './plan-rules.js'
import { type VintageFacts, vintageFindings, withVintage } from './vintage-rules.js'

export interface PrepareInput {
  readonly plan: Document
  /** Verified already, with the ledger beside it. */
  readonly protocol: Document
  readonly now: Instant
  /** The vintage a retrospective evaluation is to be tied to. */
  readonly vintage?: VintageFacts | undefined
}

export interface Prepared {
  readonly findings: readonly Finding[]
  /** Absent where a finding stands in the way. */
  readonly registration?: Registration
}

/**
 * A plan as the registration it would make, with everything found on the way: its rules, what the
 * vintage says, and whether the protocol can reach a conclusion with this family and window.
 */
export function prepareRegistration(input: PrepareInput): Prepared {
  const { now, vintage } = input
  const protocol = input.protocol.value as Protocol
  const findings = planFindings(input.plan.value, protocol, now)
  if (!hasNoErrors(findings)) return { findings: placed(findings, input.plan) }
  let plan = input.plan.value as Plan
  let told = findings
  if (vintage !== undefined) {
    told = [
      ...findings.filter(({ code }) => code !== 'vintage-not-registered'),
      ...vintageFindings(plan, vintage, protocol.horizons_hours),
    ]
    plan = withVintage(plan, vintage)
  }
  if (!hasNoErrors(told)) return { findings: placed(told, input.plan) }
  const registration = buildRegistration(plan, protocol, now)
  const all = [...placed(told, input.plan), ...lint(registration, input)]
  return hasNoErrors(all) ? { findings: all, registration } : { findings: all }
}

function lint({ family_size, window }: Registration, input: PrepareInput): Finding[] {
  const protocol = input.protocol.value as Protocol
  // A family that is too large is a fault of the plan, not of the protocol.
  const design = lintProtocol(protocol, family_size).filter(
    ({ code }) => code !== 'significance-unreachable',
  )
  const own = lintRegistered(protocol, { familySize: family_size, windowOrigins: window.origins })
  return [
    ...placed(design, input.protocol),
    // A plan has no family_size: what makes it is the whole plan.
    ...placed(
      own.map((each) => (each.pointer === '/family_size' ? { ...each, pointer: '' } : each)),
      input.plan,
    ),
  ]
}
