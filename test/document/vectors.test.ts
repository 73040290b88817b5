import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { readDocument } from '../../src/document/read.js'

const vectors = new URL('../../../shared/vectors/', import.meta.url)
const jcs = new URL('jcs/', vectors)
const suite = new URL('jsontestsuite/test_parsing/', vectors)

/** Valid RFC 8259 texts that RFC 7493 forbids: names that are repeated (2.3), and noncharacters (2.1). */
const FORBIDDEN_BY_I_JSON = [
  'y_object_duplicated_key.json',
  'y_object_duplicated_key_and_value.json',
  'y_string_escaped_noncharacter.json',
  'y_string_last_surrogates_1_and_2.json',
  'y_string_nonCharacterInUTF-8_U+10FFFF.json',
  'y_string_nonCharacterInUTF-8_U+FFFF.json',
  'y_string_unicode_U+10FFFE_nonchar.json',
  'y_string_unicode_U+1FFFE_nonchar.json',
  'y_string_unicode_U+FDD0_nonchar.json',
  'y_string_unicode_U+FFFE_nonchar.json',
]

function read(folder: URL, name: string) {
  return readDocument(readFileSync(new URL(encodeURIComponent(name), folder)), name)
}

describe.runIf(existsSync(jcs))('RFC 8785 vectors', () => {
  const input = new URL('testdata/input/', jcs)
  it.each(existsSync(input) ? readdirSync(input) : [])('%s', (name) => {
    const document = read(input, name)
    if (!document.ok) expect.fail(JSON.stringify(document.findings))
    const expected = readFileSync(new URL(`testdata/output/${name}`, jcs))
    expect(Buffer.from(canonicalize(document.value)).equals(expected)).toBe(true)
  })

  it.each(['es6numbers_1000.txt', 'es6numbers_10000.txt'])('%s', (name) => {
    const bits = new DataView(new ArrayBuffer(8))
    const wrong: string[] = []
    for (const line of readFileSync(new URL(name, jcs), 'utf8').trim().split('\n')) {
      const [hex, expected] = line.split(',') as [string, string]
      bits.setBigUint64(0, BigInt(`0x${hex}`))
      if (canonicalize(bits.getFloat64(0)) !== expected) wrong.push(line)
    }
    expect(wrong).toEqual([])
  })
})

describe.runIf(existsSync(suite))('JSONTestSuite', () => {
  const names = existsSync(suite) ? readdirSync(suite) : []

  it('reads what it accepts as JSON.parse does: of y_ all that I-JSON allows, of n_ nothing', () => {
    const refused = names.filter((name) => {
      const document = read(suite, name)
      if (!document.ok) return document.findings.length > 0
      const text = readFileSync(new URL(encodeURIComponent(name), suite), 'utf8')
      expect(document.value, name).toStrictEqual(JSON.parse(text))
      return false
    })
    const of = (kind: string, all: readonly string[]) => all.filter((name) => name[0] === kind)
    expect(of('y', refused).sort()).toEqual(FORBIDDEN_BY_I_JSON)
    expect(of('n', refused)).toEqual(of('n', names))
  })
})
