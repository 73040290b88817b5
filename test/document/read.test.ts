import canonicalizeOracle from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueAt } from '../../src/contract/pointer.js'
import { canonicalize } from '../../src/document/canonical.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { readDocument } from '../../src/document/read.js'

const encode = (text: string) => new TextEncoder().encode(text)

/** `code/fault line:column pointer` of everything found in a text or in bytes. */
function found(input: string | Uint8Array): string[] {
  const bytes = typeof input === 'string' ? encode(input) : input
  const document = readDocument(bytes, 'x.json')
  if (document.ok) return []
  return document.findings.map(({ code, args, position, pointer = '' }) => {
    const place = position ? `${position.line}:${position.column}` : '-'
    return `${'fault' in args ? `${code}/${args.fault}` : code} ${place} ${pointer}`.trimEnd()
  })
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A text or bytes, and all that is found in it. */
const CASES: readonly (readonly [input: string | Uint8Array, ...expected: string[]])[] = [
  ['', 'document-empty -'],
  [' \n', 'document-empty 1:1'],
  ['\uFEFF{"a":1}', 'document-encoding/bom 1:1'],
  ['\uFEFF', 'document-encoding/bom -'],
  [Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'document-encoding/utf-16 -'],
  [Buffer.from('{"a":1}!', 'utf16le'), 'document-encoding/utf-16 -'],
  [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0]), 'document-encoding/binary -'],
  [
    Buffer.concat([encode('{"ä":1,\n"b":"x'), Buffer.from([0xff]), encode('"}')]),
    'document-encoding/invalid 2:7 /b',
  ],
  // The UTF-8 of a surrogate, and a character in too many bytes.
  [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'document-encoding/invalid 1:2'],
  [Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'document-encoding/invalid 1:2'],
  ['{"a":1,\n "a":2}', 'json-duplicate-name 2:2 /a'],
  ['{"x":[{"k":1,"k":2,"k":3}]}', ...[14, 20].map((at) => `json-duplicate-name 1:${at} /x/0/k`)],
  ['{"a":1,"\\u0061":2}', 'json-duplicate-name 1:8 /a'],
  ['{"__proto__":1,"__proto__":2}', 'json-duplicate-name 1:16 /__proto__'],
  ['{"\\ud800":1}', 'json-character/lone-surrogate 1:3'],
  ['["\\udc00 x"]', 'json-character/lone-surrogate 1:3 /0'],
  ['["\\ud800\\ud800"]', ...[3, 9].map((at) => `json-character/lone-surrogate 1:${at} /0`)],
  ['["a\\ufffe"]', 'json-character/noncharacter 1:4 /0'],
  // As RFC 8785 writes these doubles: 2^60 is 1152921504606846976, and its canonical form is not.
  ['[9007199254740991,-9007199254740992,100000000000000000000,1152921504606847000]'],
  ['[9007199254740993]', 'json-number-range/integer 1:2 /0'],
  ['[1152921504606846976]', 'json-number-range/integer 1:2 /0'],
  ['[-9007199254740995,10]', 'json-number-range/integer 1:2 /0'],
  // 1e+21 in the canonical form.
  ['[1000000000000000000000]', 'json-number-range/integer 1:2 /0'],
  ['[1E30]'],
  ['[1e309]', 'json-number-range/double 1:2 /0'],
  ['[-1e-400, 0e-999]', 'json-number-range/double 1:2 /0'],
  [nested(64)],
  [nested(65), `json-depth 1:65 ${'/0'.repeat(64)}`],
  ['['.repeat(1_000_000), `json-depth 1:65 ${'/0'.repeat(64)}`],
  [`"${'x'.repeat(1_048_574)}"`],
  [`"${'x'.repeat(1_048_575)}"`, 'document-too-large -'],
  ['[NaN,-Infinity]', 'json-form/literal 1:2 /0', 'json-form/number 1:6 /1'],
  ['[Infinity,True]', 'json-form/literal 1:2 /0', 'json-form/literal 1:11 /1'],
  ['[None,undefined]', 'json-form/literal 1:2 /0', 'json-form/literal 1:7 /1'],
  [
    '[01,+1,.5,1.,0x1F,1e]',
    ...[2, 5, 8, 11, 14, 19].map((column, at) => `json-form/number 1:${column} /${at}`),
  ],
  ['{} x', 'json-form/trailing-text 1:4'],
  ['{"a":[1,],}', 'json-form/trailing-comma 1:8 /a', 'json-form/trailing-comma 1:10'],
  ['{ // one\n"a":1 /* two */}', 'json-form/comment 1:3', 'json-form/comment 2:7'],
  ['{"a":[1,2', 'json-truncated 1:10 /a'],
  ['{"a":"b', 'json-truncated 1:8 /a'],
  ['{"a":tru', 'json-truncated 1:9 /a'],
  ['{"a":1 "b":2}', 'json-syntax 1:8'],
  ["{'a':1}", 'json-syntax 1:2'],
  ['["a\tb\nc"]', ...[4, 6].map((at) => `json-form/control-character 1:${at} /0`)],
  ['["\\x \\u12 \\u00g0"]', ...[3, 6, 11].map((at) => `json-form/escape 1:${at} /0`)],
  [
    '{"a":NaN,"a":01,\r\n"b":[1e999,]}',
    'json-form/literal 1:6 /a',
    'json-duplicate-name 1:10 /a',
    'json-form/number 1:14 /a',
    'json-number-range/double 2:6 /b/0',
    'json-form/trailing-comma 2:11 /b',
  ],
]

describe('readDocument', () => {
  it.each(CASES)('finds all faults, each with its place: %#', (input, ...expected) => {
    expect(found(input)).toEqual(expected)
  })

  it('says where the first of two equal names is', () => {
    const document = readDocument(encode('{\n  "a": 1,\n  "a": 2\n}'), 'x.json')
    expect(document.ok ? [] : document.findings[0]?.args).toEqual({ name: 'a', line: 2, column: 3 })
  })

  it('stops after a hundred faults and says so', () => {
    const document = readDocument(encode(`[${'NaN,'.repeat(200)}1]`), 'x.json')
    if (document.ok) expect.fail('accepted')
    expect(document.findings).toHaveLength(101)
    expect(document.findings.at(-1)).toMatchObject({ code: 'json-more', severity: 'note' })
  })

  it('places values, names and what is missing', () => {
    const document = readDocument(encode('{\r\n  "a/b": {"~": [10, 20]}\r\n}'), 'x.json')
    if (!document.ok) expect.fail('unreadable')
    const place = { line: 2, column: 21, endLine: 2, endColumn: 23 }
    expect(document.positionAt('/a~1b/~0/1')).toEqual(place)
    expect(document.positionAt('/a~1b', 'name')).toMatchObject({ line: 2, column: 3, endColumn: 8 })
    expect(document.positionAt('/a~1b/missing')).toMatchObject({ line: 2, column: 10 })
    expect(document.positionAt('')).toMatchObject({ line: 1, column: 1, endLine: 3, endColumn: 2 })
  })
})

describe('canonicalize', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  it.each([
    ['NaN', { a: [Number.NaN] }, '/a/0'],
    ['Infinity', Number.POSITIVE_INFINITY, ''],
    ['undefined', { a: undefined }, '/a'],
    ['a bigint', [1n], '/0'],
    ['a lone surrogate', { a: '\ud800' }, '/a'],
    ['a lone surrogate in a name', { '\udfff': 1 }, '/\udfff'],
    ['a cycle', cycle, '/0'.repeat(64)],
  ])('refuses %s', (_name, input, pointer) => {
    const error = { name: 'ForeproofError', code: 'invalid-input', pointer }
    expect(() => canonicalize(input)).toThrow(expect.objectContaining(error))
  })

  it('does not take an escaped backslash for a surrogate', () => {
    expect(canonicalize('\\ud800')).toBe('"\\\\ud800"')
  })
})

describe('the canonical form', () => {
  it('of a canonical form is that form, for every number', () => {
    fc.assert(
      fc.property(numbers, (number) => {
        const text = canonicalize([number])
        const document = readDocument(encode(text), 'x.json')
        expect(document.ok && canonicalize(document.value)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('has the one spelling in which an integer beyond 2^53 is read', () => {
    const beyond = fc.bigInt({ min: 2n ** 53n, max: 10n ** 22n })
    fc.assert(
      fc.property(beyond, (integer) => {
        const isCanonical = canonicalize(Number(integer)) === String(integer)
        expect(readDocument(encode(String(integer)), 'x.json').ok).toBe(isCanonical)
      }),
      { numRuns: 1000 },
    )
  })
})

/** Texts that I-JSON allows: no lone surrogate, no noncharacter. */
const characters = fc
  .string({ unit: 'binary', maxLength: 12 })
  .filter((text) => !/\p{Surrogate}|\p{Noncharacter_Code_Point}/u.test(text))
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e23, max: 1e23, noNaN: true }).map(Math.round),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    characters,
    numbers,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(characters, fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
  ),
}))

const edits = fc.array(
  fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\u0e-+.1 \n/tNd8')),
  { minLength: 1, maxLength: 4 },
)

function damaged(text: string, changes: readonly (readonly [number, number, string])[]): string {
  return changes.reduce((before, [at, cut, put]) => {
    const from = at % (before.length + 1)
    return before.slice(0, from) + put + before.slice(from + cut)
  }, text)
}

/** Pieces of which two equal names, hidden characters and numbers beyond a double are soon made. */
const pieces = fc.array(
  fc.constantFrom(
    ...String.raw`{ } [ ] , : "a" "a": "\u0061": "\"a\":" "\ud800" "\ud83d\ude00" "\uFFFF"`.split(
      ' ',
    ),
    ...'1e20 1e400 -1e-400 0.5e-99 9007199254740993 9007199254740993.0 0 -0'.split(' '),
    ...['null', '"__proto__":', '"a" :', ' ', '\n', '"\ufdd0"', `0.${'0'.repeat(330)}1`],
  ),
  { maxLength: 12 },
)

describe('reader', () => {
  it('reads all that JSON.stringify writes, as JSON.parse does, however it is indented', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('', '  ', '\t'), (json, indent) => {
        const text = JSON.stringify(json, null, indent)
        const document = readDocument(encode(text), 'x.json')
        expect(document.ok && document.value).toStrictEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['damaged texts', fc.tuple(value, edits).map(([json, e]) => damaged(JSON.stringify(json), e))],
    ['texts from pieces', pieces.map((parts) => parts.join(''))],
    ['objects from pieces', pieces.map((parts) => `{"b":[${parts.join('')}]}`)],
  ])('agrees with JSON.parse on %s: what it accepts, JSON.parse accepts alike', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        if (/\p{Surrogate}/u.test(text)) return
        const document = readDocument(encode(text), 'x.json')
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {
          expect(document.ok).toBe(false)
          return
        }
        if (document.ok) expect(document.value).toStrictEqual(parsed)
        else expect(document.findings.every((f) => ONLY_I_JSON.has(f.code))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const document = readDocument(bytes, 'x.json')
        if (!document.ok) expect(document.findings.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  it('places every value where its text is', () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json, null, 2)
        const document = readDocument(encode(text), 'x.json')
        if (!document.ok) expect.fail('unreadable')
        const lines = text.split('\n')
        for (const pointer of pointers(document.value)) {
          const { line, column, endLine = 0, endColumn = 0 } = document.positionAt(pointer)
          const slice = lines.slice(line - 1, endLine)
          slice[slice.length - 1] = (slice.at(-1) as string).slice(0, endColumn - 1)
          const source = slice.join('\n').slice(column - 1)
          expect(JSON.parse(source)).toStrictEqual(valueAt(document.value, pointer))
        }
      }),
      { numRuns: 100 },
    )
  })
})

const ONLY_I_JSON = new Set(['json-duplicate-name', 'json-number-range', 'json-character'])

function pointers(json: unknown, prefix = ''): string[] {
  if (typeof json !== 'object' || json === null) return [prefix]
  const below = Object.entries(json).flatMap(([name, child]) =>
    pointers(child, `${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [prefix, ...below]
}

describe('canonical form', () => {
  it('equals that of the canonicalize package, and is a fixed point of reading and writing', () => {
    fc.assert(
      fc.property(value, (json) => {
        const once = canonicalize(json)
        expect(once).toBe(canonicalizeOracle(json))
        const document = readDocument(encode(once), 'x.json')
        expect(document.ok && canonicalize(document.value)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it('gives a digest that member order does not move', () => {
    fc.assert(
      fc.property(fc.dictionary(characters, value, { maxKeys: 6 }), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse())
        const digest = digestWithout(object, 'sha')
        expect(digestWithout({ ...reversed, sha: digest }, 'sha')).toBe(
          Object.hasOwn(object, 'sha') ? digestWithout(object, 'sha') : digest,
        )
        expect(sha256Hex(canonicalize(object)) === digest).toBe(!Object.hasOwn(object, 'sha'))
      }),
    )
  })
})
