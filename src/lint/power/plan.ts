import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import type { Plan, Protocol, Registration } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { buildRegistration } from '../../registration/build.js'
import { planFindings } from '../../registration/plan-rules.js'
import { lintPlanned } from '../planned.js'

/** What stands in the way of registering today, and not of asking what a plan could find. */
const OF_THE_DAY: readonly string[] = [
  'vintage-not-registered',
  'window-has-begun',
  'window-lies-ahead',
]

export interface PlanRead {
  readonly findings: readonly Finding[]
  /** What the plan would be registered as; absent where a finding stands in the way. */
  readonly registration?: Registration
}

/** A plan as it would be registered, whenever that is. */
export function readPlan(plan: Document, protocol: Document, now: Instant): PlanRead {
  const rules = protocol.value as Protocol
  const found = planFindings(plan.value, rules, now).filter(
    ({ code }) => !OF_THE_DAY.includes(code),
  )
  if (!hasNoErrors(found)) return { findings: locateFindings(found, plan) }
  const registration = buildRegistration(plan.value as Plan, rules, now)
  const findings = [
    ...locateFindings(found, plan),
    ...lintPlanned(registration, { protocol, plan }),
  ]
  return { findings, registration }
}
