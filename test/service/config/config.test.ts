import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeConfig, readServiceConfig } from '../../../src/service/config/config.js'
import { parseProxies } from '../../../src/service/http/proxy.js'
import { temporaryFolder } from '../../support/folder.js'

const ENV = { BTC_FORECAST_API_KEYS: 'a-key-of-these-tests' }
const read = (flags: Record<string, string>, env = {}) =>
  readServiceConfig({ ...ENV, ...env }, flags)

describe('settings', () => {
  it('have no port of its own for probes unless asked for', () => {
    expect(read({}).settings.probePort).toBe(0)
    const env = { BTC_FORECAST_API_PROBE_PORT: '9090' }
    expect(read({}, env).settings.probePort).toBe(9090)
    expect(describeConfig(read({ 'probe-port': '9000' }, env))).toMatch(
      /_PROBE_PORT +9000 +--probe-port$/m,
    )
  })

  it.each([
    [{ 'drain-seconds': 'auto' }, '--drain-seconds is "auto"'],
    [{ 'probe-port': '65536' }, '--probe-port is "65536"'],
    [{ port: '9000', 'probe-port': '9000' }, '9000, which is the port of the service'],
  ])('refuse %o', (flags, says) => {
    expect(() => read(flags)).toThrow(says)
  })

  it('refuse an audit log that is an open file by number', () => {
    // Rotation would move the name aside.
    const path = `/dev/fd/${openSync(join(temporaryFolder(), 'out'), 'w')}`
    expect(() => read({ 'audit-log': path })).toThrow(`--audit-log is ${path}`)
  })
})

describe('trusted proxies', () => {
  const client = (trusted: string, peer: string, forwarded?: string) =>
    parseProxies(trusted, 'x')(peer, forwarded)
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

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
    ['6.6.6.6:1, 203.0.113.7:4711', '203.0.113.7'],
    ['203.0.113.7:4711, 10.9.9.9:80', '203.0.113.7'],
    ...['203.0.113.7:', '203.0.113.7:x', '203.0.113.7:123456', ':4711', '[]:1', '[a]:1', 'host:1']
      .concat(['[203.0.113.7', '203.0.113.7]', '[[::1]]', '_hidden', 'unknown'])
      .map((junk) => [`6.6.6.6, ${junk}`, '10.0.0.1']),
  ])('say with a port or in brackets what they say without: %s', (forwarded, expected) => {
    expect(client('10.0.0.0/8', '10.0.0.1', forwarded)).toBe(expected)
  })

  it('say the same of every address, however it is written', () => {
    const port = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined })
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(address, port, fc.boolean(), (address, port, brackets) => {
        const isLong = address.includes(':')
        const host = isLong && (brackets || port !== undefined) ? `[${address}]` : address
        const entry = port === undefined ? host : `${host}:${port}`
        expect(client('10.0.0.1', '10.0.0.1', entry)).toBe(client('10.0.0.1', '10.0.0.1', address))
      }),
    )
  })
})

describe('variables that look like settings and are none', () => {
  const unknown = (env: NodeJS.ProcessEnv) => [...read({}, env).unknown.values()]
  it.each([
    ['BTC_FORECAST_API_RATELIMIT', 'Did you mean BTC_FORECAST_API_RATE_LIMIT?'],
    ['BTC_FORECAST_HISTORY', 'Did you mean BTC_FORECAST_HISTORY_DB?'],
    ['BTC_FORECAST_API_HISTORY_DB', 'Did you mean BTC_FORECAST_HISTORY_DB?'],
    ['btc_forecast_api_port', 'Did you mean BTC_FORECAST_API_PORT?'],
    ['BTC_FORECAST_TRAINING_CALENDAR_WINDOW', 'foreproof serve --help has all.'],
  ])('are named with the nearest one: %s', (name, help) => {
    const says = `${name} is no setting of this service. ${help}`
    expect(unknown({ [name]: 'secret-value' })).toEqual([says])
    const described = describeConfig(read({}, { [name]: 'secret-value' }))
    expect(described).toContain(`\nWarning: ${says}\n`)
    expect(described).not.toContain('secret-value')
  })

  it('are not those that a setting has, or that are empty, or of others', () => {
    const secret = join(temporaryFolder(), 'secret')
    writeFileSync(secret, 'a secret')
    const env = { BTC_FORECAST_FINGERPRINT_SECRET_FILE: secret, BTC_PIPELINE_HEALTH_STATE: 'x' }
    expect(unknown({ ...env, BTC_FORECAST_API_PROT: '', BTC_MODEL: 'x', PATH: '/' })).toEqual([])
    expect(describeConfig(read({}))).not.toContain('Warning')
  })
})
