import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FailureLimit, networkOf } from '../../../src/service/limiter/failures.js'

describe('failed authentications', () => {
  it('count up to the limit, and again one by one after the wait that is given', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 600 }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (limit, seconds, now) => {
          const failures = new FailureLimit(limit, seconds)
          const counted = () => failures.take('192.0.2.1', now)
          for (let at = 0; at < limit; at++) expect(counted()).toBeUndefined()
          const wait = counted()
          expect(wait).toBe(Math.max(1, Math.ceil(seconds / limit - 1e-6)))
          expect(failures.take('192.0.2.2', now)).toBeUndefined()
          expect(failures.take('192.0.2.1', now + 1000 * wait!)).toBeUndefined()
          // After a whole window all of them are free again.
          const later = now + 1000 * (seconds + wait!)
          for (let at = 0; at < limit; at++) {
            expect(failures.take('192.0.2.1', later)).toBeUndefined()
          }
          expect(failures.take('192.0.2.1', later)).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('are never refused without a limit', () => {
    const failures = new FailureLimit(0, 60)
    for (let at = 0; at < 1000; at++) expect(failures.take('::1', 0)).toBeUndefined()
  })

  it('are kept for so many networks only, the last ones', () => {
    const failures = new FailureLimit(1, 60)
    for (let at = 0; at < 50_000; at++) failures.take(`10.0.${at >> 8}.${at & 255}`, at / 1000)
    // Private, so that it is looked at by what it forgets alone.
    expect(failures.take('10.0.195.79', 50)).toBeGreaterThan(0)
    expect(failures.take('10.0.0.0', 50)).toBeUndefined()
  })
})

describe('the network of an address', () => {
  it('is an IPv4 address itself, and the /64 of IPv6, however it is written', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('')).toBe('')
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
    expect(networkOf('2001:db8:0:0:ffff::')).toBe('2001:db8:0:0::/64')
    expect(networkOf('2001:0DB8:0:1::')).toBe('2001:db8:0:1::/64')
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(networkOf('::ffff:192.0.2.7')).toBe('0:0:0:0::/64')
    expect(networkOf('64:ff9b:1::192.0.2.7')).toBe('64:ff9b:1:0::/64')
  })

  it('is the same for all spellings of one address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { address: usual } = new SocketAddress({ address, family: 'ipv6' })
        expect(networkOf(address)).toBe(networkOf(usual))
      }),
    )
  })
})
