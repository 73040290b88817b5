import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ServiceOptions, startService } from '../../src/entries/service.js'
import { temporaryFolder } from '../support/folder.js'
import { healthReport, makeHistory } from '../support/service/history.js'

const KEY = 'a-key-of-this-test'
let folder: string
let options: ServiceOptions

beforeEach(() => {
  folder = temporaryFolder()
  options = {
    historyPath: join(folder, 'history.sqlite'),
    healthPath: join(folder, 'health.json'),
    auditPath: join(folder, 'audit.jsonl'),
    keys: [KEY],
    port: 0,
    drainSeconds: 0,
  }
})

describe('startService', () => {
  it('listens where it says, answers, and stops when asked, once and for all', async () => {
    writeFileSync(join(folder, 'health.json'), '{}')
    const service = await startService(options)
    expect(service.url).toBe(`http://127.0.0.1:${service.address.port}`)
    const live = await fetch(`${service.url}/livez`)
    expect([live.status, await live.text()]).toEqual([200, 'ok\n'])
    const headers = { Authorization: `Bearer ${KEY}` }
    const latest = await fetch(`${service.url}/v1/forecasts/latest`, { headers })
    // Neither the report nor the history can be read: no reason not to start.
    expect(latest.status).toBe(503)
    await latest.text()
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^forecast_api_newest_origin_age_seconds nan$/im)
    expect(metrics).toMatch(/^forecast_api_ready 0$/m)
    await Promise.all([service.close(), service.close()])
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow()
    const [line] = readFileSync(join(folder, 'audit.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ path: '/v1/forecasts/latest', status: 503 })
  })

  it.each<[string, Partial<ServiceOptions>, RegExp]>([
    ['no key', { keys: [] }, /no API key/],
    ['a port that is none', { port: 65_536 }, /port is "65536"/],
    ['keys in two places', { keysFile: 'keys.json' }, /in two places/],
    ['a foreign keys file', { keys: [], keysFile: 'package.json' }, /keysFile: .*no keys file/],
    [
      'to write its audit over what it reads',
      { historyPath: 'h.sqlite', auditPath: 'h.sqlite-wal' },
      /auditPath would write over the history/,
    ],
  ])('refuses %s', async (_name, change, message) => {
    const started = startService({ ...options, ...change })
    await expect(started).rejects.toMatchObject({ code: 'usage' })
    await expect(started).rejects.toThrow(message)
  })
})

describe('a service that stops', () => {
  const REQUEST = `GET /v1/forecasts?limit=2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`
  /** The one answer to a request that comes on a connection while the service stops. */
  const LAST = /^HTTP\/1\.1 200 (?!.*HTTP\/1\.1 ).*\r\nConnection: close\r\n/s

  async function connected(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  /** One that has had an answer, and may bring another request. */
  async function kept(port: number): Promise<Socket> {
    const socket = await connected(port)
    socket.write(REQUEST)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 (?!.*Connection: close)/s)
    return socket
  }
  beforeEach(() => {
    makeHistory(join(folder, 'history.sqlite'))
    writeFileSync(join(folder, 'health.json'), healthReport())
  })
  const linesOf = () => readFileSync(join(folder, 'audit.jsonl'), 'utf8').trimEnd().split('\n')

  it('answers each open connection once more, clients that have closed their own side too', async () => {
    const service = await startService(options)
    const { port } = service.address
    const first = await kept(port)
    const waiting = await Promise.all(Array.from({ length: 5 }, () => connected(port)))
    const closed = service.close()
    await pause(50)
    first.write(REQUEST)
    for (const socket of waiting) socket.end(REQUEST)
    for (const socket of [first, ...waiting]) expect(await text(socket)).toMatch(LAST)
    expect(await closed).toBe(true)
    expect(linesOf()).toHaveLength(7)
  })

  it('answers what came before it closed idle connections, though it was too busy to read it', async () => {
    const service = await startService(options)
    const socket = await kept(service.address.port)
    const closed = service.close()
    await pause(100)
    // Timers come next after this, sockets only then.
    await new Promise((resolve) => setImmediate(resolve))
    socket.write(REQUEST)
    // Nothing is read meanwhile, and the time for idle connections is up.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    expect(await text(socket)).toMatch(LAST)
    expect(await closed).toBe(true)
    expect(linesOf()).toHaveLength(2)
  })
})
