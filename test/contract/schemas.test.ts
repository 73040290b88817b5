import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  API_ERROR_CODES,
  API_VERSION,
  FRESHNESS_STATUSES,
  HEALTH_STATUSES,
  LIMITS,
  PAIR,
  PAIRING_STATUSES,
} from '../../src/contract/limits.js'
import { valueAt } from '../../src/contract/pointer.js'
import { SCHEMA_FILES, SCHEMAS, type SchemaFileName } from '../../src/contract/schemas/index.js'
import { TEXT_FORMS } from '../../src/contract/text-forms.js'

const FOLDER = new URL('../../src/contract/schemas/', import.meta.url)
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.schema.json'))
  .map((name) => name.replace('.schema.json', '') as SchemaFileName)

/** Every member that a schema describes, at any depth, by its path. */
function* members(node: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      for (const [name, member] of Object.entries(value)) {
        yield [`${at}/${name}`, member as Record<string, unknown>]
        yield* members(member, `${at}/${name}`)
      }
    } else yield* members(value, at)
  }
}

/** Every pattern in a schema. */
function* patterns(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { pattern } = node as Record<string, unknown>
  if (typeof pattern === 'string') yield pattern
  for (const value of Object.values(node)) yield* patterns(value)
}

/** Every part of a schema that allows one value, by its path. */
function* constants(node: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  const part = node as Record<string, unknown>
  const single = Array.isArray(part.enum) && part.enum.length === 1
  if (Object.hasOwn(part, 'const') || single) yield [at, part]
  for (const [key, value] of Object.entries(part)) {
    if (key !== 'const' && key !== 'enum') yield* constants(value, `${at}/${key}`)
  }
}

describe('the schema files', () => {
  it('are all known', () => {
    expect(Object.keys(SCHEMA_FILES).sort()).toEqual([...NAMES].sort())
  })

  it.each(NAMES)('%s.schema.json says what it is, and so does each of its members', (name) => {
    const file = JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8'))
    expect(file.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(file.$id).toBe(`urn:foreproof:schema:${name}:v1`)
    const silent = [['', file] as const, ...members(file)].filter(
      ([, { title, description }]) =>
        typeof title !== 'string' || typeof description !== 'string' || description === '',
    )
    expect(silent.map(([path]) => path)).toEqual([])
  })

  it.each(NAMES)('%s.schema.json says why what is constant is constant', (name) => {
    const file = JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8'))
    const unexplained = [...constants(file)].filter(
      ([, { description }]) => !/\bAlways\b.*[,:] ?.+/.test(String(description)),
    )
    expect(unexplained.map(([path]) => path)).toEqual([])
  })

  it('have words for each pattern, with an example that it allows', () => {
    const used = new Set(Object.values(SCHEMA_FILES).flatMap((file) => [...patterns(file)]))
    expect(Object.keys(TEXT_FORMS).sort()).toEqual([...used].sort())
    for (const [pattern, { example }] of Object.entries(TEXT_FORMS)) {
      expect(example).toMatch(new RegExp(pattern, 'u'))
    }
  })

  it('have titles that are not used twice', () => {
    const titles = Object.values(SCHEMA_FILES).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it.each([
    ['latest', '/properties/api_version/const', API_VERSION],
    ['error', '/properties/error/properties/code/enum', API_ERROR_CODES],
    ['freshness', '/properties/status/enum', FRESHNESS_STATUSES],
    ['health-data', '/properties/status/enum', HEALTH_STATUSES],
    [
      'health-data',
      '/properties/stages/additionalProperties/properties/health/enum',
      HEALTH_STATUSES,
    ],
    ['history', '/properties/data/maxItems', LIMITS.pageMaximum],
    ['history', '/properties/pagination/properties/limit/minimum', LIMITS.pageMinimum],
    ['history', '/properties/pagination/properties/limit/maximum', LIMITS.pageMaximum],
    ['forecast', '/properties/lineage/properties/source/properties/pair/const', PAIR],
    ['protocol', '/properties/market/properties/instrument/const', PAIR],
    ['protocol', '/properties/pairing/properties/statuses/const', PAIRING_STATUSES],
    ['reading', '/properties/accounting/items/properties/point/required', PAIRING_STATUSES],
  ] as const)('%s agrees with the constants of the contract at %s', (name, pointer, constant) => {
    expect(valueAt(SCHEMA_FILES[name], pointer)).toEqual(constant)
  })

  it('are complete when printed: every reference is to a definition beside it, or a member', () => {
    for (const schema of Object.values(SCHEMAS)) {
      const references = JSON.stringify(schema).match(/"\$ref":"[^"]*"/g) ?? []
      for (const reference of references) {
        const [, pointer = ''] =
          /^"\$ref":"#(\/(?:\$defs|properties)\/[\w/]+)"$/.exec(reference) ?? []
        expect(pointer, reference).not.toBe('')
        expect(valueAt(schema, pointer), reference).toBeDefined()
      }
    }
  })
})
