import type { Finding } from '../../contract/findings/finding.js'
import { validatePower } from '../../contract/generated/power-validator.js'
import { schemaFindings, type Validator } from '../../contract/schema-findings.js'
import power from '../../contract/schemas/power.schema.json' with { type: 'json' }

/** Everything in which a value departs from the schema of power.json; none: it is `PowerFigures`. */
export function checkFigures(value: unknown): Finding[] {
  const validate = validatePower as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], power)
}
