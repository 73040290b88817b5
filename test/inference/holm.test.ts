import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bootstrapP, canReject, holm, largestFamily, smallestP } from '../../src/inference/holm.js'

const adjusted = (p: (number | null)[]) => holm(p, 0.05).map((step) => step?.adjustedP)

function expectClose(found: (number | undefined)[], expected: number[]) {
  expect(found.length).toBe(expected.length)
  expected.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 12)
  })
}

describe("Holm's procedure", () => {
  // Adjusted p-values published with R's multtest.
  it('gives the published adjusted p-values', () => {
    expectClose(
      adjusted([0.002, 0.004, 0.006, 0.008, 0.01, 0.012]),
      [0.012, 0.02, 0.024, 0.024, 0.024, 0.024],
    )
    expectClose(
      adjusted([0.001, 0.002, 0.003, 0.004, 0.005, 0.05, 0.06, 0.07, 0.08, 0.09]),
      [0.01, 0.018, 0.024, 0.028, 0.03, 0.25, 0.25, 0.25, 0.25, 0.25],
    )
  })

  it('counts blocked tests in the family and gives them no step', () => {
    const steps = holm([null, 0.02, null, 0.01], 0.05)
    expect(steps[0]).toBeNull()
    expect(steps[2]).toBeNull()
    expect(steps[3]).toEqual({ rank: 1, multiplier: 4, adjustedP: 0.04, rejected: true })
    expect(steps[1]).toEqual({ rank: 2, multiplier: 3, adjustedP: 0.06, rejected: false })
  })

  it('lets ties share rank and multiplier, whatever their order', () => {
    const steps = holm([0.01, 0.3, 0.01], 0.05)
    expect(steps[0]).toEqual({ rank: 1, multiplier: 3, adjustedP: 0.03, rejected: true })
    expect(steps[2]).toEqual(steps[0])
    expect(steps[1]).toMatchObject({ rank: 3, multiplier: 1 })
  })

  it('stops at the first test that is not rejected', () => {
    const steps = holm([0.01, 0.03, 0.04], 0.05)
    expect(steps.map((step) => step?.rejected)).toEqual([true, false, false])
  })

  it('is the step-down procedure of the book, and does not hang on the order of the input', () => {
    const p = fc.integer({ min: 1, max: 200 }).map((count) => Math.min(1, (2 * count) / 401))
    fc.assert(
      fc.property(fc.array(fc.option(p, { freq: 5 }), { minLength: 1, maxLength: 30 }), (list) => {
        const steps = holm(list, 0.05)
        const sorted = list.filter((x): x is number => x !== null).sort((a, b) => a - b)
        let rejections = 0
        while (
          rejections < sorted.length &&
          sorted[rejections]! <= 0.05 / (list.length - rejections)
        ) {
          rejections++
        }
        expect(steps.filter((step) => step?.rejected).length).toBe(rejections)
        const reversed = holm([...list].reverse(), 0.05).reverse()
        expect(reversed).toEqual(steps)
      }),
    )
  })

  it.each([Number.NaN, -0.1, 1.1])('refuses %f for a p-value', (p) => {
    expect(() => holm([0.5, p], 0.05)).toThrow('p-value 2')
  })

  it('has nothing to say of an empty family', () => {
    expect(holm([], 0.05)).toEqual([])
  })
})

describe('the bootstrap p-value', () => {
  it('is twice the smaller tail with one added, over R + 1, at most 1', () => {
    expect(bootstrapP(0, 9999, 9999)).toBe(2 / 10_000)
    expect(bootstrapP(100, 9899, 9999)).toBe(202 / 10_000)
    expect(bootstrapP(9999, 9999, 9999)).toBe(1)
    expect(smallestP(199_999)).toBe(1e-5)
    expect(smallestP(1)).toBe(1)
  })

  it('bounds the family in which anything can be rejected', () => {
    expect(largestFamily(10_000, 0.05)).toBe(250)
    expect(largestFamily(200_000, 0.05)).toBe(5000)
    expect(largestFamily(199, 0.01)).toBe(1)
    expect(largestFamily(198, 0.01)).toBe(0)
  })

  it('agrees with Holm on the boundary, where rounding could decide', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }),
        fc.constantFrom(0.05, 0.01, 0.02, 0.025, 0.001, 0.049),
        (replicates, alpha) => {
          const largest = largestFamily(replicates, alpha)
          // In whole numbers, so that nothing is rounded.
          const scaled = BigInt(Math.round(alpha * 1000)) * BigInt(replicates + 1)
          expect(BigInt(largest)).toBe(scaled / 2000n)
          expect(canReject(replicates, alpha, largest + 1)).toBe(false)
          if (largest === 0) return
          expect(canReject(replicates, alpha, largest)).toBe(true)
          const family = [smallestP(replicates), ...Array(Math.min(largest, 3000) - 1).fill(null)]
          expect(holm(family, alpha)[0]?.rejected).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
