import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/contract/formats.js'
import {
  SCHEMA_FILES,
  SCHEMAS,
  type SchemaFileName,
  type SchemaName,
} from '../../src/contract/schemas/index.js'

const OPTIONS = { strict: true, allErrors: true, allowUnionTypes: true }
const ajv = new Ajv2020.default(OPTIONS)
addFormats.default(ajv)
const dateTime = ajv.compile({ type: 'string', format: 'date-time' })

describe('the schemas under Ajv with the formats most people use', () => {
  it.each(Object.keys(SCHEMA_FILES) as SchemaFileName[])('%s.schema.json compiles', (name) => {
    const files = new Ajv2020.default({ ...OPTIONS, schemas: Object.values(SCHEMA_FILES) })
    addFormats.default(files)
    expect(files.getSchema(SCHEMA_FILES[name].$id)).toBeTypeOf('function')
  })

  it.each(Object.keys(SCHEMAS) as SchemaName[])('%s compiles alone, as printed', (name) => {
    expect(() => ajv.compile(SCHEMAS[name])).not.toThrow()
  })

  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.123456+05:30',
    '2024-02-29T00:00:00-01:00',
    '2023-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    'yesterday',
  ])('agrees on the timestamp %s', (text) => {
    expect(formats['date-time'](text)).toBe(dateTime(text))
  })

  it('is stricter on purpose: no leap second, nothing finer than a microsecond', () => {
    for (const text of ['2016-12-31T23:59:60Z', '2026-01-01T00:00:00.1234567Z']) {
      expect(dateTime(text)).toBe(true)
      expect(formats['date-time'](text)).toBe(false)
    }
  })
})
