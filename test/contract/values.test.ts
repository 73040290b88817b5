import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/contract/formats.js'
import {
  checkedInstant,
  formatStored,
  formatUtc,
  parseTimestamp,
} from '../../src/contract/instant.js'
import { compareKeys, compareText } from '../../src/contract/order.js'
import {
  SCHEMA_FILES,
  SCHEMAS,
  type SchemaFileName,
  type SchemaName,
} from '../../src/contract/schemas/index.js'

describe('parseTimestamp', () => {
  it('agrees with Date on whole milliseconds, with any offset', () => {
    for (const text of [
      '1970-01-01T00:00:00Z',
      '2024-02-29T23:59:59.999+00:00',
      '2026-11-21T08:00:00+05:30',
      '1999-12-31T23:00:00-01:00',
      '2000-03-01T00:00:00Z',
    ]) {
      expect(checkedInstant(text)).toBe(Date.parse(text) * 1000)
    }
  })

  it.each([
    ['2023-02-29T00:00:00Z', 'calendar'],
    ['2024-13-01T00:00:00Z', 'calendar'],
    ['2024-01-01T24:00:00Z', 'calendar'],
    ['2016-12-31T23:59:60Z', 'leap-second'],
    ['2024-01-01T00:00:00', 'offset-missing'],
    ['2024-01-01T00:00:00 00:00', 'space-for-plus'],
    ['2024-01-01T00:00:00.1234567Z', 'precision'],
    ['2024-01-01', 'syntax'],
    ['2024-01-01T00:00:00+0000', 'syntax'],
    ['', 'syntax'],
  ])('%s is a fault: %s', (text, fault) => {
    expect(parseTimestamp(text)).toEqual({ ok: false, fault })
  })

  it('keeps six fractional digits and ignores zeros beyond them', () => {
    expect(checkedInstant('2024-01-01T00:00:00.123456Z') % 1_000_000).toBe(123456)
    expect(checkedInstant('2024-01-01T00:00:00.1234560000Z') % 1_000_000).toBe(123456)
  })
})

describe('formats', () => {
  it('write UTC with and without a fraction', () => {
    expect(formatStored(checkedInstant('2024-01-01T01:00:00+01:00'))).toBe(
      '2024-01-01T00:00:00+00:00',
    )
    expect(formatUtc(checkedInstant('2024-01-01T00:00:00.5Z'))).toBe('2024-01-01T00:00:00.500000Z')
    expect(formatUtc(checkedInstant('1969-12-31T23:59:59.999999Z'))).toBe(
      '1969-12-31T23:59:59.999999Z',
    )
  })
})

describe('compareText', () => {
  it('orders as the bytes of UTF-8 do, which is how SQLite compares', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
    expect(compareText('\uff5e', '\u{1f600}')).toBeLessThan(0)
  })
})

describe('compareKeys', () => {
  it('puts the newest origin first, then the shortest horizon, then the model', () => {
    const key = (origin: number, horizon: number, model: string) => ({ origin, horizon, model })
    const keys = [key(1, 2, 'a'), key(2, 4, 'a'), key(2, 2, 'b'), key(2, 2, 'B')]
    expect(keys.sort(compareKeys)).toEqual([
      key(2, 2, 'B'),
      key(2, 2, 'b'),
      key(2, 4, 'a'),
      key(1, 2, 'a'),
    ])
  })
})

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
