import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openCursor, writeCursor } from '../../../src/service/api/cursor.js'
import { RequestFault } from '../../../src/service/api/fault.js'
import type { PageFilters } from '../../../src/store/types.js'

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
        const cursor = writeCursor(bound, NONE, where)
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(openCursor(bound, NONE, cursor)).toEqual(where)
      }),
    )
  })

  it('do not open for other filters', () => {
    fc.assert(
      fc.property(filters, filters, continuation, (bound, other, where) => {
        fc.pre(JSON.stringify(bound) !== JSON.stringify(other))
        const cursor = writeCursor(bound, NONE, where)
        expect(() => openCursor(other, NONE, cursor)).toThrow(RequestFault)
      }),
    )
  })

  it('do not open when a character was changed, added or taken away', () => {
    fc.assert(
      fc.property(continuation, fc.nat(), fc.string({ maxLength: 3 }), (where, at, put) => {
        const cursor = writeCursor({}, NONE, where)
        const place = at % cursor.length
        const altered = cursor.slice(0, place) + put + cursor.slice(place + 1)
        fc.pre(altered !== cursor)
        expect(() => openCursor({}, NONE, altered)).toThrow(RequestFault)
      }),
    )
  })

  it('do not open, nor take long, when they are anything else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (junk) => {
        expect(() => openCursor({}, NONE, junk)).toThrow(RequestFault)
      }),
    )
    expect(() => openCursor({}, NONE, 'A'.repeat(1_000_000))).toThrow(RequestFault)
  })
})
