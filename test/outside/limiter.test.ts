import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.js'
import { ROOT } from '../support/run.js'
import { expectError, expectJson } from '../support/service/expect.js'
import { get } from '../support/service/http.js'
import { eventually, KEY, OTHER_KEY, type Served, serve } from '../support/service/serve.js'
import { selfSigned, startRedis } from './servers.js'

// Services that count their requests in one Redis.

const PASSWORD = 'limiter/Secret@7%:x'
/** As it is in a URL. */
const ESCAPED = encodeURIComponent(PASSWORD)
const redis = await startRedis('--requirepass', PASSWORD, '--databases', '4')

/** A machine that is busy with tests is not to be taken for a Redis that hangs. */
const urlFor = (timeoutMs = 1000) =>
  `redis://:${ESCAPED}@127.0.0.1:${redis.port}/3?prefix=test&timeout_ms=${timeoutMs}`

/** Says something to Redis as its owner; what it answers. */
const say = (...args: string[]) =>
  redis.cli('--no-auth-warning', '-a', PASSWORD, '-n', '3', ...args)

/** Starts as many services on one limiter. */
async function replicas(count: number, env: NodeJS.ProcessEnv = {}): Promise<Served[]> {
  const common = {
    BTC_FORECAST_API_LIMITER: urlFor(),
    BTC_FORECAST_FINGERPRINT_SECRET: 'a-secret-of-all-replicas',
    BTC_FORECAST_API_RATE_LIMIT: '60',
    ...env,
  }
  return await Promise.all(Array.from({ length: count }, () => serve({ env: common })))
}
const one = async (env?: NodeJS.ProcessEnv) => (await replicas(1, env))[0] as Served

const isShared = async (served: Served) => (await served.figure('limiter_shared')) === 1
async function areShared(...all: readonly Served[]): Promise<void> {
  for (const served of all) await eventually(() => isShared(served))
}
const fallbacks = (served: Served) => served.figure('limiter_fallbacks_total')

describe('four replicas with one limit', () => {
  it('admit exactly 60 of 1,000 requests in a window, at any replica', async () => {
    say('FLUSHALL')
    const all = await replicas(4, {
      BTC_FORECAST_API_LIMITER: urlFor(5000),
      BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600',
    })
    await areShared(...all)
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
    for (const name of say('KEYS', '*').split('\n')) {
      expect(name).toMatch(/^test:600:(?:[0-9a-f]{16}|probe:[0-9a-f-]{36})$/)
      expect(Number(say('PTTL', name))).toBeGreaterThan(0)
    }
    for (const served of all) expect(await fallbacks(served)).toBe(0)
  })

  it('admit at most four times 60 without Redis, however it comes and goes', async () => {
    say('FLUSHALL')
    const all = await replicas(4, { BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600' })
    await areShared(...all)
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
    await areShared(...all)
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
      await areShared(...all)
    }
    expect(admitted).toBe(60)
  })
})

describe('a service', () => {
  it('starts without Redis, and uses it once it is there', async () => {
    await redis.stop()
    const served = await one()
    expectJson(await served.get('/v1/health'), 200)
    expect(await isShared(served)).toBe(false)
    await redis.start()
    await areShared(served)
  })

  it('needs no more rights in Redis than its guide gives', async () => {
    const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
    const [, rights = ''] = /`ACL SETUSER foreproof on >PASSWORD ([^`]+)`/.exec(guide) ?? []
    say('ACL', 'SETUSER', 'foreproof', 'on', '>of its own', ...rights.split(' '))
    const url = `redis://foreproof:of%20its%20own@127.0.0.1:${redis.port}/3?timeout_ms=1000`
    const served = await one({ BTC_FORECAST_API_LIMITER: url })
    await areShared(served)
    say('FLUSHALL')
    say('SCRIPT', 'FLUSH')
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
    const [alone, sharing] = [await one(address), await one(authority)]
    for (const served of [alone, sharing]) expectJson(await served.get('/v1/health'), 200)
    await areShared(sharing)
    expect(await isShared(alone)).toBe(false)
    expect(alone.events('limiter-alone')[0]?.message).toContain('self-signed certificate')
  })

  it('never shows the password, also where the library is asked to show all', async () => {
    const served = await one({ DEBUG: '*' })
    await areShared(served)
    expectJson(await served.get('/v1/health'), 200)
    expect(served.log).toContain('ioredis:')
    expect(served.log).toContain('(not shown)')
    const page = (await get(served.port, '/metrics')).text
    const shown = [PASSWORD, ESCAPED, PASSWORD.slice(0, 8), Buffer.from(PASSWORD).toString('hex')]
    for (const each of shown) expect(served.log + page).not.toContain(each)
  })
})

describe('Redis that', () => {
  let served: Served
  let asked = 0
  /** Asks some at once: each gets a status that is specified, at once. */
  const ask = async (count = 20) => {
    const began = performance.now()
    const got = await Promise.all(Array.from({ length: count }, () => served.get('/v1/health')))
    asked += count
    for (const { status } of got) expect([200, 429]).toContain(status)
    return { statuses: got.map(({ status }) => status), ms: performance.now() - began }
  }
  const comesBack = async () => {
    await areShared(served)
    const before = await fallbacks(served)
    await ask()
    expect(await fallbacks(served)).toBe(before)
  }
  /** Until it is known to be away, and stays so while it is tried again. */
  const isAlone = async (forMs = 0) => {
    await ask()
    await eventually(async () => !(await isShared(served)))
    const until = performance.now() + forMs
    while (performance.now() < until) {
      expect(await isShared(served)).toBe(false)
      await sleep(50)
    }
    const before = await fallbacks(served)
    await ask()
    expect(await fallbacks(served)).toBe(before + 20)
  }

  beforeEach(async () => {
    say('FLUSHALL')
    asked = 0
    served = await one({ BTC_FORECAST_API_RATE_LIMIT: '1000' })
    await areShared(served)
  })
  afterEach(async () => {
    await eventually(() => served.audit().length === asked)
    expect(await served.stop()).toBe(0)
    const all = served.log + served.auditText()
    for (const secret of [PASSWORD, ESCAPED, KEY]) expect(all).not.toContain(secret)
    for (const line of served.log.split('\n').filter(Boolean)) JSON.parse(line)
  })

  it('stops, and starts again', async () => {
    await redis.stop()
    await isAlone()
    await redis.start()
    await comesBack()
    // A line for each cause: that the connection ended, and that there is no other.
    const alone = served.events('limiter-alone').map(({ level }) => level)
    expect(new Set(alone)).toEqual(new Set(['error']))
    expect(alone.length).toBeLessThanOrEqual(2)
    await served.logged('limiter-shared')
    expect(served.events('limiter-shared')).toMatchObject([{ level: 'info' }])
  })

  it('is flushed, with its scripts, begins anew', async () => {
    const left = async () =>
      /r=(\d+)/.exec(String((await served.get('/v1/health')).headers.ratelimit))?.[1]
    await ask(50)
    expect(await left()).toBe('949')
    say('FLUSHALL')
    say('SCRIPT', 'FLUSH')
    expect(await left()).toBe('999')
    asked += 2
    expect(await isShared(served)).toBe(true)
  })

  // What is said of other refusals is in test/service/limiter/limiter.test.ts.
  it.each<[string, begin: () => unknown, end: () => unknown, RegExp, ms?: number]>([
    ['hangs', () => redis.pause(), () => redis.resume(), /no answer within/],
    [
      'is made a replica, which takes no writes',
      () => say('REPLICAOF', '127.0.0.1', '1'),
      () => say('REPLICAOF', 'NO', 'ONE'),
      /READONLY/,
      2500,
    ],
    [
      'is full',
      () => say('CONFIG', 'SET', 'maxmemory', '1'),
      () => say('CONFIG', 'SET', 'maxmemory', '0'),
      /OOM/,
      2500,
    ],
  ])('%s', async (_name, begin, end, reason, ms) => {
    begin()
    await isAlone(ms)
    expect(served.events('limiter-alone')[0]?.message).toMatch(reason)
    end()
    await comesBack()
  })

  it('hangs when the service ends does not keep it', async () => {
    redis.pause()
    await ask()
    expect(await served.stop()).toBe(0)
    redis.resume()
  })
})
