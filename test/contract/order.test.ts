import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareKeys, compareText } from '../../src/contract/order.js'

describe('compareText', () => {
  it('orders as the bytes of UTF-8 do, which is how SQLite compares', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
    expect(compareText('\uff5e', '\u{1f600}')).toBeLessThan(0)
  })
})

describe('compareKeys', () => {
  it('puts the newest origin first, then the shortest horizon, then the model', () => {
    const key = (origin: number, horizon: number, model: string) => ({ origin, horizon, model })
    const keys = [key(1, 2, 'a'), key(2, 4, 'a'), key(2, 2, 'b'), key(2, 2, 'B')]
    expect(keys.sort(compareKeys)).toEqual([
      key(2, 2, 'B'),
      key(2, 2, 'b'),
      key(2, 4, 'a'),
      key(1, 2, 'a'),
    ])
  })
})
