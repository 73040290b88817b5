import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimal } from '../../src/forecast/digits.js'

it('whole numbers are written as everybody writes them', () => {
  const edges = [0, 9, 10, 99, 100, 999, 1000, 1001, 9999, 1_000_000, 1_000_001, 123_045_006]
  for (const value of edges) expect(decimal(value)).toBe(String(value))
  fc.assert(fc.property(fc.maxSafeNat(), (value) => decimal(value) === String(value)))
})
