import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { readDocument } from '../../src/document/read.js'

const vectors = new URL('../../../shared/vectors/', import.meta.url)
const jcs = new URL('jcs/', vectors)
const suite = new URL('jsontestsuite/test_parsing/', vectors)

const NONCHARACTER = 'RFC 7493 section 2.1: strings must not include noncharacters'
const DUPLICATE = 'RFC 7493 section 2.3: objects must not have members with duplicate names'

/** Valid RFC 8259 texts that RFC 7493 forbids. */
const FORBIDDEN_BY_I_JSON: Readonly<Record<string, string>> = {
  'y_object_duplicated_key.json': DUPLICATE,
  'y_object_duplicated_key_and_value.json': DUPLICATE,
  'y_string_escaped_noncharacter.json': NONCHARACTER,
  'y_string_last_surrogates_1_and_2.json': NONCHARACTER,
  'y_string_nonCharacterInUTF-8_U+10FFFF.json': NONCHARACTER,
  'y_string_nonCharacterInUTF-8_U+FFFF.json': NONCHARACTER,
  'y_string_unicode_U+10FFFE_nonchar.json': NONCHARACTER,
  'y_string_unicode_U+1FFFE_nonchar.json': NONCHARACTER,
  'y_string_unicode_U+FDD0_nonchar.json': NONCHARACTER,
  'y_string_unicode_U+FFFE_nonchar.json': NONCHARACTER,
}

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
    const hex = readFileSync(
      new URL(`testdata/outhex/${name.replace('.json', '.txt')}`, jcs),
      'utf8',
    )
    expect(Buffer.from(canonicalize(document.value)).toString('hex')).toBe(hex.replace(/\s/g, ''))
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

  it('accepts every y_ file but those that I-JSON forbids', () => {
    const refused = names.filter((name) => name.startsWith('y_') && !read(suite, name).ok)
    expect(refused.sort()).toEqual(Object.keys(FORBIDDEN_BY_I_JSON).sort())
  })

  it('reads the y_ files as JSON.parse does', () => {
    for (const name of names.filter((n) => n.startsWith('y_') && !(n in FORBIDDEN_BY_I_JSON))) {
      const document = read(suite, name)
      const text = readFileSync(new URL(encodeURIComponent(name), suite), 'utf8')
      expect(document.ok && document.value, name).toStrictEqual(JSON.parse(text))
    }
  })

  it('refuses every n_ file with a place', () => {
    for (const name of names.filter((n) => n.startsWith('n_'))) {
      const document = read(suite, name)
      if (document.ok) expect.fail(`${name} was accepted`)
      expect(document.findings.length, name).toBeGreaterThan(0)
    }
  })

  it('neither crashes on nor silently repairs the i_ files', () => {
    for (const name of names.filter((n) => n.startsWith('i_'))) {
      const document = read(suite, name)
      if (document.ok) {
        const text = readFileSync(new URL(encodeURIComponent(name), suite), 'utf8')
        expect(document.value, name).toStrictEqual(JSON.parse(text))
      }
    }
  })
})
