import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { KeyRing, plainKey, Redactor } from '../../../src/service/keys/keys.js'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')

describe('keys', () => {
  it('differ by length, case and every character', () => {
    const ring = new KeyRing(['alpha', 'alphabet', 'x'.repeat(512)].map(plainKey), 'secret')
    const accepted = (key: string) => ring.identify(`Bearer ${key}`, NOW).accepted
    expect(['alpha', 'alphabet', 'x'.repeat(512)].map(accepted)).toEqual([true, true, true])
    const wrong = ['alph', 'alphab', 'Alpha', 'alphabets', 'x'.repeat(511), 'x'.repeat(513)]
    expect([...wrong, sha256('alpha')].map(accepted)).toEqual([...wrong, ''].map(() => false))
  })

  const forms = (key: string) => new KeyRing([plainKey('alpha')], 's').identify(key, NOW).accepted
  it.each(['Bearer alpha', 'bearer alpha', 'BEARER   alpha'])('open with %j', (header) => {
    expect(forms(header)).toBe(true)
  })
  it.each([
    ...['', 'Bearer', 'Basic alpha', 'alpha', 'Beareralpha', 'Bearer alpha x', 'Token alpha'],
    ...['Bearer alpha,beta', 'Bearer "alpha"', `Bearer ${'x'.repeat(5000)}`],
  ])('do not open with %j', (header) => {
    expect(forms(header)).toBe(false)
  })

  it('have one fingerprint, accepted, expired or unknown: that of their digest', () => {
    const fingerprint = (ring: KeyRing) => ring.identify('Bearer alpha', NOW).fingerprint
    const key = { name: 'a', sha256: sha256('alpha') }
    const rings = [[key], [{ ...key, expiresAt: NOW }], []].map((keys) => new KeyRing(keys, 'salt'))
    // printf %s "$(printf alpha | sha256sum | cut -c1-64)" | openssl dgst -sha256 -hmac salt
    expect(new Set(rings.map(fingerprint))).toEqual(new Set(['edaef42a8b011b5f']))
  })

  it('are refused from the instant at which they expire', () => {
    const ring = new KeyRing([{ name: 'a', sha256: sha256('alpha'), expiresAt: NOW }], 'secret')
    const accepted = (at: number) => ring.identify('Bearer alpha', at).accepted
    expect([NOW - 1, NOW, NOW + 1].map(accepted)).toEqual([true, false, false])
    expect([NOW - 1, NOW].map((at) => ring.accepted(at).length)).toEqual([1, 0])
  })

  it('are reported once, when they are sent, and wrong ones never', () => {
    const met: string[] = []
    const ring = new KeyRing([plainKey('alpha')], 'secret', (key) => met.push(key))
    for (const key of ['wrong', 'alpha', 'alpha']) ring.identify(`Bearer ${key}`, NOW)
    expect(met).toEqual(['alpha'])
  })
})

it('blots out a path that holds any eight characters of a key, encoded or not', () => {
  const redactor = new Redactor(['S3cret-Key-Alpha'])
  expect(redactor.path('/x/s3cret-k')).toBe('[redacted]')
  expect(redactor.path('/x/%53%33cret-Ke/y')).toBe('[redacted]')
  expect(redactor.path('/x/s3cret-')).toBe('/x/s3cret-')
  expect(redactor.path(`/${'y'.repeat(300)}`)).toBe(`/${'y'.repeat(255)}...`)
})
