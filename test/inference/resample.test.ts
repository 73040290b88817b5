import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockSums } from '../../src/inference/resample.js'
import { blockSum } from './reference.js'

describe('block sums', () => {
  it('are those of their block alone, bit for bit, for every length', () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 70,
    })
    fc.assert(
      fc.property(values, fc.nat(), (series, pick) => {
        const length = 1 + (pick % series.length)
        const sums = blockSums(Float64Array.from(series), length)
        expect(sums).toHaveLength(series.length - length + 1)
        sums.forEach((sum, start) => {
          expect(sum).toBe(blockSum(series.slice(start, start + length)))
        })
      }),
    )
  })
})
