import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cosign, cosignaturesBy, mergedNote, noteOf } from '../../src/log/cosignature.js'
import { readNote, type SignedNote, signNote } from '../../src/log/note.js'
import { KEY_TYPE, readVerifierKey, verifierKey } from '../../src/log/verifier-key.js'

// A checkpoint with two cosignatures of real devices, from the documentation of transparency-dev/witness.
const LINES = [
  '— pixel_transparency_log csh42zBFAiAd3Y1FwqNTt5RglY0uG7heC6Yu1gEbXXPYmZ7LdOILMAIhAIt68PnR/3TADAaC7hvrSHbpziV7TmpIwOUydLmcjyTQ\n',
  '— ArmoredWitness-small-breeze nRq5UQAAAABnoqrsRIofXn68vTohcAm2KG4ACGyRPNePUk02BSWD0WKV5ElejTk5Z+Tm3GmJ5j/etA+fkL9XuaQsnTyZbr437sF4AQ==\n',
  '— ArmoredWitness-autumn-wood qZb5XQAAAABnoqrl57G9CblEl3lwwuqzbaJvVMqNiZCbYZseYT1YZHYmls3CmT1wxZ1fNgM4RxHuUxjAwcI2ghTx6R5aCg+L0DGPBA==\n',
] as const
const BODY = `developers.google.com/android/binary_transparency/0
611
2GZ1zmS5VkfUZmn2ZyR4KZXwHLD+xnwBIWzql/cD50w=
`
const NOTE = `${BODY}\n${LINES.join('')}`
const WITNESSES = [
  ['ArmoredWitness-small-breeze', 'AQAWYpUjfGGPQiWOgt6sLWap0P9rVOe+Ofu2uNZbO4FD', 1_738_713_836],
  ['ArmoredWitness-autumn-wood', 'AesIVCbad7gbU07JnA6YfZD0qg4B1c8xF4ISdnt9vjip', 1_738_713_829],
] as const
const NOW = 1_738_720_000

const keyOf = (name: string, raw: Buffer) => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  return verifierKey(name, createPublicKey({ key, format: 'jwk' }), KEY_TYPE.cosignature)
}
const rawOf = (encoded: string) => Buffer.from(encoded, 'base64').subarray(1)
const note = (text: string) => readNote(text) as SignedNote
const holds = (text: string | undefined, name: string, raw: Buffer, now = NOW) => {
  const read = text === undefined ? undefined : readNote(text)
  return read !== undefined && cosignaturesBy(read, keyOf(name, raw), now).sound.length > 0
}
/** With one bit changed. */
const flipped = (bytes: Buffer, bit: number) => {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

describe('a cosignature', () => {
  it.each(WITNESSES)('of %s is verified', (name, encoded, time) => {
    const found = cosignaturesBy(note(NOTE), keyOf(name, rawOf(encoded)), NOW)
    const line = LINES.find((each) => each.includes(name))
    expect(found).toEqual({ sound: [{ line, time }], unsound: false })
  })

  it.each(WITNESSES)('of %s: 200 changes of each part, none is accepted', (name, encoded) => {
    const raw = rawOf(encoded)
    const line = LINES.find((each) => each.includes(name))!
    const payload = Buffer.from(line.trim().split(' ')[2]!, 'base64')
    const changed = (bytes: Buffer, body = BODY) =>
      `${body}\n— ${name} ${bytes.toString('base64')}\n`
    expect(holds(changed(payload), name, raw)).toBe(true)
    const bits = Array.from({ length: 200 }, (_, at) => at)
    const body = Buffer.from(BODY)
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
    const own = verifierKey('w', pair.privateKey, KEY_TYPE.cosignature)
    const { id } = verifierKey('w', pair.privateKey, KEY_TYPE.note)
    const sound = (text: string) => cosignaturesBy(note(text), own, NOW).sound.length
    const { line } = cosign(BODY, 'w', pair.privateKey, NOW)
    expect(sound(`${BODY}\n${line}`)).toBe(1)
    const payload = Buffer.from(line.split(' ')[2]!, 'base64')
    const typed = Buffer.concat([id, payload.subarray(4)]).toString('base64')
    expect(sound(`${BODY}\n— w ${typed}\n`)).toBe(0)
    expect(sound(`${BODY}\n${cosign(BODY, 'w', pair.privateKey, 0).line}`)).toBe(0)
    const plain = signNote(BODY, 'w', pair.privateKey)
    const signature = Buffer.from(plain.trim().split(' ').at(-1)!, 'base64').subarray(4)
    const without = Buffer.concat([own.id, payload.subarray(4, 12), signature])
    expect(sound(`${BODY}\n— w ${without.toString('base64')}\n`)).toBe(0)
  })

  it('is kept with the note: the earliest and the latest of each key', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const signed = signNote(BODY, 'developers', privateKey)
    const at = (time: number) => cosign(BODY, 'w', privateKey, time).line
    const [a, b, c] = [at(NOW - 20), at(NOW - 10), at(NOW)]
    const merged = (before: string, lines: readonly string[]) =>
      mergedNote(before, noteOf(BODY, lines))
    const both = merged(signed, [b, LINES[1]])
    expect(both).toBe(`${signed}${b}${LINES[1]}`)
    expect(merged(both, [c, a, b])).toBe(`${signed}${a}${c}${LINES[1]}`)
    expect(merged(both, [])).toBe(both)
    expect(merged(BODY, [])).toBe(BODY)
    expect(merged(BODY, [a])).toBe(`${BODY}\n${a}`)
    expect(mergedNote(both, noteOf(BODY.replace('611', '612'), [a]))).toBe(both)
    const many = Array.from({ length: 101 }, (_, n) => cosign(BODY, `w${n}`, privateKey, NOW).line)
    expect(merged(BODY, many.slice(0, 100))).toBe(noteOf(BODY, many.slice(0, 100)))
    expect(merged(both, many.slice(0, 99))).toBe(both)
  })

  it('has a key in one form only', () => {
    const { text } = keyOf(WITNESSES[0][0], rawOf(WITNESSES[0][1]))
    expect(text).toMatch(/^ArmoredWitness-small-breeze\+9d1ab951\+BAAW/)
    expect(readVerifierKey(text, KEY_TYPE.cosignature)?.text).toBe(text)
    expect(readVerifierKey(text, KEY_TYPE.note)).toBeUndefined()
    const mutants = Array.from(text, (_character, at) =>
      ['A', 'B', '+', ' ', ''].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
    ).flat()
    const others = mutants.filter((mutant) => mutant !== text)
    expect(others.length).toBeGreaterThan(200)
    expect(others.filter((one) => readVerifierKey(one, KEY_TYPE.cosignature))).toEqual([])
  })
})
