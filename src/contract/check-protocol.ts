import type { Finding } from './findings/finding.js'
import { validateProtocol } from './generated/protocol-validator.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import protocol from './schemas/protocol.schema.json' with { type: 'json' }

/**
 * Every violation of the protocol format in one run, in the order of the schema; none means that the
 * value is a `Protocol`. The digest is not recomputed here.
 */
export function checkProtocol(value: unknown): Finding[] {
  const validate = validateProtocol as Validator
  if (validate(value)) return []
  return schemaFindings(value, validate.errors ?? [], protocol)
}
