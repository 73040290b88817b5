import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatCheckpoint, parseCheckpoint } from '../../src/log/checkpoint.js'
import {
  appendSignatures,
  cosign,
  mergeNotes,
  verifyCosignatures,
} from '../../src/log/cosignature.js'
import { isSignedBy, parseNote, type SignedNote, signNote } from '../../src/log/note.js'
import { isKeyName, KEY_TYPE, parseVerifierKey, toVerifierKey } from '../../src/log/verifier-key.js'

// Keys and notes of golang.org/x/mod/sumdb/note, where the format comes from.
const TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`
const PETER_SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
const PETER_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const PETER =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'
const ENOCH =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n'
const SIGNED = `${TEXT}\n${PETER}`

// PKCS#8 of an Ed25519 key (RFC 8410) is this, and its seed.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const pkcs8 = { key: Buffer.concat([PKCS8, PETER_SEED]), format: 'der', type: 'pkcs8' } as const
const peter = createPrivateKey(pkcs8)
const peterPublic = createPublicKey(peter)
const note = (text: string) => parseNote(text) as SignedNote

describe('a signed note', () => {
  it('is that of the Go implementation, byte for byte', () => {
    expect(signNote(TEXT, 'PeterNeumann', peter)).toBe(SIGNED)
    expect(toVerifierKey('PeterNeumann', peterPublic).text).toBe(PETER_KEY)
  })

  it('is verified, alone and beside signatures of others', () => {
    for (const text of [SIGNED, `${TEXT}\n${PETER}${ENOCH}`, `${TEXT}\n${ENOCH}${PETER}`]) {
      expect(note(text).body).toBe(TEXT)
      expect(isSignedBy(note(text), 'PeterNeumann', peterPublic)).toBe(true)
    }
  })

  it.each([
    ['by another', `${TEXT}\n${ENOCH}`],
    ['under another name', SIGNED.replace('PeterNeumann', 'PeterNewmann')],
    ['with another key id', SIGNED.replace('x08g', 'x18g')],
    ['of another text', SIGNED.replace('your', 'our')],
    ['with a signature that is wrong', SIGNED.replace('/ZJk', '/ZJl')],
    ['with a wrong signature beside the right one', SIGNED + PETER.replace('/ZJk', '/ZJl')],
    ['without any signature', TEXT],
  ])('is not by a key: %s', (_what, text) => {
    expect(isSignedBy(note(text), 'PeterNeumann', peterPublic)).toBe(false)
  })

  it.each([
    ['without a signature after the blank line', `${TEXT}\n`],
    ['cut', SIGNED.slice(0, -1)],
    ['with a control character', `\u0001${SIGNED}`],
    ['with a carriage return', SIGNED.replace('\n', '\r\n')],
    ['that is no UTF-8', Buffer.concat([Buffer.of(0xff), Buffer.from(SIGNED)])],
    ['with a space in a name', SIGNED.replace('PeterNeumann', 'Peter Neumann')],
    ['with a plus in a name', SIGNED.replace('PeterNeumann', 'Peter+Neumann')],
    ['with a line that is no signature', `${SIGNED}Unexpected line.\n`],
    ['with base64 that is none', SIGNED.replace('x08g', 'x08!')],
    ['with a signature of no bytes', `${TEXT}\n— PeterNeumann x08goA==\n`],
    ['with too many signatures', `${TEXT}\n${PETER.repeat(101)}`],
    ['that is too long', `${'x'.repeat(131_072)}\n`],
  ])('is refused: %s', (_what, text) => {
    expect(parseNote(text)).toBeUndefined()
  })

  it('asks for a key of Ed25519 and for a name', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(() => signNote(TEXT, 'a', rsa.privateKey)).toThrow(/Ed25519/)
    expect(() => signNote(TEXT, 'a', peterPublic)).toThrow(/Ed25519/)
    expect(() => isSignedBy(note(SIGNED), 'a', rsa.publicKey)).toThrow(/Ed25519/)
    expect(() => isSignedBy(note(SIGNED), 'a', peter)).toThrow(/Ed25519/)
    expect(() => signNote(TEXT, 'a b', peter)).toThrow(/"a b"/)
    expect(['', 'a+b', 'a\tb', 'a\u00a0b', 'x'.repeat(201)].filter(isKeyName)).toEqual([])
    expect(['example.org/forecasts', 'ö'].filter(isKeyName)).toHaveLength(2)
  })
})

// The example of C2SP tlog-checkpoint.
const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='
const BODY = `example.com/behind-the-sofa\n20852163\n${ROOT}\n`
const EXAMPLE = `${BODY}
— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`

describe('a checkpoint', () => {
  it('is read and written as C2SP tlog-checkpoint says', () => {
    const read = parseCheckpoint(EXAMPLE)
    const origin = 'example.com/behind-the-sofa'
    expect(read).toMatchObject({ origin, size: 20_852_163, body: BODY })
    expect(read?.signatures).toHaveLength(1)
    expect(read && formatCheckpoint(read)).toBe(BODY)
  })

  it('need not be signed, and may have further lines, which belong to what is signed', () => {
    expect(parseCheckpoint(BODY)).toMatchObject({ size: 20_852_163, signatures: [] })
    expect(parseCheckpoint(`${BODY}more\n`)?.body).toBe(`${BODY}more\n`)
    expect(parseCheckpoint(BODY.replace('20852163', '0'))?.size).toBe(0)
  })

  it.each([
    ['no origin', BODY.replace('example.com/behind-the-sofa', '')],
    ['a size with a zero before it', BODY.replace('20852163', '020852163')],
    ['a size that is none', BODY.replace('20852163', '2e7')],
    ['a negative size', BODY.replace('20852163', '-1')],
    ['a size beyond all numbers', BODY.replace('20852163', '9007199254740992')],
    ['a root that is too short', BODY.replace(ROOT, ROOT.slice(4))],
    ['a root in another alphabet', BODY.replace('CsUY', '_sUY')],
    ['a root spelt in another way', BODY.replace('q2I=', 'q2J=')],
    ['two lines', BODY.slice(0, BODY.indexOf(ROOT))],
    ['an empty line in it', `${BODY}\nmore\n\n${EXAMPLE.split('\n\n')[1]}`],
    ['nothing', ''],
    ['a page of HTML', '<!doctype html>\n<title>404</title>\n'],
  ])('is none with %s', (_what, text) => {
    expect(parseCheckpoint(text)).toBeUndefined()
  })
})

// A checkpoint with two cosignatures of real devices, from the documentation of transparency-dev/witness.
const LINES = [
  '— pixel_transparency_log csh42zBFAiAd3Y1FwqNTt5RglY0uG7heC6Yu1gEbXXPYmZ7LdOILMAIhAIt68PnR/3TADAaC7hvrSHbpziV7TmpIwOUydLmcjyTQ\n',
  '— ArmoredWitness-small-breeze nRq5UQAAAABnoqrsRIofXn68vTohcAm2KG4ACGyRPNePUk02BSWD0WKV5ElejTk5Z+Tm3GmJ5j/etA+fkL9XuaQsnTyZbr437sF4AQ==\n',
  '— ArmoredWitness-autumn-wood qZb5XQAAAABnoqrl57G9CblEl3lwwuqzbaJvVMqNiZCbYZseYT1YZHYmls3CmT1wxZ1fNgM4RxHuUxjAwcI2ghTx6R5aCg+L0DGPBA==\n',
] as const
const COSIGNED = `developers.google.com/android/binary_transparency/0
611
2GZ1zmS5VkfUZmn2ZyR4KZXwHLD+xnwBIWzql/cD50w=
`
const NOTE = `${COSIGNED}\n${LINES.join('')}`
const WITNESSES = [
  ['ArmoredWitness-small-breeze', 'AQAWYpUjfGGPQiWOgt6sLWap0P9rVOe+Ofu2uNZbO4FD', 1_738_713_836],
  ['ArmoredWitness-autumn-wood', 'AesIVCbad7gbU07JnA6YfZD0qg4B1c8xF4ISdnt9vjip', 1_738_713_829],
] as const
const NOW = 1_738_720_000

const keyOf = (name: string, raw: Buffer) => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  return toVerifierKey(name, createPublicKey({ key, format: 'jwk' }), KEY_TYPE.cosignature)
}
const rawOf = (encoded: string) => Buffer.from(encoded, 'base64').subarray(1)
const holds = (text: string | undefined, name: string, raw: Buffer, now = NOW) => {
  const read = text === undefined ? undefined : parseNote(text)
  return read !== undefined && verifyCosignatures(read, keyOf(name, raw), now).sound.length > 0
}
/** With one bit changed. */
const flipped = (bytes: Buffer, bit: number) => {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

describe('a cosignature', () => {
  it.each(WITNESSES)('of %s is verified', (name, encoded, time) => {
    const found = verifyCosignatures(note(NOTE), keyOf(name, rawOf(encoded)), NOW)
    const line = LINES.find((each) => each.includes(name))
    expect(found).toEqual({ sound: [{ line, time }], unsound: false })
  })

  it.each(WITNESSES)('of %s: 200 changes of each part, none is accepted', (name, encoded) => {
    const raw = rawOf(encoded)
    const line = LINES.find((each) => each.includes(name))!
    const payload = Buffer.from(line.trim().split(' ')[2]!, 'base64')
    const changed = (bytes: Buffer, body = COSIGNED) =>
      `${body}\n— ${name} ${bytes.toString('base64')}\n`
    expect(holds(changed(payload), name, raw)).toBe(true)
    const bits = Array.from({ length: 200 }, (_, at) => at)
    const body = Buffer.from(COSIGNED)
    expect(bits.filter((bit) => holds(NOTE, name, flipped(raw, bit)))).toEqual([])
    expect(bits.filter((bit) => holds(changed(flipped(payload, bit)), name, raw))).toEqual([])
    const last = payload.length * 8 - 200
    const held = bits.filter((bit) => holds(changed(flipped(payload, last + bit)), name, raw))
    expect(held).toEqual([])
    const texts = bits.map((bit) => flipped(body, bit * 4 + (bit & 3)).toString('latin1'))
    expect(texts.filter((text) => holds(changed(payload, text), name, raw))).toEqual([])
  })

  it('does not hold with the payload of another, another time, a line left out of what is signed, or the id of type 1', () => {
    const [[name, encoded], [other]] = WITNESSES
    const raw = rawOf(encoded)
    const exchanged = NOTE.replace(name, '?').replace(other, name).replace('?', other)
    expect(holds(exchanged, name, raw)).toBe(false)
    expect(holds(NOTE, name, raw, 1_738_713_836 - 301)).toBe(false)
    expect(holds(NOTE, name, raw, 1_738_713_836 - 300)).toBe(true)
    const pair = generateKeyPairSync('ed25519')
    const own = toVerifierKey('w', pair.privateKey, KEY_TYPE.cosignature)
    const { id } = toVerifierKey('w', pair.privateKey, KEY_TYPE.note)
    const sound = (text: string) => verifyCosignatures(note(text), own, NOW).sound.length
    const { line } = cosign(COSIGNED, 'w', pair.privateKey, NOW)
    expect(sound(`${COSIGNED}\n${line}`)).toBe(1)
    const payload = Buffer.from(line.split(' ')[2]!, 'base64')
    const typed = Buffer.concat([id, payload.subarray(4)]).toString('base64')
    expect(sound(`${COSIGNED}\n— w ${typed}\n`)).toBe(0)
    expect(sound(`${COSIGNED}\n${cosign(COSIGNED, 'w', pair.privateKey, 0).line}`)).toBe(0)
    const plain = signNote(COSIGNED, 'w', pair.privateKey)
    const signature = Buffer.from(plain.trim().split(' ').at(-1)!, 'base64').subarray(4)
    const without = Buffer.concat([own.id, payload.subarray(4, 12), signature])
    expect(sound(`${COSIGNED}\n— w ${without.toString('base64')}\n`)).toBe(0)
  })

  it('is kept with the note: the earliest and the latest of each key', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const signed = signNote(COSIGNED, 'developers', privateKey)
    const at = (time: number) => cosign(COSIGNED, 'w', privateKey, time).line
    const [a, b, c] = [at(NOW - 20), at(NOW - 10), at(NOW)]
    const merged = (before: string, lines: readonly string[]) =>
      mergeNotes(before, appendSignatures(COSIGNED, lines))
    const both = merged(signed, [b, LINES[1]])
    expect(both).toBe(`${signed}${b}${LINES[1]}`)
    expect(merged(both, [c, a, b])).toBe(`${signed}${a}${c}${LINES[1]}`)
    expect(merged(both, [])).toBe(both)
    expect(merged(COSIGNED, [])).toBe(COSIGNED)
    expect(merged(COSIGNED, [a])).toBe(`${COSIGNED}\n${a}`)
    expect(mergeNotes(both, appendSignatures(COSIGNED.replace('611', '612'), [a]))).toBe(both)
    const many = Array.from(
      { length: 101 },
      (_, n) => cosign(COSIGNED, `w${n}`, privateKey, NOW).line,
    )
    expect(merged(COSIGNED, many.slice(0, 100))).toBe(
      appendSignatures(COSIGNED, many.slice(0, 100)),
    )
    expect(merged(both, many.slice(0, 99))).toBe(both)
  })

  it('has a key in one form only', () => {
    const { text } = keyOf(WITNESSES[0][0], rawOf(WITNESSES[0][1]))
    expect(text).toMatch(/^ArmoredWitness-small-breeze\+9d1ab951\+BAAW/)
    expect(parseVerifierKey(text, KEY_TYPE.cosignature)?.text).toBe(text)
    expect(parseVerifierKey(text, KEY_TYPE.note)).toBeUndefined()
    const mutants = Array.from(text, (_character, at) =>
      ['A', 'B', '+', ' ', ''].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
    ).flat()
    const others = mutants.filter((mutant) => mutant !== text)
    expect(others.length).toBeGreaterThan(200)
    expect(others.filter((one) => parseVerifierKey(one, KEY_TYPE.cosignature))).toEqual([])
  })
})
