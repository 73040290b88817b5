import { bundle } from './bundle.js'
import { SCHEMA_FILES } from './files.js'
import type { JsonSchema } from './schema.js'

/** The names `foreproof schema` knows; the other files are only ever parts. */
const NAMES = [
  'protocol',
  'forecast',
  'freshness',
  'health-data',
  'latest',
  'history',
  'health',
  'error',
  'static-latest',
  'static-page',
  'audit-event',
  'attempt',
  'history-line',
  'result',
  'plan',
  'registration',
  'power',
  'keys',
  'pipeline-health',
] as const
export type SchemaName = (typeof NAMES)[number]

/** The schema of one name with all that it refers to in its `$defs`. */
function standalone(name: SchemaName): JsonSchema {
  const { $schema, $id, title } = SCHEMA_FILES[name]
  const { [title]: body, ...$defs } = bundle([$id], '#/$defs/')
  return { $schema, $id, ...body, ...(Object.keys($defs).length > 0 && { $defs }) }
}

/** Every schema of the contract by the name `foreproof schema` knows it by; each stands alone. */
export const SCHEMAS = Object.fromEntries(
  NAMES.map((name) => [name, standalone(name)]),
) as Readonly<Record<SchemaName, JsonSchema>>
