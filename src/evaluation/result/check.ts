import type { Finding } from '../../contract/findings/finding.js'
import { validateResult } from '../../contract/generated/result-validator.js'
import { schemaFindings, type Validator } from '../../contract/schema-findings.js'
import result from '../../contract/schemas/result.schema.json' with { type: 'json' }

/** Everything in which a value is not a result as the schema describes it; empty when it is one. */
export function checkResult(value: unknown): Finding[] {
  const validate = validateResult as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], result)
}
