import { FILES } from '../generated/schema-files.js'

/** As much of JSON Schema draft 2020-12 as the contract uses. */
export interface JsonSchema {
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly [keyword: string]: unknown
}

/** A schema file: its `$id` is what others refer to it by, its title the name of its type. */
interface SchemaFile extends JsonSchema {
  readonly $schema: string
  readonly $id: string
  readonly title: string
  readonly description: string
}

export type SchemaFileName = keyof typeof FILES

/** Every schema file by its name. TypeScript guesses too narrow a type for some. */
export const SCHEMA_FILES = FILES as unknown as Readonly<Record<SchemaFileName, SchemaFile>>

const BY_ID = new Map(Object.values(SCHEMA_FILES).map((file) => [file.$id, file]))

/**
 * The schemas with these `$id`s and all that they refer to, by title and in its order, with every
 * reference written as `root` and a title: one document holds them all.
 */
export function bundle(ids: readonly string[], root: string): Record<string, JsonSchema> {
  const definitions = new Map<string, JsonSchema>()
  const add = (ref: string): string => {
    const [id = '', member = ''] = ref.split('#')
    const file = BY_ID.get(id)
    if (file === undefined) throw new Error(`no schema file has the $id ${id}`)
    const { $schema, $id, ...body } = file
    if (!definitions.has(file.title)) {
      definitions.set(file.title, body)
      definitions.set(file.title, rewrite(body) as JsonSchema)
    }
    return `${root}${file.title}${member}`
  }
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        // One that begins with # is within its own file.
        key === '$ref' && !String(value).startsWith('#') ? add(String(value)) : rewrite(value),
      ]),
    )
  }
  for (const id of ids) add(id)
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Files that are only ever parts of others: `foreproof schema` does not know their names. */
const PARTS = [
  'implausible',
  'model-reference',
  'proof-of-time',
  'provenance',
  'reading',
  'rules',
  'stratum',
  'time-rule',
  'timestamp',
  'witness-rule',
] as const satisfies readonly SchemaFileName[]
export type SchemaName = Exclude<SchemaFileName, (typeof PARTS)[number]>

const isWhole = (name: SchemaFileName): name is SchemaName =>
  !(PARTS as readonly SchemaFileName[]).includes(name)

/** The schema of one name with all that it refers to in its `$defs`. */
function standalone(name: SchemaName): JsonSchema {
  const { $schema, $id, title } = SCHEMA_FILES[name]
  const { [title]: body, ...$defs } = bundle([$id], '#/$defs/')
  return { $schema, $id, ...body, ...(Object.keys($defs).length > 0 && { $defs }) }
}

/** Every schema of the contract by the name `foreproof schema` knows it by; each is complete in itself. */
export const SCHEMAS = Object.fromEntries(
  (Object.keys(FILES) as SchemaFileName[]).filter(isWhole).map((name) => [name, standalone(name)]),
) as Readonly<Record<SchemaName, JsonSchema>>
