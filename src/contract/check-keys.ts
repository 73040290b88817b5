import type { Finding } from './findings/finding.js'
import { validateKeysFile } from './generated/keys-validator.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import keys from './schemas/keys.schema.json' with { type: 'json' }

/**
 * Every violation of the schema of a keys file; none means that the value is a `KeysFile`. They may quote what was
 * found, which may be a key that somebody put there: show their code and pointer only.
 */
export function checkKeysFile(value: unknown): Finding[] {
  const validate = validateKeysFile as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], keys)
}
