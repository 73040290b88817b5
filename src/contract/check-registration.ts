import type { Finding } from './findings/finding.js'
import { validatePlan, validateRegistration } from './generated/registration-validators.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import plan from './schemas/plan.schema.json' with { type: 'json' }
import registration from './schemas/registration.schema.json' with { type: 'json' }

/** Every violation of the plan's schema in one run; none means that the value is a `Plan`. */
export function checkPlan(value: unknown): Finding[] {
  const validate = validatePlan as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], plan)
}

/**
 * Every violation of the registration's schema; none means that the value is a `Registration`.
 * Digests and the family are not recomputed here: see `verifyRegistration`.
 */
export function checkRegistration(value: unknown): Finding[] {
  const validate = validateRegistration as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], registration)
}
