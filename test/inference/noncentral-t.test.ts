import { describe, expect, it } from 'vitest'
import {
  noncentralMeanFactor,
  noncentralUpperTail,
  noncentralVariance,
} from '../../src/inference/student-t.js'
import { goldenRows } from './golden.js'

const rows = goldenRows('noncentral.csv').map(
  (cells) => cells.map(Number) as [number, number, number, number],
)

describe('noncentral t', () => {
  it("has R's upper tail", () => {
    expect(rows).toHaveLength(64)
    for (const [degrees, t, shift, figure] of rows) {
      expect(Math.abs(noncentralUpperTail(t, degrees, shift) - figure)).toBeLessThan(1e-6)
    }
  })

  // The mean of 1 / S with 4 degrees is sqrt(pi / 2), by hand; the variance without a shift nu / (nu - 2).
  it('has the moments of the textbook', () => {
    expect(noncentralMeanFactor(4)).toBeCloseTo(Math.sqrt(Math.PI / 2), 12)
    expect(noncentralVariance(4, 0)).toBeCloseTo(2, 12)
    expect(noncentralVariance(4, 3)).toBeCloseTo(20 - (9 * Math.PI) / 2, 10)
  })
})
