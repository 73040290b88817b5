import { openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeConfig, readServiceConfig } from '../../../src/service/config/config.js'
import { readProxies } from '../../../src/service/http/proxy.js'
import { temporaryFolder } from '../../support/folder.js'

const ENV = { BTC_FORECAST_API_KEYS: 'a-key-of-these-tests' }
const read = (flags: Record<string, string>, env = {}) =>
  readServiceConfig({ ...ENV, ...env }, flags)

describe('the settings of several workers', () => {
  it('are one process without a port of its own for probes, unless asked for', () => {
    expect(read({}).settings).toMatchObject({ workers: 1, probePort: 0 })
    const env = { BTC_FORECAST_API_WORKERS: '3', BTC_FORECAST_API_PROBE_PORT: '9090' }
    expect(read({}, env).settings).toMatchObject({ workers: 3, probePort: 9090 })
    expect(describeConfig(read({ workers: '2' }, env))).toMatch(/_WORKERS +2 +--workers$/m)
  })

  it.each([
    [{ workers: '0' }, '--workers is "0"'],
    [{ workers: 'auto' }, '--workers is "auto"'],
    [{ port: '9002', 'probe-port': '9000', workers: '3' }, '9002 is the port of the service'],
    [{ port: '9000', 'probe-port': '9000' }, '9000 is the port of the service'],
    [{ 'probe-port': '65534', workers: '3' }, 'there is none beyond 65535'],
  ])('refuse %o', (flags, says) => {
    expect(() => read(flags)).toThrow(says)
  })

  it('allow the ports beside that of the service', () => {
    for (const port of ['8999', '9003', '0']) {
      expect(read({ port, 'probe-port': '9000', workers: '3' }).settings.probePort).toBe(9000)
    }
  })

  it('guard what is read against the audit log of each', () => {
    const read2 = (history: string) =>
      read({ 'audit-log': 'logs/reads.jsonl', history, workers: '2' })
    for (const file of ['reads.worker-1.jsonl', 'reads.worker-2.jsonl', 'reads.worker-2.jsonl.7']) {
      expect(() => read2(`logs/${file}`)).toThrow('--audit-log would write over the history')
    }
    // The name that is given belongs to none of them.
    for (const file of ['reads.jsonl', 'reads.worker-3.jsonl']) {
      expect(read2(`logs/${file}`).settings.workers).toBe(2)
    }
  })

  it.each(['1', '2'])('refuse an audit log that is an open file by number (%s)', (workers) => {
    // Rotation would move the name aside.
    const path = `/dev/fd/${openSync(join(temporaryFolder(), 'out'), 'w')}`
    expect(() => read({ 'audit-log': path, workers })).toThrow(`--audit-log is ${path}`)
  })
})

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
