import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SlidingWindow } from '../../../src/service/limiter/limiter.js'

/** The definition, word for word: at most `limit` admitted within the last `windowMs`. */
function naive(limit: number, windowMs: number) {
  const admitted: number[] = []
  return (now: number) => {
    const counted = admitted.filter((time) => time + windowMs > now)
    if (counted.length < limit) {
      admitted.push(now)
      return { admitted: true, oldest: counted[0] ?? now }
    }
    return { admitted: false, oldest: counted[0]! }
  }
}

describe('the sliding window', () => {
  it('admits exactly what a log of all requests would, and waits exactly as long', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 300 }),
        (limit, seconds, gaps) => {
          const window = new SlidingWindow(limit, seconds)
          const expected = naive(limit, seconds * 1000)
          let now = 0
          for (const gap of gaps) {
            now += gap
            const { admitted, oldest } = expected(now)
            const verdict = window.take('key', now)
            expect(verdict.admitted).toBe(admitted)
            const wait = (oldest + seconds * 1000 - now) / 1000
            expect(verdict.resetSeconds).toBe(Math.max(1, Math.ceil(wait)))
            if (!admitted) expect(verdict.remaining).toBe(0)
          }
        },
      ),
    )
  })

  it('never waits longer than the window, at any fraction of a millisecond', () => {
    const times = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 3600 }), (now, seconds) => {
        expect(new SlidingWindow(60, seconds).take('key', now).resetSeconds).toBe(seconds)
      }),
      { numRuns: 2000 },
    )
    // A sum of floating-point numbers gives a little more than 60 here.
    expect(new SlidingWindow(60, 60).take('key', 5765.6530567862155).resetSeconds).toBe(60)
  })

  it('keeps keys apart, and needs no more than the limit however long it runs', () => {
    const window = new SlidingWindow(3, 1)
    for (let now = 0; now < 1e6; now += 10) window.take('busy', now)
    expect(window.take('calm', 1e6).remaining).toBe(2)
    const { keys } = window as unknown as { keys: Map<string, { times: number[] }> }
    expect(keys.get('busy')?.times.length).toBeLessThanOrEqual(7)
  })
})

it('takes a limit of a key of its own, also one that was lowered', () => {
  const window = new SlidingWindow(2, 60)
  for (let now = 0; now < 4000; now += 1000) {
    expect(window.take('large', now, 4).admitted).toBe(true)
  }
  expect(window.take('large', 4000, 4)).toEqual({ admitted: false, remaining: 0, resetSeconds: 56 })
  // Of two within the window there is room again when the third of the four has left it.
  const { admitted, resetSeconds } = window.take('large', 4000, 2)
  expect([admitted, resetSeconds]).toEqual([false, 58])
  expect(window.take('large', 61_999, 2).admitted).toBe(false)
  expect(window.take('large', 62_000, 2).admitted).toBe(true)
})
