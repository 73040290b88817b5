import { describe, expect, it } from 'vitest'
import { readProxies } from '../../../src/service/http/proxy.js'

describe('trusted proxies', () => {
  const client = (trusted: string, peer: string, forwarded?: string) =>
    readProxies(trusted, 'x')(peer, forwarded)
  it('are believed from the end of the list, as far as they are trusted', () => {
    expect(client('', '10.0.0.1', '1.2.3.4')).toBe('10.0.0.1')
    expect(client('10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4')).toBe('1.2.3.4')
    expect(client('10.0.0.0/8', '10.0.0.1', '1.2.3.4, 10.9.9.9')).toBe('1.2.3.4')
    expect(client('10.0.0.0/8', '11.0.0.1', '1.2.3.4')).toBe('11.0.0.1')
    expect(client('10.0.0.0/8', '::ffff:10.0.0.1', '::1')).toBe('::1')
    expect(client('fd00::/8', 'fd00::5', 'junk')).toBe('fd00::5')
    expect(client('::1, 10.0.0.0/8', '::1', '6.6.6.6, 1.2.3.4, 10.1.2.3')).toBe('1.2.3.4')
    expect(client('0.0.0.0/0', '10.0.0.1', '10.0.0.2')).toBe('10.0.0.2')
    expect(client('10.0.0.1', '10.0.0.1', '')).toBe('10.0.0.1')
  })
})
