import type { Finding } from './findings/finding.js'
import { validatePipelineHealth } from './generated/pipeline-health-validator.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import pipelineHealth from './schemas/pipeline-health.schema.json' with { type: 'json' }

/** Every violation of the schema of a pipeline's report; none means that the value is a `PipelineHealth`. */
export function checkPipelineHealth(value: unknown): Finding[] {
  const validate = validatePipelineHealth as Validator
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], pipelineHealth)
}
