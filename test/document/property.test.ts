import canonicalizeOracle from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueAt } from '../../src/contract/pointer.js'
import { canonicalize } from '../../src/document/canonical.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { readDocument } from '../../src/document/read.js'

const encode = (text: string) => new TextEncoder().encode(text)

/** Texts that I-JSON allows: no lone surrogate, no noncharacter. */
const characters = fc
  .string({ unit: 'binary', maxLength: 12 })
  .filter((text) => !/\p{Surrogate}|\p{Noncharacter_Code_Point}/u.test(text))
const numbers = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n))
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
          const { line, column, endLine = 0, endColumn = 0 } = document.positionOf(pointer)
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
