import { describe, expect, it } from 'vitest'
import { PageCache } from '../../../src/service/api/pages.js'

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
