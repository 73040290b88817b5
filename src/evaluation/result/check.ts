import type { Finding } from '../../contract/findings/finding.js'
import { validateResult } from '../../contract/generated/result-validator.js'
import { schemaFindings, type Validator } from '../../contract/schema-findings.js'
import result from '../../contract/schemas/result.schema.json' with { type: 'json' }

/**
 * Everything in which a value departs from the schema of a result, each violation once; none means that
 * it is a `Result`. Digests are not recomputed: see `auditFolder`.
 */
export function checkResult(value: unknown): Finding[] {
  const validate = validateResult as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], result)
}
