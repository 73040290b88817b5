import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis as Client } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SlidingWindow, verdictOf } from '../../src/service/limiter/limiter.js'
import { takeScript } from '../../src/service/limiter/script.js'
import { expectError, expectJson } from '../process/service/expect.js'
import { get } from '../process/service/http.js'
import { eventually, KEY, OTHER_KEY, type Served, serve } from '../process/service/serve.js'
import { type Redis, startRedis } from './servers.js'
import { freePort } from './snippets.js'

const SECRET = 'a-secret-of-all-replicas'
const PASSWORD = 'limiter/Secret@7%:x'
const SHOWN = encodeURIComponent(PASSWORD)

let redis: Redis
const url = () => `redis://:${SHOWN}@127.0.0.1:${redis.port}/3?prefix=test`
/** Says something to Redis as its owner. */
const say = (...args: string[]) =>
  redis.cli('--no-auth-warning', '-a', PASSWORD, '-n', '3', ...args)

beforeAll(async () => {
  redis = await startRedis(
    '--requirepass',
    PASSWORD,
    '--databases',
    '4',
    '--enable-debug-command',
    'yes',
  )
})
afterAll(() => redis.remove())

/** Starts as many services on one limiter. */
function replicas(count: number, env: NodeJS.ProcessEnv = {}): Promise<Served[]> {
  const common = {
    BTC_FORECAST_API_LIMITER: url(),
    BTC_FORECAST_FINGERPRINT_SECRET: SECRET,
    BTC_FORECAST_API_RATE_LIMIT: '60',
    ...env,
  }
  return Promise.all(Array.from({ length: count }, () => serve({ env: common })))
}

async function metric({ port }: Served, name: string): Promise<number> {
  const { text } = await get(port, '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`forecast_api_${name} `))
  return Number(line?.split(' ')[1])
}
const isShared = async (served: Served) => (await metric(served, 'limiter_shared')) === 1
const told = (served: Served, event: string) =>
  served.events().filter((each) => each.event === event)

describe('the script', () => {
  const clock = 'local clock = tonumber(ARGV[3])'
  const script = takeScript(clock)
  let client: Client
  let names = 0
  beforeAll(() => {
    client = new Client({ port: redis.port, password: PASSWORD, db: 2 })
  })
  afterAll(() => client.disconnect())

  /** Asks at an instant, in microseconds. */
  const ask = async (name: string, at: number, limit: number, seconds: number) => {
    const [free = 0, wait = 0] = (await client.eval(
      script,
      1,
      name,
      limit,
      seconds * 1e6,
      at,
    )) as number[]
    return verdictOf(free, wait)
  }
  const START = 1_900_000_000_000_000

  it('says at every instant what a sliding window in memory says, also of limits that change', async () => {
    const step = fc.record({
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 7200 }), fc.constant(8000)),
      limit: fc.integer({ min: 1, max: 12 }),
    })
    const steps = fc.array(step, { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        steps,
        async (seconds, one, asked) => {
          const window = new SlidingWindow(6, seconds)
          const name = `steps:${names++}`
          let at = 0
          for (const { gap, limit } of asked) {
            // In eighths of a millisecond, which the other's milliseconds hold exactly.
            at += 125 * gap
            const own = one ? 6 : limit
            const verdict = await ask(name, START + at, own, seconds)
            expect(verdict).toEqual(window.take('key', at / 1000, own))
            expect(await client.llen(name)).toBeLessThanOrEqual(12)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('keeps a list no longer than its limit, which expires with the window', async () => {
    for (let at = 0; at < 5_000_000; at += 10_000) await ask('busy', START + at, 7, 1)
    expect(await client.llen('busy')).toBeLessThanOrEqual(7)
    const ttl = await client.pttl('busy')
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(1000)
    await eventually(async () => (await client.exists('busy')) === 0, 3000)
  })

  it('lets much leave a long list at once', async () => {
    const many = 100_000
    const times = Array.from({ length: many }, (_, index) => START + index)
    for (let from = 0; from < many; from += 10_000) {
      await client.rpush('long', ...times.slice(from, from + 10_000))
    }
    expect(await ask('long', START + 60e6 - 1, many, 60)).toMatchObject({ admitted: false })
    // All but the last ten have left.
    const later = await ask('long', START + 60e6 + many - 11, many, 60)
    expect(later).toEqual({ admitted: true, remaining: many - 11, resetSeconds: 1 })
    expect(await client.llen('long')).toBe(11)
  })

  it('stands still while a clock that was set back catches up, and begins anew after a longer jump', async () => {
    for (let asked = 0; asked < 3; asked++) await ask('back', START, 3, 60)
    expect(await ask('back', START - 5e6, 3, 60)).toMatchObject({
      admitted: false,
      resetSeconds: 60,
    })
    expect(await ask('back', START - 3600e6, 3, 60)).toMatchObject({ admitted: true, remaining: 2 })
  })
})

describe('four replicas with one limit', () => {
  it('admit exactly 60 of 1,000 requests in a window, whatever replica they meet', async () => {
    say('FLUSHALL')
    const all = await replicas(4, {
      BTC_FORECAST_API_LIMITER: `${url()}&timeout_ms=5000`,
      BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600',
    })
    try {
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
      for (const served of all) expect(await metric(served, 'limiter_fallbacks_total')).toBe(0)
    } finally {
      await Promise.all(all.map((served) => served.remove()))
    }
  })

  it('admit at most four times 60 without Redis, however it comes and goes', async () => {
    say('FLUSHALL')
    const all = await replicas(4, { BTC_FORECAST_API_RATE_WINDOW_SECONDS: '600' })
    try {
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
      // Restarts that nobody's request met: Redis has forgotten what it counted each time.
      for (let turn = 0; turn < 3; turn++) {
        for (let asked = 0; asked < 100; asked++) {
          if ((await all[0]!.get('/v1/health', otherKey)).status === 200) admitted++
        }
        await redis.restart()
        for (const served of all) await eventually(() => isShared(served))
      }
      expect(admitted).toBe(60)
    } finally {
      await Promise.all(all.map((served) => served.remove()))
    }
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
    await eventually(() => isShared(served))
    const before = await metric(served, 'limiter_fallbacks_total')
    await ask()
    expect(await metric(served, 'limiter_fallbacks_total')).toBe(before)
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
    const before = await metric(served, 'limiter_fallbacks_total')
    await ask()
    expect(await metric(served, 'limiter_fallbacks_total')).toBe(before + 20)
  }

  beforeEach(async () => {
    say('FLUSHALL')
    asked = 0
    ;[served] = (await replicas(1, { BTC_FORECAST_API_RATE_LIMIT: '1000' })) as [Served]
    expect(await isShared(served)).toBe(true)
  })
  afterEach(async () => {
    await eventually(() => served.audit().length === asked)
    expect(await served.stop()).toBe(0)
    const all = served.log + served.auditText()
    for (const secret of [PASSWORD, SHOWN, KEY]) expect(all).not.toContain(secret)
    for (const line of served.log.split('\n').filter(Boolean)) JSON.parse(line)
    await served.remove()
  })

  it('stops, and starts again', async () => {
    await redis.stop()
    await isAlone()
    await redis.start()
    await comesBack()
    expect(told(served, 'limiter-alone')).toMatchObject([{ level: 'error' }])
    expect(told(served, 'limiter-shared')).toMatchObject([{ level: 'info' }])
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

  it('hangs', async () => {
    redis.pause()
    await isAlone()
    redis.resume()
    await comesBack()
    expect(told(served, 'limiter-alone')[0]?.message).toContain('no answer within')
  })

  it('is slow for everybody', async () => {
    say('CLIENT', 'PAUSE', '2500')
    await isAlone()
    await comesBack()
  })

  it('hangs when the service ends does not keep it', async () => {
    redis.pause()
    await ask()
    expect(await served.stop()).toBe(0)
    redis.resume()
  })

  it('is made a replica, which takes no writes', async () => {
    say('REPLICAOF', '127.0.0.1', '1')
    await isAlone(2500)
    expect(told(served, 'limiter-alone')[0]?.message).toContain('READONLY')
    say('REPLICAOF', 'NO', 'ONE')
    await comesBack()
  })

  it('is full', async () => {
    say('CONFIG', 'SET', 'maxmemory', '1')
    await isAlone(2500)
    expect(told(served, 'limiter-alone')[0]?.message).toContain('OOM')
    say('CONFIG', 'SET', 'maxmemory', '0')
    await comesBack()
  })

  it('has another password from now on', async () => {
    say('CONFIG', 'SET', 'requirepass', 'another')
    redis.cli('-a', 'another', 'CLIENT', 'KILL', 'TYPE', 'normal')
    await isAlone()
    expect(told(served, 'limiter-alone')[0]?.message).toMatch(/WRONGPASS|closed/)
    redis.cli('-a', 'another', 'CONFIG', 'SET', 'requirepass', PASSWORD)
    await comesBack()
  })

  it('is kept busy by a script of somebody else', async () => {
    say('CONFIG', 'SET', 'lua-time-limit', '50')
    const client = new Client({ port: redis.port, password: PASSWORD })
    const busy = client.eval('while true do end', 0).catch(() => undefined)
    await sleep(200)
    await isAlone()
    say('SCRIPT', 'KILL')
    await busy
    client.disconnect()
    await comesBack()
  })

  it('holds something else under a name has the others counted as before', async () => {
    await ask(1)
    const name = say('KEYS', 'test:60:*')
      .split('\n')
      .find((each) => !each.includes('probe'))!
    say('SET', name, 'something else')
    await ask(10)
    expect(await metric(served, 'limiter_fallbacks_total')).toBe(10)
    expect(await isShared(served)).toBe(true)
    expect(told(served, 'limiter-key-spoilt')).toMatchObject([
      { help: expect.stringContaining(name) },
    ])
    say('DEL', name)
    say('RPUSH', name, 'no instant')
    await ask(1)
    expect(await metric(served, 'limiter_fallbacks_total')).toBe(11)
    say('DEL', name)
    // Later than the newest, which is long ago: no log that was written in order.
    say('RPUSH', name, '9007199254740991', '1')
    await ask(1)
    expect(await isShared(served)).toBe(true)
    say('DEL', name)
    const before = await metric(served, 'limiter_fallbacks_total')
    await ask(1)
    expect(await metric(served, 'limiter_fallbacks_total')).toBe(before)
  })
})

describe('a service', () => {
  it('starts without Redis, and uses it once it is there', async () => {
    await redis.stop()
    const [served] = (await replicas(1)) as [Served]
    try {
      expectJson(await served.get('/v1/health'), 200)
      expect(await isShared(served)).toBe(false)
      await redis.start()
      await eventually(() => isShared(served))
    } finally {
      await served.remove()
    }
  })

  it('needs no more rights in Redis than its guide gives', async () => {
    const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
    const [, rights = ''] = /`ACL SETUSER foreproof on >PASSWORD ([^`]+)`/.exec(guide) ?? []
    say('ACL', 'SETUSER', 'foreproof', 'on', '>of its own', ...rights.split(' '))
    const [served] = (await replicas(1, {
      BTC_FORECAST_API_LIMITER: `redis://foreproof:of%20its%20own@127.0.0.1:${redis.port}/3`,
    })) as [Served]
    try {
      expect(await isShared(served)).toBe(true)
      say('FLUSHALL')
      say('SCRIPT', 'FLUSH')
      expectJson(await served.get('/v1/health'), 200)
      expect(await metric(served, 'limiter_fallbacks_total')).toBe(0)
    } finally {
      await served.remove()
    }
  })

  it('speaks TLS with a server whose certificate it can check, and with no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foreproof-limiter-'))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' })
    const port = await freePort()
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key]
    const server = await startRedis('--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files)
    const address = { BTC_FORECAST_API_LIMITER: `rediss://localhost:${port}` }
    const authority = { ...address, NODE_EXTRA_CA_CERTS: certificate }
    const all = [...(await replicas(1, address)), ...(await replicas(1, authority))]
    try {
      for (const served of all) expectJson(await served.get('/v1/health'), 200)
      expect(await Promise.all(all.map(isShared))).toEqual([false, true])
      expect(told(all[0]!, 'limiter-alone')[0]?.message).toContain('self-signed certificate')
    } finally {
      await Promise.all([server, ...all].map((each) => each.remove()))
      rmSync(folder, { recursive: true })
    }
  })

  it('shows the password to nobody, also where the library is asked to tell all', async () => {
    const [served] = (await replicas(1, { DEBUG: '*' })) as [Served]
    try {
      expectJson(await served.get('/v1/health'), 200)
      expect(served.log).toContain('ioredis:')
      expect(served.log).toContain('(not shown)')
      const page = (await get(served.port, '/metrics')).text
      for (const shown of [
        PASSWORD,
        SHOWN,
        PASSWORD.slice(0, 8),
        Buffer.from(PASSWORD).toString('hex'),
      ]) {
        expect(served.log + page).not.toContain(shown)
      }
    } finally {
      await served.remove()
    }
  })
})
