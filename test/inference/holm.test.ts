import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bootstrapP,
  canReject,
  holm,
  largestFamily,
  smallestP,
  weightedHolm,
} from '../../src/inference/holm.js'

function expectClose(found: (number | undefined)[], expected: number[]) {
  expect(found.length).toBe(expected.length)
  expected.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 12)
  })
}

describe("Holm's procedure", () => {
  it('counts blocked tests in the family and gives them no step', () => {
    const steps = holm([null, 0.02, null, 0.01], 0.05)
    expect(steps[0]).toBeNull()
    expect(steps[2]).toBeNull()
    expect(steps[3]).toEqual({ rank: 1, multiplier: 4, adjustedP: 0.04, rejected: true })
    expect(steps[1]).toEqual({ rank: 2, multiplier: 3, adjustedP: 0.06, rejected: false })
  })

  it('lets ties share rank and multiplier, in any order', () => {
    const steps = holm([0.01, 0.3, 0.01], 0.05)
    expect(steps[0]).toEqual({ rank: 1, multiplier: 3, adjustedP: 0.03, rejected: true })
    expect(steps[2]).toEqual(steps[0])
    expect(steps[1]).toMatchObject({ rank: 3, multiplier: 1 })
  })
})

describe("Holm's procedure with weights", () => {
  it('is by hand what it is by the book', () => {
    // p / w: 0.02, 0.025, 0.06, 0.04; the blocked test keeps its 0.1.
    const p = [0.008, 0.005, 0.012, null, 0.008]
    const w = [0.4, 0.2, 0.2, 0.1, 0.2]
    const [a, b, c, blocked, d] = weightedHolm(p, w, 0.05)
    expect(blocked).toBeNull()
    // Sums that remain: 1.1, 0.7, 0.5, 0.3.
    expectClose([a?.adjustedP, b?.adjustedP], [0.022, 0.022])
    expectClose([d?.adjustedP, c?.adjustedP], [0.022, 0.022])
    expectClose([a?.multiplier, b?.multiplier, d?.multiplier, c?.multiplier], [2.75, 3.5, 2.5, 1.5])
    expect([a, b, d, c].map((step) => step?.rank)).toEqual([1, 2, 3, 4])
  })

  it('leaves the level of where it stopped to all that were not rejected', () => {
    const [a, b, c] = weightedHolm([0.001, 0.03, 0.9], [2, 1, 1], 0.05)
    expect([a?.rejected, b?.rejected, c?.rejected]).toEqual([true, false, false])
    expectClose([a?.level, b?.level, c?.level], [(0.05 * 2) / 4, 0.05 / 2, 0.05 / 2])
  })

  const weight = fc.constantFrom(0.8 / 3, 0.2 / 7, 1, 2.5)
  const p = fc.oneof(
    fc.double({ min: 0, max: 0.1, noNaN: true }),
    fc.constantFrom(0, 0.001, 0.01, 0.05, 1),
  )
  const tests = fc.array(fc.tuple(fc.option(p, { freq: 5 }), weight), { maxLength: 30 })
  const ladder = (list: [number | null, number][]) =>
    weightedHolm(
      list.map(([value]) => value),
      list.map(([, own]) => own),
      0.05,
    )

  it('with equal weights is Holm without, in any unit', () => {
    fc.assert(
      fc.property(tests, weight, (list, own) => {
        const values = list.map(([value]) => value)
        const equal = ladder(values.map((value) => [value, own]))
        const plain = holm(values, 0.05)
        expectClose(
          equal.map((step) => step?.adjustedP ?? 2),
          plain.map((step) => step?.adjustedP ?? 2),
        )
      }),
    )
  })

  it('does not hang on the order of the input, and rejects from the top', () => {
    fc.assert(
      fc.property(tests, (list) => {
        const steps = ladder(list)
        const reversed = ladder([...list].reverse()).reverse()
        steps.forEach((step, at) => {
          expect(reversed[at]?.rejected).toBe(step?.rejected)
          if (step) expect(reversed[at]?.adjustedP).toBeCloseTo(step.adjustedP, 12)
        })
        const kept = steps.filter((step) => step && !step.rejected).map((step) => step!.rank)
        for (const step of steps) {
          if (step?.rejected) expect(step.rank).toBeLessThan(Math.min(...kept, Infinity))
        }
      }),
    )
  })

  it('has levels that answer as the ladder does: p is at or below them where it is rejected', () => {
    fc.assert(
      fc.property(tests, (list) => {
        ladder(list).forEach((step, at) => {
          if (step === null) return
          const value = list[at]![0]!
          // Where both are equal on paper, rounding may decide.
          if (Math.abs(value - step.level) < 1e-12) return
          expect(value < step.level).toBe(step.rejected)
        })
      }),
    )
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
