import { expect, test } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { formatUtc } from '../../src/contract/instant.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { BROKEN, GOOD, revoking } from './cases.js'
import { generalized, implicit, int, octets, oid, seq, set, text, time, yes } from './der-writer.js'
import { DATA, type MadeOptions, makeStamp } from './made.js'
import {
  digestOf,
  EXTENSION,
  hashAlgorithm,
  keyFor,
  makeCertificate,
  makeCrl,
} from './made-certificates.js'

const FILE = { file: 'example.tsr' }

async function outcome(options: MadeOptions, query?: Uint8Array) {
  const { token, data, anchor } = makeStamp(options)
  return verifyToken(token, data, [anchor], { ...FILE, query })
}

test.each(GOOD)('a stamp holds: %s', async (_, options) => {
  const result = await outcome(options)
  expect(result.findings).toEqual([])
  expect(result.ok).toBe(true)
})

test('what a stamp says is taken from it', async () => {
  const { token, data, anchor } = makeStamp({ genTime: '20261122100003.25Z' })
  const result = await verifyToken(token, data, [anchor], FILE)
  expect(result).toMatchObject({
    ok: true,
    stamp: {
      authority: 'example',
      anchorSha256: anchor.sha256,
      accuracy: 1_500_000,
      accuracyGiven: true,
      serial: '4d',
      policy: '1.2.3.4.1',
      imprint: 'SHA-256',
    },
  })
  expect(result.ok && formatUtc(result.stamp.genTime)).toBe('2026-11-22T10:00:03.250000Z')
})

test.each([
  ['20261122100003.0000001Z', '2026-11-22T10:00:03.000001Z'],
  ['20261122100003.1234567Z', '2026-11-22T10:00:03.123457Z'],
  ['20261122100003Z', '2026-11-22T10:00:03Z'],
])('a time of %s counts as %s, never as an earlier one', async (genTime, expected) => {
  const result = await outcome({ genTime })
  expect(result.ok && formatUtc(result.stamp.genTime)).toBe(expected)
})

test.each([
  [undefined, 0, false],
  [seq(), 0, true],
  [seq(int(60)), 60_000_000, true],
  [seq(implicit(1, Uint8Array.of(7))), 7, true],
])('accuracy %#', async (accuracy, micros, accuracyGiven) => {
  const result = await outcome({ accuracy })
  expect(result).toMatchObject({ ok: true, stamp: { accuracy: micros, accuracyGiven } })
})

test.each(BROKEN)('check $check: $what is $code', async ({ code, options }) => {
  const result = await outcome(options)
  expect(result.ok).toBe(false)
  expect(result.findings).toHaveLength(1)
  const [found] = result.findings
  expect(found).toMatchObject({ code, severity: 'error', file: 'example.tsr' })
  expect(formatMessage(found!).text).not.toMatch(/undefined|NaN|\[object/)
})

test('other bytes than those that were stamped are found', async () => {
  const { token, anchor } = makeStamp()
  const result = await verifyToken(token, Buffer.from('other'), [anchor], FILE)
  expect(result.findings).toMatchObject([{ code: 'stamp-imprint' }])
})

test('a stamp needs its anchor, not that of another authority', async () => {
  const key = keyFor('other root', 'P-256')
  const other = makeStamp({ root: { key, issuerKey: key } }).anchor
  const { token, data } = makeStamp()
  for (const anchors of [[], [other]]) {
    const { findings } = await verifyToken(token, data, anchors, FILE)
    expect(findings).toMatchObject([{ code: 'stamp-untrusted' }])
  }
})

test('a root whose signature over itself does not hold is no anchor', async () => {
  // The key of the root, so that all it signs holds; the file was signed with another one.
  const forged = { root: { issuerKey: keyFor('other root', 'P-256') } }
  expect((await outcome(forged)).findings).toMatchObject([
    { code: 'stamp-certificate', args: { fault: 'its signature over itself does not hold' } },
  ])
  // One that another certifies is no root: whose signature that is, the anchor does not say.
  const under = { root: { issuer: 'Above', issuerKey: keyFor('other root', 'P-256') } }
  expect((await outcome(under)).ok).toBe(true)
})

test('of two chains the one that holds counts', async () => {
  const key = keyFor('middle', 'P-256')
  const rootKey = keyFor('root', 'P-256')
  const over = makeCertificate({
    ...{ subject: 'Middle', issuer: 'Root', key, issuerKey: rootKey, serial: 9 },
    to: '20261101000000Z',
    extensions: [EXTENSION.authority()],
  })
  const result = await outcome({
    depth: 1,
    certificates: ([signer, middle]) => [over, middle!, signer!],
  })
  expect(result.ok).toBe(true)
})

test.each([
  [4, true],
  [5, false],
])('a chain of %i certificates between signer and anchor holds: %s', async (between, holds) => {
  const key = keyFor('between', 'P-256')
  const links = Array.from({ length: between }, (_, at) => {
    const isLast = at === between - 1
    return makeCertificate({
      ...{ subject: `Link ${at}`, key, serial: at + 20, extensions: [EXTENSION.authority()] },
      issuer: isLast ? 'Root' : `Link ${at + 1}`,
      issuerKey: isLast ? keyFor('root', 'P-256') : key,
    })
  })
  const result = await outcome({
    signer: { issuer: 'Link 0', issuerKey: key },
    certificates: ([signer]) => [signer!, ...links],
  })
  const codes = result.ok ? [] : result.findings.map(({ code }) => code)
  expect(codes).toEqual(holds ? [] : ['stamp-untrusted'])
})

test('certificates that all certify each other lead nowhere, and that is soon found', async () => {
  const key = keyFor('somebody else', 'P-256')
  const ring = Array.from({ length: 15 }, (_, serial) =>
    makeCertificate({
      ...{ subject: 'Ring', issuer: 'Ring', key, issuerKey: key, serial: serial + 10 },
      extensions: [EXTENSION.authority()],
    }),
  )
  const result = await outcome({
    signer: { issuer: 'Ring', issuerKey: key },
    certificates: ([signer]) => [signer!, ...ring],
  })
  expect(result.findings).toMatchObject([{ code: 'stamp-untrusted' }])
})

test('check 5: a file that is DER but no list is named', async () => {
  const named = { code: 'invalid-input', file: 'list-0.crl' }
  await expect(outcome({ crls: () => [int(5)] })).rejects.toMatchObject(named)
})

const emptyList: MadeOptions['crls'] = (rootKey) => [makeCrl({ key: rootKey })]
const othersList: MadeOptions['crls'] = (rootKey) => [makeCrl({ key: rootKey, issuer: 'Nobody' })]

test.each<[string, string, MadeOptions]>([
  ['good', 'a list without it', { crls: emptyList }],
  ['good', 'revoked later, in order', { crls: revoking(3, '20261201000000Z', 5) }],
  ['good', 'a list with another number', { crls: revoking(8, '20261101000000Z', 1) }],
  ['not_checked', 'no list', {}],
  ['not_checked', 'the list of another authority', { crls: othersList }],
  ['not_checked', 'a link without a list', { depth: 1, crls: emptyList }],
])('check 5: revocation is %s: %s', async (revocation, _, options) => {
  expect(await outcome(options)).toMatchObject({ ok: true, findings: [], stamp: { revocation } })
})

const UNUSED = {
  'ended before the stamp': (key) => makeCrl({ key, to: '20261101000000Z' }),
  'signed by SHA-1': (key) => makeCrl({ key, hash: 'SHA-1' }),
  'signed by another key': () => makeCrl({ key: keyFor('somebody else', 'P-256') }),
  'with an unknown critical extension': (key) =>
    makeCrl({ key, extensions: [EXTENSION.unknown(true)] }),
} satisfies Record<string, (key: Parameters<typeof makeCrl>[0]['key']) => Uint8Array>

test.each(Object.entries(UNUSED))('check 5: a list does not count: %s', async (_, list) => {
  expect(await outcome({ crls: (rootKey) => [list(rootKey)] })).toMatchObject({
    ok: true,
    findings: [{ code: 'stamp-crl-unused', severity: 'warning', file: 'example.tsr' }],
    stamp: { revocation: 'not_checked' },
  })
})

const NONCE = Uint8Array.of(0x81, 2, 3, 4, 5, 6, 7, 8)

test('check 7: the answer has the nonce of the request', async () => {
  const query = encodeQuery(DATA, NONCE)
  expect((await outcome({ nonce: NONCE }, query)).findings).toEqual([])
  for (const options of [{ nonce: NONCE.toReversed() }, {}]) {
    expect((await outcome(options, query)).findings).toMatchObject([{ code: 'stamp-query' }])
  }
})

test('check 7: the answer to a request for other bytes, or another policy', async () => {
  const other = encodeQuery(Buffer.from('other'), NONCE)
  const imprint = seq(hashAlgorithm('SHA-256'), octets(digestOf('SHA-256', DATA)))
  const asked = seq(int(1), imprint, oid('1.2.3.4.9'), int(NONCE), yes())
  for (const [query, says] of [
    [other, /^its imprint is /],
    [asked, /^its policy .* 1\.2\.3\.4\.9 /],
  ] as const) {
    const [found] = (await outcome({ nonce: NONCE }, query)).findings
    expect(found).toMatchObject({
      code: 'stamp-query',
      args: { fault: expect.stringMatching(says) },
    })
  }
})

test.each([
  ['nothing', new Uint8Array()],
  ['a page of a web server', Buffer.from('<!doctype html><title>404</title>')],
  ['a token without its answer', makeStamp().token.subarray(9)],
  ['a byte after its end', Buffer.concat([makeStamp().token, Uint8Array.of(0)])],
  ['a byte too few', makeStamp().token.subarray(0, -1)],
  ['a length that is not stated', Uint8Array.of(0x30, 0x80, 0x30, 3, 2, 1, 0, 0, 0)],
  ['a length in too many octets', Uint8Array.of(0x30, 0x81, 5, 0x30, 3, 2, 1, 0)],
  ['a number in too many octets', Uint8Array.of(0x30, 6, 0x30, 4, 2, 2, 0, 0)],
  ['a text in several parts', seq(seq(int(0), seq(Uint8Array.of(0x2c, 3, 0x0c, 1, 65))))],
  ['a deep nest', nested(200)],
  ['a length beyond all memory', Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff)],
  ['a large file', new Uint8Array(300_000)],
  ['a time', seq(seq(int(0)), time('20261122100003Z'), generalized('x'), set(text('')))],
])('bytes that are no stamp: %s', async (_, bytes) => {
  const { data, anchor } = makeStamp()
  const { ok, findings } = await verifyToken(bytes, data, [anchor], FILE)
  expect(ok).toBe(false)
  expect(findings).toMatchObject([{ code: 'stamp-malformed', file: 'example.tsr' }])
})

function nested(depth: number): Uint8Array {
  let value: Uint8Array = int(0)
  for (let at = 0; at < depth; at += 1) value = seq(value)
  return value
}
