import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosines, createCosineTables } from '../../src/inference/cosines.js'
import { countOriginsADay } from '../../src/inference/days.js'
import {
  cumulativeDifference as differenceOfSums,
  fluctuationBand,
  hlnTest,
  testWeekMemory as memoryOfCentred,
} from '../../src/inference/diagnostics.js'
import {
  degreesOfFreedom,
  degreesOfWindow,
  runEwcTest as testCentred,
} from '../../src/inference/ewc.js'
import type { Series } from '../../src/inference/family-input.js'
import {
  fisherTail,
  studentQuantile,
  studentTail,
  tailQuantile,
} from '../../src/inference/student-t.js'
import { createMeanSums } from '../../src/inference/sums.js'
import { normals, numbers } from '../support/random.js'
import { EWC_CASES, type EwcGolden, golden, goldenRows } from './golden.js'
import { centredOf, judgedTest } from './made.js'

const figures = JSON.parse(golden('ewc.json')) as EwcGolden[]

const seriesOf = (values: ArrayLike<number>) => ({ values: Float64Array.from(values) })
const of = (...values: number[]) => seriesOf(values)
const runEwcTest = (components: readonly Series[], nu: number) =>
  testCentred(centredOf(components), nu)
const testWeekMemory = (components: readonly Series[], blocks: number, tables: typeof cosines) =>
  memoryOfCentred(centredOf(components), blocks, tables)
const cumulativeDifference = (components: readonly Series[]) =>
  differenceOfSums(createMeanSums(components, 1))
const off = (found: number, expected: number) => Math.abs(found / expected - 1)

describe('the equal-weighted cosine test', () => {
  it.each(EWC_CASES.map((one, index) => [index, one] as const))(
    'case %i is what numpy finds',
    (index, one) => {
      const found = runEwcTest(one.components, one.nu)
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
    const { estimate, standardError } = runEwcTest([of(1, 3, 1, 3)], 1)
    expect(estimate).toBe(2)
    expect(standardError).toBeCloseTo(Math.abs(lambda) / 2, 14)
  })

  it('has no doubt of differences that are all 0, and no p for others that do not vary', () => {
    const constant = (value: number) => ({ values: new Float64Array(480).fill(value) })
    expect(runEwcTest([constant(0)], 4)).toEqual({ estimate: 0, standardError: 0, p: 1 })
    for (const value of [1, -0.1, 1e-9]) expect(runEwcTest([constant(value)], 4).p).toBeNull()
    // A loss plus a constant less the loss: the same but for rounding.
    const noise = { values: Float64Array.from({ length: 480 }, (_, i) => i / 7 + 0.1 - i / 7) }
    expect(runEwcTest([noise], 4).p).toBeNull()
    // A sum that no number holds.
    expect(runEwcTest([of(1e308, 1.5e308, 1e308, 1.2e308)], 1).p).toBeNull()
    // Components that cancel at every origin.
    expect(runEwcTest([of(1, 2, 3), of(-1, -2, -3)], 4)).toEqual({
      estimate: 0,
      standardError: 0,
      p: 1,
    })
  })

  it('does not see holes, and of a stratum sees its members only', () => {
    const values = [0.3, -0.1, 0.2, 0.5, -0.4, 0.1]
    const dense = runEwcTest([of(...values)], 4)
    const hole = Number.NaN
    expect(runEwcTest([of(hole, 0.3, -0.1, hole, hole, 0.2, 0.5, -0.4, 0.1, hole)], 4)).toEqual(
      dense,
    )
    const members = Uint8Array.from([1, 0, 1, 1, 1, 1, 1])
    expect(runEwcTest([{ ...of(0.3, 99, -0.1, 0.2, 0.5, -0.4, 0.1), members }], 4)).toEqual(dense)
    const same = of(...values)
    const { estimate, standardError } = runEwcTest([same, same, same, same], 4)
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
        const there = runEwcTest([of(...values)], nu)
        const back = runEwcTest([of(...values.map((value) => -value))], nu)
        const larger = runEwcTest([of(...values.map((value) => value * 1024))], nu)
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
  ] as const)(
    '%i days of hours and a memory of %s make %i degrees of freedom',
    (days, memory, nu) => {
      expect(degreesOfWindow({ origins: 24 * days, blockLength: 24 }, memory)).toBe(nu)
    },
  )

  // max(4, min(8, ⌊e/2⌋, ⌊n/10⌋, ⌊days/4⌋)); of hours, where it is more, min(16, ⌊e/4⌋, ⌊n/10⌋, ⌊days/4⌋).
  it.each([
    ['12 blocks of 5 weeks', 12, 60, 420, 6, 6],
    ['20 blocks of 5 weeks', 20, 100, 700, 8, 8],
    ['80 blocks of 5 weeks', 80, 400, 2800, 8, 16],
    ['30 weeks', 15, 30, 210, 4, 4],
    ['40 days in 20 blocks', 20, 40, 40, 4, 4],
    ['96 quarter hours of a day', 96, 96, 1, 4, 4],
    ['80 days of 96 quarter hours', 80, 7680, 80, 8, 16],
  ] as const)('%s', (_, effectiveBlocks, pairs, days, widths, points) => {
    const extent = { effectiveBlocks, pairs, days }
    expect(degreesOfFreedom(extent, 'days')).toBe(widths)
    expect(degreesOfFreedom(extent, 'hours')).toBe(points)
  })
})

describe('origins of one day', () => {
  const HOUR = 3_600_000_000
  const every = (hours: number, count: number) =>
    Float64Array.from({ length: count }, (_, at) => at * hours * HOUR)

  it.each([
    ['every hour', every(1, 100), 24],
    ['every hour of less than a day', every(1, 10), 10],
    ['every quarter of an hour', every(0.25, 1000), 92],
    ['every six hours', every(6, 100), 4],
    ['once a day', every(24, 100), 1],
    ['once a day by a clock that goes forward', every(23, 100), 1],
    ['once a week', every(168, 100), 1],
    ['in no order', Float64Array.from([5, 30, 4, 29, 3].map((at) => at * HOUR)), 3],
    ['never', [], 1],
  ])('%s', (_, dues, expected) => {
    expect(countOriginsADay(dues)()).toBe(expected)
  })

  it('counts those of a level alone', () => {
    const night = Uint8Array.from({ length: 100 }, (_, at) => Number(at % 24 < 6))
    expect(countOriginsADay(every(1, 100))(night)).toBe(6)
  })
})

it('pairs of fewer than 16 days are no test', () => {
  const random = numbers(3)
  const values = Float64Array.from({ length: 16 * 96 }, () => random() - 0.4)
  const dues = Float64Array.from(values, (_, at) => at * 900_000_000)
  const design = { blockLength: 1, alpha: 0.05, minimumPairs: 30, minimumBlocks: 10 }
  const judge = (length: number) => {
    const components = [{ values: values.subarray(0, length) }]
    const test = { name: 'loss', components, memory: 'hours' as const }
    const aDay = countOriginsADay(dues.subarray(0, length))
    return judgedTest(test, { ...design, originsADay: aDay }, createCosineTables())
  }
  // In 23 hours there are 92 quarters of an hour.
  expect(judge(16 * 92).reasons).toEqual([])
  expect(judge(16 * 92 - 1)).toMatchObject({ p: null, reasons: ['too_few_days'] })
})

it('cosines are those of this machine to the last bits, and exactly symmetric', () => {
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

describe('the memory of weeks', () => {
  // scipy 1.x, f.ppf(0.99, 8, e // 2 - 8).
  it.each([
    [40, 4.4993652808474325],
    [60, 3.4530335271058057],
    [100, 2.968144008453235],
    [180, 2.7361037043150938],
    [365, 2.6149390050356875],
  ])('with %i blocks is flagged beyond the 1 %% point of F', (blocks, point) => {
    const quick = Math.floor(blocks / 2) - 8
    expect(tailQuantile((x) => fisherTail(x, quick), 0.01)).toBeCloseTo(point, 12)
    const random = numbers(blocks)
    const noise = seriesOf(Array.from({ length: 24 * blocks }, () => random() - 0.5))
    expect(testWeekMemory([noise], blocks, cosines).limit).toBeCloseTo(point, 12)
  })

  it('has the ratio of the strengths of the waves that make a series up', () => {
    // Λ of a wave of amplitude a is a √(n/2): 3 of one slow wave in eight, 1 of one quick wave in 22.
    const n = 1440
    const wave = (j: number, i: number) => Math.cos((Math.PI * j * (i + 0.5)) / n)
    const waves = seriesOf(Array.from({ length: n }, (_, i) => 3 * wave(2, i) + wave(20, i)))
    const { ratio } = testWeekMemory([waves], 60, cosines)
    expect(ratio).toBeCloseTo(9 / 8 / (1 / 22), 8)
  })

  it('flags a regime, and no hours that are independent', () => {
    const random = numbers(3)
    const hours = Array.from({ length: 24 * 60 }, () => random() - 0.5)
    const plain = testWeekMemory([seriesOf(hours)], 60, cosines)
    expect(plain.ratio as number).toBeLessThan(plain.limit as number)
    const regimes = hours.map((hour, at) => hour + (Math.floor(at / 360) % 2 === 0 ? 0.1 : -0.1))
    const long = testWeekMemory([seriesOf(regimes)], 60, cosines)
    expect(long.ratio as number).toBeGreaterThan(long.limit as number)
  })

  it('cannot be seen below 40 blocks, nor where nothing varies; the p of four degrees is there', () => {
    const random = numbers(4)
    const few = [seriesOf(Array.from({ length: 24 * 39 }, () => random() - 0.4))]
    const { p } = runEwcTest(few, 4)
    expect(testWeekMemory(few, 39, cosines)).toEqual({ ratio: null, limit: null, p })
    const none = [seriesOf(new Float64Array(960))]
    expect(testWeekMemory(none, 40, cosines)).toEqual({ ratio: null, limit: null, p: 1 })
  })
})

/** WWWusage 81 to 100, forecast 8.20 of R, `dm.test` with power 2: errors of two models fitted on 1 to 80. */
const E1 = [
  0.0022412701761709286, -0.000661905992217271, -1.2000026125296301, -4.000218177889877,
  3.799373533181466, 3.4010051111204973, -1.1996921245086298, -0.8004900476306887,
  -1.200048999480174, 3.3998472285797448, 7.0007089476801525, 2.2009892408481733,
  -4.800165569389151, -1.2010433753110021, 3.400167556270844, 3.0007090851759983,
  0.4002679495869188, -6.80016920715596, -2.4012590500643682, 1.2001121977203013,
]
const E2 = [
  0.12099981757537345, 8.062226939019018, -0.918942930020215, -1.7952435728848808,
  5.343127744827294, 2.045982268337289, -0.6073261160106069, 0.5516816124796277,
  -0.7633237942161724, 4.122947157772384, 5.878533335363768, 1.2828331055875897,
  -3.4854233295140964, 1.1971370060031972, 3.1709313778729338, 2.340845672641073,
  0.4962285628700005, -5.984136153814899, 0.15371135726481594, 0.4207951199410653,
]

describe('the statistic of Harvey, Leybourne and Newbold', () => {
  const squares = E1.map((error, at) => error ** 2 - (E2[at] as number) ** 2)

  it.each([
    [1, -0.143918063949, 0.8870806723],
    [10, -0.081125740951, 0.9361904325],
  ])('at h = %i is that of R', (lead, statistic, p) => {
    const found = hlnTest(centredOf([seriesOf(squares)]), lead)
    expect(found?.statistic).toBeCloseTo(statistic, 11)
    expect(found?.p).toBeCloseTo(p, 9)
  })

  it('takes holes out', () => {
    const holed = seriesOf(
      squares.flatMap((square, at) => (at % 3 === 0 ? [Number.NaN, square] : square)),
    )
    expect(hlnTest(centredOf([holed]), 4)).toEqual(hlnTest(centredOf([seriesOf(squares)]), 4))
  })

  it('has no value where the variance is not positive', () => {
    // Autocovariances 1, -1 + 1/n, …: with two terms 1 - 2 < 0.
    const swinging = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 1 : -1))
    expect(hlnTest(centredOf([seriesOf(swinging)]), 2)).toBeNull()
    expect(hlnTest(centredOf([seriesOf(swinging)]), 1)?.p).toBe(1)
    expect(hlnTest(centredOf([seriesOf([2, 2, 2])]), 1)).toBeNull()
  })
})

describe('the cumulative difference', () => {
  it('is 0 at first, and all of the mean at last', () => {
    const random = numbers(6)
    const holed = () =>
      seriesOf(Array.from({ length: 733 }, () => (random() < 0.1 ? Number.NaN : random() - 0.3)))
    const components = [holed(), holed(), holed(), holed()]
    const sums = cumulativeDifference(components)
    expect(sums).toHaveLength(101)
    expect(sums[0]).toBe(0)
    expect(sums[100]).toBeCloseTo(runEwcTest(components, 4).estimate, 14)
  })

  it('by hand: one in the third of 200 hours, and two in the last', () => {
    const sums = cumulativeDifference([
      seriesOf(Array.from({ length: 200 }, (_, at) => (at === 2 ? 1 : at === 199 ? 2 : 0))),
    ])
    expect(sums.slice(0, 3)).toEqual([0, 0, 1 / 200])
    expect(sums.slice(98)).toEqual([1 / 200, 1 / 200, 3 / 200])
  })

  it('leaves its band in about 5 % of windows of independent hours, as Giacomini and Rossi have it', () => {
    // Of 100 independent steps, the standard deviation known; they have 5 % for steps without end.
    const normal = normals(8)
    const windows = 2000
    let left = 0
    for (let window = 0; window < windows; window++) {
      const steps = Array.from({ length: 100 }, normal)
      const sums = cumulativeDifference([seriesOf(steps)])
      const band = fluctuationBand(1 / Math.sqrt(100))
      left += Number(sums.slice(30).some((sum, at) => Math.abs(sum - (sums[at] as number)) > band))
    }
    expect(left / windows).toBeGreaterThan(0.03)
    expect(left / windows).toBeLessThan(0.06)
  })
})
