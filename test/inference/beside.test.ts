import { describe, expect, it } from 'vitest'
import {
  cumulativeDifference,
  fluctuationBand,
  hlnTest,
  weekMemory,
} from '../../src/inference/beside.js'
import { cosines } from '../../src/inference/cosines.js'
import { ewcTest } from '../../src/inference/ewc.js'
import { fisherTail, tailQuantile } from '../../src/inference/student-t.js'
import { normals, numbers } from '../support/random.js'

const NAN = Number.NaN
const seriesOf = (values: ArrayLike<number>) => ({ values: Float64Array.from(values) })

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
    expect(weekMemory([noise], blocks, cosines).limit).toBeCloseTo(point, 12)
  })

  it('has the ratio of the strengths of the waves that make a series up', () => {
    // Λ of a wave of amplitude a is a √(n/2): 3 of one slow wave in eight, 1 of one quick wave in 22.
    const n = 1440
    const wave = (j: number, i: number) => Math.cos((Math.PI * j * (i + 0.5)) / n)
    const waves = seriesOf(Array.from({ length: n }, (_, i) => 3 * wave(2, i) + wave(20, i)))
    const { ratio } = weekMemory([waves], 60, cosines)
    expect(ratio).toBeCloseTo(9 / 8 / (1 / 22), 8)
  })

  it('flags a regime, and no hours that are independent', () => {
    const random = numbers(3)
    const hours = Array.from({ length: 24 * 60 }, () => random() - 0.5)
    const plain = weekMemory([seriesOf(hours)], 60, cosines)
    expect(plain.ratio as number).toBeLessThan(plain.limit as number)
    const regimes = hours.map((hour, at) => hour + (Math.floor(at / 360) % 2 === 0 ? 0.1 : -0.1))
    const long = weekMemory([seriesOf(regimes)], 60, cosines)
    expect(long.ratio as number).toBeGreaterThan(long.limit as number)
  })

  it('cannot be seen below 40 blocks, nor where nothing varies; the p of four degrees is there', () => {
    const random = numbers(4)
    const few = [seriesOf(Array.from({ length: 24 * 39 }, () => random() - 0.4))]
    const { p } = ewcTest(few, 4)
    expect(weekMemory(few, 39, cosines)).toEqual({ ratio: null, limit: null, p })
    const none = [seriesOf(new Float64Array(960))]
    expect(weekMemory(none, 40, cosines)).toEqual({ ratio: null, limit: null, p: 1 })
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
    const found = hlnTest(seriesOf(squares), lead)
    expect(found?.statistic).toBeCloseTo(statistic, 11)
    expect(found?.p).toBeCloseTo(p, 9)
  })

  it('takes holes out', () => {
    const holed = seriesOf(squares.flatMap((square, at) => (at % 3 === 0 ? [NAN, square] : square)))
    expect(hlnTest(holed, 4)).toEqual(hlnTest(seriesOf(squares), 4))
  })

  it('has no value where the variance is not positive', () => {
    // Autocovariances 1, -1 + 1/n, …: with two terms 1 - 2 < 0.
    const swinging = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 1 : -1))
    expect(hlnTest(seriesOf(swinging), 2)).toBeNull()
    expect(hlnTest(seriesOf(swinging), 1)?.p).toBe(1)
    expect(hlnTest(seriesOf([2, 2, 2]), 1)).toBeNull()
  })
})

describe('the cumulative difference', () => {
  it('is 0 at first, and all of the mean at last', () => {
    const random = numbers(6)
    const holed = () =>
      seriesOf(Array.from({ length: 733 }, () => (random() < 0.1 ? NAN : random() - 0.3)))
    const components = [holed(), holed(), holed(), holed()]
    const sums = cumulativeDifference(components)
    expect(sums).toHaveLength(101)
    expect(sums[0]).toBe(0)
    expect(sums[100]).toBeCloseTo(ewcTest(components, 4).estimate, 14)
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
