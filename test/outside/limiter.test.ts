import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.js'
import { expectError, expectJson } from '../support/service/expect.js'
import { get } from '../support/service/http.js'
import { eventually, OTHER_KEY, type Served } from '../support/service/serve.js'
import {
  ESCAPED,
  fallbacks,
  isShared,
  PASSWORD,
  replicas,
  say,
  startLimiter,
  urlOf,
} from './limiter-support.js'
import { selfSigned, startRedis } from './servers.js'

const redis = await startLimiter()

describe('four replicas with one limit', () => {
  it('admit exactly 60 of 1,000 requests in a window, at any replica', async () => {
    say(redis, 'FLUSHALL')
    const all = await replicas(redis, 4, {
      BTC_FORECAST_API_LIMITER: urlOf(redis, 5000),
      BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600',
    })
    for (const served of all) await eventually(() => isShared(served))
    const statuses: number[] = []
    let asked = 0
    const client = async () => {
      while (asked < 1000) {
        const served = all[asked++ % all.length]!
        statuses.push((await served.get('/v1/health')).status)
      }
    }
    await Promise.all(Array.from({ length: 40 }, client))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(940)
    // The headers say what holds for all of them.
    const refused = await all[3]!.get('/v1/health')
    expectError(refused, 429, 'rate_limited')
    expect(refused.headers['ratelimit-policy']).toBe('"default";q=60;w=600')
    expect(refused.headers.ratelimit).toBe(`"default";r=0;t=${refused.headers['retry-after']}`)
    // Another key has a window of its own.
    const other = { headers: { Authorization: `Bearer ${OTHER_KEY}` } }
    expectJson(await all[2]!.get('/v1/health', other), 200)
    expect((await all[1]!.get('/v1/health', other)).headers.ratelimit).toMatch(/r=58;/)
    // Nothing of a key is in Redis, and all that is there expires.
    for (const name of say(redis, 'KEYS', '*').split('\n')) {
      expect(name).toMatch(/^test:600:(?:[0-9a-f]{16}|probe:[0-9a-f-]{36})$/)
      expect(Number(say(redis, 'PTTL', name))).toBeGreaterThan(0)
    }
    for (const served of all) expect(await fallbacks(served)).toBe(0)
  })

  it('admit at most four times 60 without Redis, however it comes and goes', async () => {
    say(redis, 'FLUSHALL')
    const all = await replicas(redis, 4, { BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600' })
    for (const served of all) await eventually(() => isShared(served))
    const statuses: number[] = []
    const ask = async (requests: number) => {
      for (let asked = 0; asked < requests; asked += 40) {
        const batch = Array.from({ length: 40 }, (_, at) => all[at % 4]!.get('/v1/health'))
        statuses.push(...(await Promise.all(batch)).map(({ status }) => status))
      }
    }
    await ask(40)
    await redis.stop()
    await ask(1000)
    expect(statuses.filter((status) => status === 200)).toHaveLength(240)
    await redis.start()
    for (const served of all) await eventually(() => isShared(served))
    await ask(200)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200)).toHaveLength(240)
    const otherKey = { headers: { Authorization: `Bearer ${OTHER_KEY}` } }
    let admitted = 0
    // Restarts that no request met: Redis has forgotten what it counted each time.
    for (let turn = 0; turn < 3; turn++) {
      for (let asked = 0; asked < 100; asked++) {
        if ((await all[0]!.get('/v1/health', otherKey)).status === 200) admitted++
      }
      await redis.restart()
      for (const served of all) await eventually(() => isShared(served))
    }
    expect(admitted).toBe(60)
  })
})

describe('a service', () => {
  it('starts without Redis, and uses it once it is there', async () => {
    await redis.stop()
    const [served] = (await replicas(redis, 1)) as [Served]
    expectJson(await served.get('/v1/health'), 200)
    expect(await isShared(served)).toBe(false)
    await redis.start()
    await eventually(() => isShared(served))
  })

  it('needs no more rights in Redis than its guide gives', async () => {
    const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
    const [, rights = ''] = /`ACL SETUSER foreproof on >PASSWORD ([^`]+)`/.exec(guide) ?? []
    say(redis, 'ACL', 'SETUSER', 'foreproof', 'on', '>of its own', ...rights.split(' '))
    const [served] = (await replicas(redis, 1, {
      BTC_FORECAST_API_LIMITER: `redis://foreproof:of%20its%20own@127.0.0.1:${redis.port}/3?timeout_ms=1000`,
    })) as [Served]
    await eventually(() => isShared(served))
    say(redis, 'FLUSHALL')
    say(redis, 'SCRIPT', 'FLUSH')
    expectJson(await served.get('/v1/health'), 200)
    expect(await fallbacks(served)).toBe(0)
  })

  it('speaks TLS with a server whose certificate it can check, and with no other', async () => {
    const { certificate, key } = selfSigned('localhost')
    const port = await freePort()
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key]
    await startRedis('--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files)
    const address = { BTC_FORECAST_API_LIMITER: `rediss://localhost:${port}?timeout_ms=1000` }
    const authority = { ...address, NODE_EXTRA_CA_CERTS: certificate }
    const all = [...(await replicas(redis, 1, address)), ...(await replicas(redis, 1, authority))]
    for (const served of all) expectJson(await served.get('/v1/health'), 200)
    await eventually(() => isShared(all[1]!))
    expect(await isShared(all[0]!)).toBe(false)
    expect(all[0]!.events('limiter-alone')[0]?.message).toContain('self-signed certificate')
  })

  it('never shows the password, also where the library is asked to show all', async () => {
    const [served] = (await replicas(redis, 1, { DEBUG: '*' })) as [Served]
    await eventually(() => isShared(served))
    expectJson(await served.get('/v1/health'), 200)
    expect(served.log).toContain('ioredis:')
    expect(served.log).toContain('(not shown)')
    const page = (await get(served.port, '/metrics')).text
    for (const shown of [
      PASSWORD,
      ESCAPED,
      PASSWORD.slice(0, 8),
      Buffer.from(PASSWORD).toString('hex'),
    ]) {
      expect(served.log + page).not.toContain(shown)
    }
  })
})
