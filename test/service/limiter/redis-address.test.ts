import { describe, expect, it } from 'vitest'
import { readRedisAddress, shownRedisAddress } from '../../../src/service/limiter/redis-address.js'

const read = (text: string) => readRedisAddress(text, '--limiter')

describe('the address of a shared limiter', () => {
  it('needs a host only', () => {
    expect(read('redis://limits.example')).toEqual({
      tls: false,
      host: 'limits.example',
      port: 6379,
      username: '',
      password: '',
      database: 0,
      prefix: 'foreproof',
      timeoutMs: 250,
    })
  })

  it('is read in full, and shown without user and password', () => {
    const address = read('rediss://me:p%40ss%2F%25@[2001:db8::1]:7000/3?prefix={a}:b&timeout_ms=90')
    expect(address).toEqual({
      tls: true,
      host: '2001:db8::1',
      port: 7000,
      username: 'me',
      password: 'p@ss/%',
      database: 3,
      prefix: '{a}:b',
      timeoutMs: 90,
    })
    expect(shownRedisAddress(address)).toBe('rediss://[2001:db8::1]:7000/3')
  })

  // Wherever it is by mistake.
  const secret = 'hush4711'
  it.each([
    '',
    secret,
    'localhost:6379',
    `http://:${secret}@host`,
    `redis:${secret}`,
    `redis:///${secret}`,
    `redis://${secret}@host`,
    `redis://:${secret}#x@host`,
    `redis://user:12#${secret}@host`,
    `redis://user:12/${secret}@host`,
    `redis://user:12?${secret}@host`,
    `redis://user:12?prefix=${secret}@host`,
    `redis://:%zz${secret}@host`,
    `redis://:${secret}@host/x`,
    `redis://:${secret}@host/1/2`,
    `redis://:${secret}@host?prefix=`,
    `redis://:${secret}@host?prefix=a&prefix=b`,
    `redis://:${secret}@host?password=x`,
    `redis://:${secret}@host?timeout_ms=0`,
    `redis://:${secret}@host?timeout_ms=5001`,
    `redis://:${secret}@host,redis://other`,
    `redis://:${secret}@host:99999`,
  ])('is not %j, whose refusal shows nothing of it', (text) => {
    const shownNot = (said: RegExp) =>
      expect.stringMatching(new RegExp(`^(?!.*${secret})${said.source}`))
    const message = shownNot(/--limiter /)
    const help = shownNot(/.*redis:\/\/HOST/)
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'usage', message, help }))
  })
})
