import { describe, expect, it } from 'vitest'
import { Retained } from '../../src/service/api/retained.js'
import { LatencyWindow } from '../../src/service/health/latency.js'
import { readProxies } from '../../src/service/http/proxy.js'
import { KeyRing } from '../../src/service/keys/keys.js'
import { Redactor } from '../../src/service/keys/redact.js'

describe('redaction', () => {
  it('blots out a path that holds any eight characters of a key, encoded or not', () => {
    const redactor = new Redactor(['S3cret-Key-Alpha'])
    expect(redactor.path('/x/s3cret-k')).toBe('[redacted]')
    expect(redactor.path('/x/%53%33cret-Ke/y')).toBe('[redacted]')
    expect(redactor.path('/x/s3cret-')).toBe('/x/s3cret-')
    expect(redactor.path(`/${'y'.repeat(300)}`)).toBe(`/${'y'.repeat(255)}...`)
  })
})

describe('keys', () => {
  it('are told apart by length, case and every character', () => {
    const ring = new KeyRing(['alpha', 'alphabet', 'x'.repeat(512)], 'secret')
    const accepted = (key: string) => ring.identify(`Bearer ${key}`).accepted
    expect(['alpha', 'alphabet', 'x'.repeat(512)].map(accepted)).toEqual([true, true, true])
    const wrong = ['alph', 'alphab', 'Alpha', 'alphabets', 'x'.repeat(511), 'x'.repeat(513)]
    expect(wrong.map(accepted)).toEqual(wrong.map(() => false))
  })
})

describe('the latency window', () => {
  it('tells quantiles to within one per cent, of the last ten minutes only', () => {
    const window = new LatencyWindow()
    expect(window.quantile(0.95, 0)).toBeNaN()
    for (let at = 1; at <= 1000; at++) window.observe(at / 1000, 1000)
    for (const q of [0.5, 0.95, 0.99]) {
      expect(Math.abs(window.quantile(q, 1000) / q - 1)).toBeLessThan(0.0101)
    }
    expect(window.quantile(0.95, 9 * 60_000)).toBeGreaterThan(0.9)
    expect(window.quantile(0.95, 12 * 60_000)).toBeNaN()
    expect([window.count, Math.round(window.sum)]).toEqual([1000, 501])
  })
})

describe('what is retained', () => {
  it('stays within its budget and keeps what is used', () => {
    const kept = new Retained<number>(1000)
    for (let at = 0; at < 500; at++) {
      kept.set(`k${at}`, at, 100)
      expect(kept.get('k0')).toBe(0)
    }
    expect(kept.get('k1')).toBeUndefined()
    kept.set('large', 1, 501)
    expect(kept.get('large')).toBeUndefined()
    const nothing = new Retained<number>(0)
    nothing.set('a', 1, 1)
    expect(nothing.get('a')).toBeUndefined()
  })
})

describe('trusted proxies', () => {
  const client = (trusted: string, peer: string, forwarded?: string) =>
    readProxies(trusted, 'x').clientOf(peer, forwarded)
  it('are believed from the end of the list, as far as they are trusted', () => {
    expect(client('', '10.0.0.1', '1.2.3.4')).toBe('10.0.0.1')
    expect(client('10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4')).toBe('1.2.3.4')
    expect(client('10.0.0.0/8', '10.0.0.1', '1.2.3.4, 10.9.9.9')).toBe('1.2.3.4')
    expect(client('10.0.0.0/8', '11.0.0.1', '1.2.3.4')).toBe('11.0.0.1')
    expect(client('10.0.0.0/8', '::ffff:10.0.0.1', '::1')).toBe('::1')
    expect(client('fd00::/8', 'fd00::5', 'junk')).toBe('fd00::5')
    expect(client('0.0.0.0/0', '10.0.0.1', '10.0.0.2')).toBe('10.0.0.2')
    expect(client('10.0.0.1', '10.0.0.1', '')).toBe('10.0.0.1')
  })
})
