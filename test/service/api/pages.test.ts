import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from '../../../src/service/api/cursor.js'
import { RequestFault } from '../../../src/service/api/fault.js'
import { PageCache } from '../../../src/service/api/pages.js'
import type { PageFilters } from '../../../src/store/history-reader.js'

const instant = fc.integer({ min: -9e15, max: 9e15 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })
const filters: fc.Arbitrary<PageFilters> = fc.record({
  originFrom: maybe(instant),
  originTo: maybe(instant),
  horizonHours: maybe(fc.integer({ min: 1, max: 1000 })),
  model: maybe(text),
  runId: maybe(text),
})
const continuation = fc.record({
  last: fc.record({
    origin: instant,
    horizonHours: fc.integer({ min: 1, max: 1000 }),
    model: fc.string({ maxLength: 30 }),
  }),
  newest: instant,
})

/** Bounds in whole microseconds. */
const NONE = ['', ''] as const

describe('cursors', () => {
  it('come back as they were, for the filters they were made for', () => {
    fc.assert(
      fc.property(filters, continuation, (bound, where) => {
        const cursor = encodeCursor(bound, NONE, where)
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodeCursor(bound, NONE, cursor)).toEqual(where)
      }),
    )
  })

  it('do not open for other filters', () => {
    fc.assert(
      fc.property(filters, filters, continuation, (bound, other, where) => {
        fc.pre(JSON.stringify(bound) !== JSON.stringify(other))
        const cursor = encodeCursor(bound, NONE, where)
        expect(() => decodeCursor(other, NONE, cursor)).toThrow(RequestFault)
      }),
    )
  })

  it('do not open when a character was changed, added or taken away', () => {
    fc.assert(
      fc.property(continuation, fc.nat(), fc.string({ maxLength: 3 }), (where, at, put) => {
        const cursor = encodeCursor({}, NONE, where)
        const place = at % cursor.length
        const altered = cursor.slice(0, place) + put + cursor.slice(place + 1)
        fc.pre(altered !== cursor)
        expect(() => decodeCursor({}, NONE, altered)).toThrow(RequestFault)
      }),
    )
  })

  it('do not open, nor take long, when they are anything else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (junk) => {
        expect(() => decodeCursor({}, NONE, junk)).toThrow(RequestFault)
      }),
    )
    expect(() => decodeCursor({}, NONE, 'A'.repeat(1_000_000))).toThrow(RequestFault)
  })
})

const FIRST = { generation: 1, revision: 1 }
const LATER = { generation: 1, revision: 2 }

describe('the cache of pages', () => {
  it('stays within its budget and keeps what is used', () => {
    const cache = new PageCache<number>(1000)
    expect(cache.get(FIRST, 'k0')).toBeUndefined()
    for (let at = 0; at < 500; at++) {
      cache.set(FIRST, `k${at}`, at, 100)
      expect(cache.get(FIRST, 'k0')).toBe(0)
    }
    const kept = Array.from({ length: 500 }, (_, at) => `k${at}`).filter(
      (key) => cache.get(FIRST, key) !== undefined,
    )
    expect(kept).toHaveLength(10)
    expect(kept).toContain('k499')
    cache.set(FIRST, 'too large', 1, 1001)
    expect(cache.get(FIRST, 'too large')).toBeUndefined()
  })

  it('keeps nothing without a budget', () => {
    const cache = new PageCache<number>(0)
    expect(cache.get(FIRST, 'a')).toBeUndefined()
    cache.set(FIRST, 'a', 1, 1)
    expect(cache.get(FIRST, 'a')).toBeUndefined()
  })

  it('counts what is set twice once', () => {
    const cache = new PageCache<number>(250)
    cache.get(FIRST, 'a')
    for (let at = 0; at < 5; at++) cache.set(FIRST, 'a', at, 100)
    cache.set(FIRST, 'b', 7, 100)
    expect([cache.get(FIRST, 'a'), cache.get(FIRST, 'b')]).toEqual([4, 7])
  })

  it('forgets all when the history has changed, and does not keep what was read before', () => {
    const cache = new PageCache<string>(1000)
    expect(cache.get(FIRST, 'a')).toBeUndefined()
    cache.set(FIRST, 'a', 'old', 10)
    // While one request still reads at the first version, another sees the later one.
    expect(cache.get(LATER, 'a')).toBeUndefined()
    cache.set(FIRST, 'b', 'old', 10)
    expect(cache.get(LATER, 'b')).toBeUndefined()
    cache.set(LATER, 'b', 'new', 10)
    expect(cache.get(LATER, 'b')).toBe('new')
  })

  it('keeps what it has when a request comes late that saw an older version', () => {
    const reopened = { generation: 2, revision: 0 }
    const cache = new PageCache<string>(1000)
    for (const [now, past] of [
      [LATER, FIRST],
      [reopened, LATER],
    ] as const) {
      expect(cache.get(now, 'a')).toBeUndefined()
      cache.set(now, 'a', 'new', 10)
      expect(cache.get(past, 'a')).toBeUndefined()
      cache.set(past, 'a', 'old', 10)
      expect(cache.get(now, 'a')).toBe('new')
    }
  })
})
