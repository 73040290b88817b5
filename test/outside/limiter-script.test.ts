import fc from 'fast-check'
import { Redis as Client } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { SlidingWindow, toRateLimitResult } from '../../src/service/limiter/limiter.js'
import { takeScript } from '../../src/service/limiter/redis-store.js'
import { atEnd } from '../support/at-end.js'
import { eventually } from '../support/service/serve.js'
import { startRedis } from './servers.js'

const redis = await startRedis()
const client = new Client({ port: redis.port })
atEnd(() => client.disconnect())

describe('the script', () => {
  const script = takeScript('local clock = tonumber(ARGV[3])')
  let names = 0

  /** Asks at an instant, in microseconds. */
  const ask = async (name: string, at: number, limit: number, seconds: number) => {
    const reply = await client.eval(script, 1, name, limit, seconds * 1e6, at)
    const [free = 0, wait = 0] = reply as number[]
    return toRateLimitResult(free, wait)
  }
  const START = 1_900_000_000_000_000

  it('says at every instant what a sliding window in memory says, also of limits that change', async () => {
    const step = fc.record({
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 720_000 }), fc.constant(800_000)),
      limit: fc.integer({ min: 1, max: 12 }),
    })
    const steps = fc.array(step, { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        // Long ones: what Redis keeps expires by its own clock, which no test can hold.
        fc.constantFrom(100, 200, 300),
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
    const last = 5_000_000
    for (let at = 0; at < last; at += 10_000) await ask('busy', START + at, 7, 1)
    // Sent at once, so that it cannot expire in between.
    const [, length, ttl] = await Promise.all([
      ask('busy', START + last, 7, 1),
      client.llen('busy'),
      client.pttl('busy'),
    ])
    expect(length).toBeLessThanOrEqual(7)
    expect(length).toBeGreaterThan(0)
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(1000)
    await eventually(async () => (await client.exists('busy')) === 0)
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

  it('does not move while a clock that was set back catches up, and begins anew after a longer jump', async () => {
    for (let asked = 0; asked < 3; asked++) await ask('back', START, 3, 60)
    const refused = { admitted: false, resetSeconds: 60 }
    expect(await ask('back', START - 5e6, 3, 60)).toMatchObject(refused)
    expect(await ask('back', START - 3600e6, 3, 60)).toMatchObject({ admitted: true, remaining: 2 })
  })
})
