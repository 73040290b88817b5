import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { studentQuantile, studentTail } from '../../src/inference/student-t.js'
import { goldenRows } from './golden.js'

const rows = goldenRows('student.csv').map(([what, ...numbers]) => {
  const [nu, argument, figure] = numbers.map(Number) as [number, number, number]
  return { what, nu, argument, figure }
})
const of = (what: string) => rows.filter((row) => row.what === what)
const off = (found: number, expected: number) => Math.abs(found / expected - 1)

describe("Student's t", () => {
  it("has R's tails, from 1 down to 1e-200, for every nu from 4 to 16", () => {
    const tails = of('tail')
    expect(new Set(tails.map(({ nu }) => nu)).size).toBe(13)
    expect(Math.min(...tails.map(({ figure }) => figure))).toBeLessThan(1.01e-200)
    for (const { nu, argument, figure } of tails) {
      expect(off(studentTail(argument, nu), figure), `nu ${nu}, t ${argument}`).toBeLessThan(1e-12)
    }
  })

  it("has R's quantiles", () => {
    for (const { nu, argument, figure } of of('quantile')) {
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
