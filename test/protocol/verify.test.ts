import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRest } from '../../src/contract/findings/finding-list.js'
import { parentPointer } from '../../src/contract/pointer.js'
import { canonicalize } from '../../src/document/canonical.js'
import { numberSpellings } from '../../src/document/positions.js'
import { type Document, readDocument } from '../../src/document/read.js'
import { checkProtocolDigest, computePythonDigest } from '../../src/protocol/rules/check.js'
import { compareDocuments, differenceFindings } from '../../src/protocol/rules/compare.js'
import { supersededFindings, verifyDocument, verifyLedger } from '../../src/protocol/verify.js'
import { argsOf } from '../contract/args-of.js'
import { ROOT } from '../support/run.js'
import { changed, documentOf, ownText, ownValue } from './sample.js'

const codes = (text: unknown) =>
  verifyDocument(documentOf(text)).map((finding) => `${finding.code} ${finding.pointer}`)

/** Every leaf of a JSON value. */
function leaves(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]]
  return Object.entries(value).flatMap(([key, child]) => leaves(child, `${pointer}/${key}`))
}

/** Another value of the same type. */
function otherThan(pointer: string, value: unknown): unknown {
  if (pointer === '/protocol_sha256') return 'f'.repeat(64)
  if (typeof value === 'string') return `${value}!`
  return typeof value === 'number' ? value + 0.5 : !value
}

/** What the format fixes, and the numbers it wants whole; a change there is a fault of form too. */
const FIXED =
  /^\/(schema_version|issue|status|horizons_hours|market\/(instrument|bar_)|pairing\/(key|same|statuses)|estimands\/point\/primary|estimands\/interval\/(separate|quantiles)|uncertainty\/(paired|block_length|replicates|seed|multiplicity\/(method|alpha))|sampling\/minimum_effective_sample\/(paired|effective)|immutability\/(post|score))/

it.each([
  [1, 2],
  [2, 3],
])('btcusd-hourly-%d has the successor %d, as the ledger beside it says', (version, by) => {
  const file = join(ROOT, 'protocols', `btcusd-hourly-${version}.json`)
  const document = readDocument(readFileSync(file), file) as Document
  const ledger = verifyLedger(join(ROOT, 'protocols'))
  const [found, ...more] = supersededFindings(document, ledger)
  expect(argsOf(found!)).toEqual({
    version: `btcusd-hourly-${version}`,
    by: `btcusd-hourly-${by}`,
  })
  expect([more, supersededFindings(document, undefined)]).toEqual([[], []])
})

describe('verify', () => {
  it('holds for the protocol of this repository', () => {
    expect(codes(ownText())).toEqual([])
  })

  it.each(leaves(ownValue()))('finds a change at %s', (pointer, value) => {
    const found = codes(changed({ [pointer]: otherThan(pointer, value) }))
    if (FIXED.test(pointer)) {
      const schema = found.filter((each) => !each.startsWith('digest-mismatch'))
      expect(schema).toHaveLength(1)
      const place = schema[0]?.split(' ')[1] as string
      expect([pointer, parentPointer(pointer)]).toContain(place)
      expect(found.at(-1)).toBe('digest-mismatch /protocol_sha256')
    } else expect(found).toEqual(['digest-mismatch /protocol_sha256'])
  })

  it('does not mind order, white space, line ends or the spelling of numbers and letters', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([k, v]) => [k, reversed(v)]),
          )
    expect(codes(reversed(ownValue()))).toEqual([])
    expect(codes(JSON.stringify(ownValue()))).toEqual([])
    expect(codes(ownText().replaceAll('\n', '\r\n'))).toEqual([])
    expect(codes(ownText().replace(': 200000', ': 2.0e5').replace(': 0.03', ': 3E-2'))).toEqual([])
    expect(codes(ownText().replaceAll('BTC', '\\u0042TC'))).toEqual([])
  })
})

/** Python 3.11: hashlib.sha256(json.dumps(json.loads(SOURCE), sort_keys=True, ...).encode()). */
const SOURCE = String.raw`{"z":1.0,"a":[1e-06,0.0001,123456789012345680.0,1e16,1.5,-0.0,-0,1E2,100,12345.678e-9],"\ue000":2,"\ud83d\ude00":3,"s":"\u2028 \u007f \u001f \" \\ \/ é \b\f\n\r\t","n":null,"t":true,"o":{}}`
const FROM_PYTHON = '1fecd90e046117109e8b807ab73a1f05f0aa9da23b1318737907d9f92fedd003'

function read(text: string) {
  const document = readDocument(new TextEncoder().encode(text), 'x.json')
  if (!document.ok) throw new Error(JSON.stringify(document.findings))
  return document
}

describe('computePythonDigest', () => {
  it('spells numbers and orders names as Python does', () => {
    const { value, text } = read(SOURCE)
    const found = computePythonDigest(value as object, 'absent', numberSpellings(text))
    expect(found.digest).toBe(FROM_PYTHON)
    expect(found.differing).toEqual(['/a/0', '/a/2', '/a/3', '/a/5', '/a/7', '/a/9', '/z'])
  })

  it('is named as the reason of a mismatch, with the numbers', () => {
    const body = '"a":1.0,"b":{"c":1e-06,"d":0.5}'
    // sha256 of {"a":1.0,"b":{"c":1e-06,"d":0.5}}, which is what Python dumps.
    const digest = '89276432d30de68a20ee316ac065193d67897f20758a881b7a70ff84e26d25aa'
    const [finding] = checkProtocolDigest(read(`{${body},"protocol_sha256":"${digest}"}`))
    expect(finding).toMatchObject({
      code: 'digest-mismatch',
      pointer: '/protocol_sha256',
      args: { python: ['/a', '/b/c'] },
    })
  })

  it('is no reason when something else was changed too', () => {
    const body = '"a":1.0,"protocol_sha256":"' + '0'.repeat(64) + '"'
    const [finding] = checkProtocolDigest(read(`{${body}}`))
    expect(argsOf(finding).python).toBe(null)
  })
})

/** `kind pointer direction` of every difference between the own protocol and a changed copy. */
// biome-ignore lint/suspicious/noExplicitAny: tests bend it out of shape on purpose
function differences(change: (protocol: any) => void): string[] {
  const protocol = ownValue()
  change(protocol)
  return compareDocuments(ownValue(), protocol).map(({ kind, pointer, direction }) =>
    [kind, pointer, direction].filter(Boolean).join(' '),
  )
}

describe('compareDocuments', () => {
  it.each([
    ['/uncertainty/replicates', 100, 'loosens'],
    ['/uncertainty/replicates', 1_000_000, 'tightens'],
    ['/uncertainty/block_length_origins', 12, 'loosens'],
    ['/uncertainty/multiplicity/alpha', 0.01, 'tightens'],
    ['/sampling/minimum_effective_sample/paired_origins_per_horizon', 1, 'loosens'],
    [
      '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison',
      99,
      'tightens',
    ],
    ['/design/practical_effect_floor', 0, 'loosens'],
    ['/uncertainty/seed', 7, ''],
  ])('%s to %d %s', (pointer, value, direction) => {
    const found = compareDocuments(ownValue(), changed({ [pointer]: value }))
    expect(found).toMatchObject([{ kind: 'changed', pointer }])
    expect(found[0]?.direction ?? '').toBe(direction)
  })

  it('distinguishes lists of names by what is in them', () => {
    const at = '/estimands/comparisons/required'
    expect(differences((p) => p.estimands.comparisons.required.splice(1, 1))).toEqual([
      `removed ${at}/1 loosens`,
    ])
    expect(differences((p) => p.estimands.comparisons.required.push('x'))).toEqual([
      `added ${at}/5 tightens`,
    ])
    expect(differences((p) => p.estimands.comparisons.required.reverse())).toEqual([
      `reordered ${at}`,
    ])
  })

  it('names members that came, went and were renamed', () => {
    const found = differences((p) => {
      p.market['a/b'] = 1
      delete p.market.outcome
    })
    expect(found).toEqual(['removed /market/outcome', 'added /market/a~1b'])
  })

  it('compares lists of numbers item by item, and says when their lengths differ', () => {
    expect(differences((p) => p.horizons_hours.splice(0, 1, 1))).toEqual([
      'changed /horizons_hours/0',
    ])
    expect(differences((p) => p.horizons_hours.push(32))).toEqual(['changed /horizons_hours'])
  })

  it('finds nothing exactly when the canonical forms are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonicalize(a) === canonicalize(b)
        expect(compareDocuments(a, b).length === 0).toBe(same)
        expect(compareDocuments(a, structuredClone(a))).toEqual([])
      }),
    )
  })

  it('shows of long texts where they part', () => {
    const text = 'x'.repeat(300)
    const [finding] = differenceFindings(compareDocuments({ a: `${text}1` }, { a: `${text}2` }))
    expect(argsOf(finding).from).toContain('1')
    expect(argsOf(finding).to).toContain('2')
    expect(String(argsOf(finding).from).length).toBeLessThan(70)
  })

  it.each([
    ['a zero-width space', 'seer', 'se\u200ber', '"se\\u{200b}er"'],
    ['a no-break space', 'a b', 'a\u00a0b', '"a\\u{a0}b"'],
    ['a mark that turns the direction', 'ab', 'a\u202eb', '"a\\u{202e}b"'],
    ['a Cyrillic letter', 'seer', 's\u0435er', '"s\\u{435}er"'],
    ['a Greek letter', 'Alpha', '\u0391lpha', '"\\u{391}lpha"'],
    ['an accent that was there before', 'caf\u00e9 1', 'caf\u00e9 2', '"caf\u00e9 2"'],
  ])('shows %s by its code point where only one text has it', (_, from, to, shown) => {
    const [changed] = differenceFindings(compareDocuments({ a: from }, { a: to }))
    expect(argsOf(changed)).toMatchObject({ from: JSON.stringify(from), to: shown })
  })
})

it('counts hundreds of thousands of faults of one document, of one kind and of several', () => {
  const faulty = (member: string, value: unknown) =>
    verifyDocument(documentOf(JSON.stringify({ schema_version: 2, [member]: value })))
  for (const findings of [
    faulty('horizons', Array(200_000).fill(1)),
    faulty('series', Array(70_000).fill({ x: 1 })),
  ]) {
    expect(findings.length).toBeLessThan(10_010)
    const count = findings.reduce((sum, each) => sum + (readRest(each)?.count ?? 1), 0)
    expect(count).toBeGreaterThan(130_000)
  }
})
