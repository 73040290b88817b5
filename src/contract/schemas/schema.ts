/** As much of JSON Schema draft 2020-12 as the contract uses; printed as it stands. */
export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** An object of which every listed member is required and others may come: responses grow. */
export function open(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  }
}

/** An object with exactly the listed members, each of them required. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties,
    additionalProperties: false,
  }
}

/** A schema that stands alone: it carries every definition that it or its definitions refer to. */
export function standalone(
  id: string,
  title: string,
  description: string,
  body: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const used: Record<string, JsonSchema> = {}
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const ref = (node as JsonSchema).$ref
    const name = typeof ref === 'string' ? ref.replace('#/$defs/', '') : undefined
    if (name !== undefined && used[name] === undefined) {
      const definition = definitions[name]
      if (definition === undefined) throw new Error(`schema ${id}: no definition of ${name}`)
      used[name] = definition
      visit(definition)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(body)
  const names = Object.keys(used).sort()
  return {
    $schema: DIALECT,
    $id: `urn:foreproof:schema:${id}:v1`,
    title,
    description,
    ...body,
    ...(names.length > 0 && {
      $defs: Object.fromEntries(names.map((name) => [name, used[name] as JsonSchema])),
    }),
  }
}
