import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, KEY, type Served } from '../support/service/serve.js'
import {
  ESCAPED,
  fallbacks,
  isShared,
  PASSWORD,
  replicas,
  say,
  startLimiter,
} from './limiter-support.js'

const redis = await startLimiter()

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
    say(redis, 'FLUSHALL')
    asked = 0
    ;[served] = (await replicas(redis, 1, { BTC_FORECAST_API_RATE_LIMIT: '1000' })) as [Served]
    await eventually(() => isShared(served))
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
    say(redis, 'FLUSHALL')
    say(redis, 'SCRIPT', 'FLUSH')
    expect(await left()).toBe('999')
    asked += 2
    expect(await isShared(served)).toBe(true)
  })

  const says = (...args: string[]) => say(redis, ...args)
  it.each<[string, begin: () => unknown, end: () => unknown, RegExp, ms?: number]>([
    ['hangs', () => redis.pause(), () => redis.resume(), /no answer within/],
    [
      // Every write waits, as those of the limiter are; what ends it does not.
      'is slow for everyone',
      () => says('CLIENT', 'PAUSE', '600000', 'WRITE'),
      () => says('CLIENT', 'UNPAUSE'),
      /no answer within/,
    ],
    [
      'is made a replica, which takes no writes',
      () => says('REPLICAOF', '127.0.0.1', '1'),
      () => says('REPLICAOF', 'NO', 'ONE'),
      /READONLY/,
      2500,
    ],
    [
      'is full',
      () => says('CONFIG', 'SET', 'maxmemory', '1'),
      () => says('CONFIG', 'SET', 'maxmemory', '0'),
      /OOM/,
      2500,
    ],
    [
      'has another password from now on',
      () => {
        says('CONFIG', 'SET', 'requirepass', 'another')
        redis.cli('-a', 'another', 'CLIENT', 'KILL', 'TYPE', 'normal')
      },
      () => redis.cli('-a', 'another', 'CONFIG', 'SET', 'requirepass', PASSWORD),
      /WRONGPASS|closed|ECONNRESET/,
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

  it('is kept busy by a script of others', async () => {
    say(redis, 'CONFIG', 'SET', 'lua-time-limit', '50')
    const client = new Client({ port: redis.port, password: PASSWORD })
    const busy = client.eval('while true do end', 0).catch(() => undefined)
    await eventually(() => say(redis, 'PING').includes('BUSY'))
    await isAlone()
    say(redis, 'SCRIPT', 'KILL')
    await busy
    client.disconnect()
    await comesBack()
  })
})
