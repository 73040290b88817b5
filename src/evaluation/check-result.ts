import type { Finding } from '../contract/findings/finding.js'
import { validateResult } from '../contract/result-validator.generated.js'
import { schemaFindings, type Validator } from '../contract/schema-findings.js'
import { RESULT } from '../contract/schemas/result.js'

/** Everything in which a value is not a result as the schema describes it; empty when it is one. */
export function checkResult(value: unknown): Finding[] {
  const validate = validateResult as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], RESULT)
}
