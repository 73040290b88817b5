import { SCHEMA_FILES } from './files.js'
import type { JsonSchema } from './schema.js'

const BY_ID = new Map(Object.values(SCHEMA_FILES).map((file) => [file.$id, file]))

/**
 * The schemas with these `$id`s and all that they refer to, by title and in its order, with every
 * reference written as `root` and a title: one document holds them all.
 */
export function bundle(ids: readonly string[], root: string): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>()
  const add = (id: string): string => {
    const file = BY_ID.get(id)
    if (file === undefined) throw new Error(`no schema file has the $id ${id}`)
    const { $schema, $id, ...body } = file
    if (!found.has(file.title)) {
      found.set(file.title, body)
      found.set(file.title, rewrite(body) as JsonSchema)
    }
    return `${root}${file.title}`
  }
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === '$ref' ? add(String(value)) : rewrite(value),
      ]),
    )
  }
  for (const id of ids) add(id)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}
