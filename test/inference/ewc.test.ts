import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosines } from '../../src/inference/cosines.js'
import { degreesOfFreedom, ewcTest } from '../../src/inference/ewc.js'
import { studentQuantile, studentTail } from '../../src/inference/student-t.js'
import type { Series } from '../../src/inference/types.js'
import { EWC_CASES, type EwcGolden, golden, goldenRows } from './golden.js'

const figures = JSON.parse(golden('ewc.json')) as EwcGolden[]

const of = (...values: number[]): Series => ({ values: Float64Array.from(values) })
const off = (found: number, expected: number) => Math.abs(found / expected - 1)

describe('the equal-weighted cosine test', () => {
  it.each(EWC_CASES.map((one, index) => [index, one] as const))(
    'case %i is what numpy finds',
    (index, one) => {
      const found = ewcTest(one.components, one.nu)
      const expected = figures[index] as EwcGolden
      expect(off(found.estimate, expected.estimate)).toBeLessThan(1e-10)
      expect(off(found.standardError, expected.standardError)).toBeLessThan(1e-10)
      expect(off(found.p as number, expected.p)).toBeLessThan(1e-10)
    },
  )

  it('has cases from no difference to one beyond doubt', () => {
    expect(figures).toHaveLength(EWC_CASES.length)
    expect(Math.max(...figures.map(({ p }) => p))).toBeGreaterThan(0.3)
    expect(Math.min(...figures.map(({ p }) => p))).toBeLessThan(1e-9)
  })

  it('by hand: four differences, one cosine', () => {
    // Mean 2; u = -1, 1, -1, 1; cos(pi/8 · 1, 3, 5, 7).
    const c = [1, 3, 5, 7].map((odd) => Math.cos((odd * Math.PI) / 8))
    const lambda = Math.sqrt(2 / 4) * (-c[0]! + c[1]! - c[2]! + c[3]!)
    const { estimate, standardError } = ewcTest([of(1, 3, 1, 3)], 1)
    expect(estimate).toBe(2)
    expect(standardError).toBeCloseTo(Math.abs(lambda) / 2, 14)
  })

  it('has no doubt of differences that are all 0, and no p for others that do not vary', () => {
    const constant = (value: number) => ({ values: new Float64Array(480).fill(value) })
    expect(ewcTest([constant(0)], 4)).toEqual({ estimate: 0, standardError: 0, p: 1 })
    for (const value of [1, -0.1, 1e-9]) expect(ewcTest([constant(value)], 4).p).toBeNull()
    // A loss plus a constant less the loss: the same but for rounding.
    const noise = { values: Float64Array.from({ length: 480 }, (_, i) => i / 7 + 0.1 - i / 7) }
    expect(ewcTest([noise], 4).p).toBeNull()
    // Components that cancel at every origin.
    expect(ewcTest([of(1, 2, 3), of(-1, -2, -3)], 4)).toEqual({
      estimate: 0,
      standardError: 0,
      p: 1,
    })
  })

  it('does not see holes, and of a stratum sees its members only', () => {
    const values = [0.3, -0.1, 0.2, 0.5, -0.4, 0.1]
    const dense = ewcTest([of(...values)], 4)
    const hole = Number.NaN
    expect(ewcTest([of(hole, 0.3, -0.1, hole, hole, 0.2, 0.5, -0.4, 0.1, hole)], 4)).toEqual(dense)
    const members = Uint8Array.from([1, 0, 1, 1, 1, 1, 1])
    expect(ewcTest([{ ...of(0.3, 99, -0.1, 0.2, 0.5, -0.4, 0.1), members }], 4)).toEqual(dense)
    const same = of(...values)
    const { estimate, standardError } = ewcTest([same, same, same, same], 4)
    expect(estimate).toBeCloseTo(dense.estimate, 15)
    expect(standardError).toBeCloseTo(dense.standardError, 15)
  })

  it('turns with the sign and does not depend on the unit', () => {
    const list = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 6,
      maxLength: 60,
    })
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 20 }), (values, nu) => {
        const there = ewcTest([of(...values)], nu)
        const back = ewcTest([of(...values.map((value) => -value))], nu)
        const larger = ewcTest([of(...values.map((value) => value * 1024))], nu)
        expect(back.p).toBe(there.p)
        expect(larger.p).toBe(there.p)
        if (there.estimate !== 0) expect(back.estimate).toBe(-there.estimate)
        expect(larger.standardError).toBe(there.standardError * 1024)
      }),
    )
  })

  it.each([
    [16, 'hours', 4],
    [20, 'hours', 5],
    [63, 'hours', 15],
    [64, 'hours', 16],
    [577, 'hours', 16],
    [19, 'days', 4],
    [32, 'days', 8],
    [577, 'days', 8],
  ] as const)('%i blocks and a memory of %s make %i degrees of freedom', (blocks, memory, nu) => {
    expect(degreesOfFreedom(blocks, memory)).toBe(nu)
  })
})

describe('cosines', () => {
  it('are those of this machine to the last bits, and exactly symmetric', () => {
    for (const n of [1, 2, 3, 7, 24, 479, 13_872]) {
      const table = cosines(n)
      for (let m = 0; m < 4 * n; m++) {
        const angle = (Math.PI * m) / (2 * n)
        expect(Math.abs(table[m]! - Math.cos(angle))).toBeLessThan(2e-15)
        if (m > 0) expect(table[m]).toBe(table[4 * n - m])
      }
      expect(table[0]).toBe(1)
      expect(Math.abs(table[n]!)).toBe(0)
    }
  })
})

const rows = goldenRows('student.csv').map(([what, ...numbers]) => {
  const [nu, argument, figure] = numbers.map(Number) as [number, number, number]
  return { what, nu, argument, figure }
})
const rowsOf = (what: string) => rows.filter((row) => row.what === what)

describe("Student's t", () => {
  it("has R's tails, from 1 down to 1e-200, for every nu from 4 to 16", () => {
    const tails = rowsOf('tail')
    expect(new Set(tails.map(({ nu }) => nu)).size).toBe(13)
    expect(Math.min(...tails.map(({ figure }) => figure))).toBeLessThan(1.01e-200)
    for (const { nu, argument, figure } of tails) {
      expect(off(studentTail(argument, nu), figure), `nu ${nu}, t ${argument}`).toBeLessThan(1e-12)
    }
  })

  it("has R's quantiles", () => {
    for (const { nu, argument, figure } of rowsOf('quantile')) {
      expect(off(studentQuantile(argument, nu), figure), `nu ${nu}, ${argument}`).toBeLessThan(
        1e-12,
      )
    }
  })

  it('has the closed forms of one and two degrees of freedom', () => {
    for (const t of [0.01, 0.7, 1, 3, 1000]) {
      expect(off(studentTail(t, 1), 1 - (2 / Math.PI) * Math.atan(t))).toBeLessThan(1e-11)
      const closed = 2 / (Math.sqrt(2 + t * t) * (t + Math.sqrt(2 + t * t)))
      expect(off(studentTail(t, 2), closed)).toBeLessThan(1e-12)
    }
  })

  it('is symmetric, falls, and is the inverse of its quantile', () => {
    const nu = fc.integer({ min: 1, max: 40 })
    const t = fc.double({ min: 1e-6, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(nu, t, (degrees, at) => {
        const p = studentTail(at, degrees)
        expect(studentTail(-at, degrees)).toBe(p)
        expect(p).toBeGreaterThanOrEqual(0)
        expect(p).toBeLessThanOrEqual(1)
        expect(studentTail(at * 1.001, degrees)).toBeLessThanOrEqual(p)
        if (p > 1e-290 && p < 0.999999) {
          expect(off(studentQuantile(p, degrees), at)).toBeLessThan(1e-9)
        }
      }),
    )
  })

  it('holds at the ends', () => {
    expect(studentTail(0, 4)).toBe(1)
    expect(studentTail(Number.POSITIVE_INFINITY, 4)).toBe(0)
    expect(studentTail(1e200, 4)).toBe(0)
    expect(studentTail(Number.NaN, 4)).toBeNaN()
    for (const level of [0, 1, -0.1, Number.NaN]) {
      expect(() => studentQuantile(level, 4)).toThrow(RangeError)
    }
  })
})
