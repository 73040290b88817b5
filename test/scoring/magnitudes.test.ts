import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PairedAttempt } from '../../src/pairing/paired-attempt.js'
import { Magnitudes } from '../../src/scoring/magnitudes.js'
import { numbers } from '../support/random.js'

type Forecast = number | null
/** Of each model: its forecasts of one series, one for each origin. */
type Models = Readonly<Record<string, readonly Forecast[]>>

/** @param stores - each a series; `mine` is the candidate, the others are its comparators. */
function found(stores: readonly Models[]) {
  const names = Object.keys(stores[0]!).filter((name) => name !== 'mine')
  const cells = stores.map((_, id) => ({ id, series: `store ${id}`, horizon: 1 }))
  const compared = { candidates: [{ name: 'mine' }], comparators: names.map((name) => ({ name })) }
  const magnitudes = new Magnitudes(compared, cells as never)
  const origins = stores[0]!.mine!.length
  for (const [cell, models] of stores.entries()) {
    for (let origin = 0; origin < origins; origin++) {
      for (const model of ['mine', ...names].sort()) {
        const key = { series: `store ${cell}`, origin, cell, model }
        const attempt = { ...key, expected: true, forecast: models[model]![origin] }
        magnitudes.add(attempt as PairedAttempt)
      }
    }
  }
  return magnitudes.result()
}
const isFound = (...stores: readonly Models[]) => found(stores).length > 0
const times = (factor: number, values: readonly Forecast[]) =>
  values.map((value) => value && value * factor)

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Sales of a year of days: mostly 0, of a store that sells now and then, now and then a lot. */
function sales(seed: number, zeros: number) {
  const next = numbers(seed)
  const draw = () => (next() < zeros ? 0 : Math.ceil(8 * next() ** 3))
  return Array.from({ length: 400 }, draw)
}

/** What simple models forecast of the day after each of the last 300. */
function forecastsOf(values: readonly number[]) {
  const days = Array.from({ length: 300 }, (_, day) => day + 100)
  const of = (rule: (day: number) => number) => days.map(rule)
  return {
    last: of((day) => values[day - 1]!),
    week: of((day) => values[day - 7]!),
    median: of((day) => median(values.slice(day - 60, day))),
    mean: of((day) => mean(values.slice(day - 28, day))),
    // An honest model that is never 0, and one that forecasts sales or none.
    smooth: of((day) => Math.max(0.05, 0.8 * mean(values.slice(day - 90, day)))),
    rounded: of((day) => Math.round(1.4 * mean(values.slice(day - 7, day)))),
  }
}

describe('candidates in another unit', () => {
  const level = Array.from({ length: 30 }, (_, at) => 2 + Math.sin(at))
  const last = level.map((value) => value * 1.1)
  const river = (factor: number) => ({ mine: times(factor, level), last, mean: level })

  it('are those more than five times each comparator, or less than a fifth', () => {
    expect(found([river(100)])).toEqual([
      {
        ...{ candidate: 'mine', series: 1, of: 1 },
        first: {
          ...{ series: 'store 0', comparator: 'last', keys: 30, beyond: 30 },
          ratio: expect.closeTo(100 / 1.1, 10),
        },
      },
    ])
    expect(found([river(0.01)])[0]!.first).toMatchObject({ comparator: 'mean', beyond: 30 })
    const isFar = (factor: number) => isFound(river(factor))
    // The comparator `last` is a tenth larger: 5.4 times the other is less than five times this one.
    expect([0.19, 0.21, 1, 4.9, 5.4, 5.6].map(isFar)).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('are counted by series, and the first is named', () => {
    const [first] = found([river(1), river(100), river(1), river(1000)])
    expect(first).toMatchObject({ series: 2, of: 4, first: { series: 'store 1' } })
  })

  it('are not looked for in fewer than 20 forecasts, or where one comparator is near', () => {
    const cut = (values: readonly Forecast[], keys: number) =>
      values.map((value, at) => (at < keys ? value : null))
    const some = (keys: number) => ({ ...river(100), mine: cut(times(100, level), keys) })
    expect([19, 20].map((keys) => isFound(some(keys)))).toEqual([false, true])
    expect(isFound({ ...river(100), near: times(70, level) })).toBe(false)
    // One that hardly forecasts is no measure: 19 forecasts beside two that are far.
    expect(isFound({ ...river(100), near: cut(times(70, level), 19) })).toBe(true)
  })

  it('are not taken from temperatures around 0, whatever their size', () => {
    const cold = Array.from({ length: 60 }, (_, at) => 0.5 * Math.sin(at))
    expect(isFound({ mine: times(100, cold), last: cold.map((x) => x - 0.4) })).toBe(false)
    expect(isFound({ mine: cold.map(() => 8), last: cold.map(() => -8) })).toBe(false)
  })

  it('are found below 0 as above, and in temperatures that now and then cross it', () => {
    const negative = times(-1, level)
    const debts = { mine: times(100, negative), last: times(-1, last), mean: negative }
    expect(found([debts])[0]!.first).toMatchObject({ comparator: 'last', keys: 30, beyond: 30 })
    expect(found([debts])[0]!.first.ratio).toBeCloseTo(100 / 1.1, 10)
    expect(isFound({ ...debts, mine: times(4, negative) })).toBe(false)
    expect(isFound({ ...debts, mine: times(0.01, negative) })).toBe(true)
    // A winter from -10 to 6 degrees, in tenths of a degree.
    const winter = Array.from({ length: 90 }, (_, at) => 8 * Math.sin(at / 9) - 2)
    const next = winter.map((value, at) => value + Math.sin(at))
    expect(isFound({ mine: times(10, next), last: winter })).toBe(true)
    expect(isFound({ mine: next, last: winter })).toBe(false)
  })

  it('are not the honest means of what lies around 0', () => {
    const next = numbers(3)
    const noise = Array.from({ length: 200 }, () => next() - 0.45)
    expect(isFound({ mine: noise.map(() => 0.01), last: noise })).toBe(false)
    expect(isFound({ mine: noise.map(() => -0.01), last: noise.map((x) => -x) })).toBe(false)
  })

  const ZEROS = [0.3, 0.5, 0.6, 0.8, 0.95]
  it.each(['last', 'week', 'median', 'mean', 'smooth', 'rounded'] as const)(
    'are no honest ones of 20 stores with many zeros: %s',
    (name) => {
      for (const zeros of ZEROS) {
        const stores = Array.from({ length: 20 }, (_, seed) => {
          const { [name]: mine, last, week, median } = forecastsOf(sales(seed + 1, zeros))
          return [
            { mine, last, week },
            { mine, median },
          ] as const
        })
        for (const at of [0, 1] as const) expect(found(stores.map((each) => each[at]))).toEqual([])
      }
    },
  )

  it('are found in stores with many zeros, too', () => {
    // With 95 % zeros a comparator is above 0 fewer than 20 times.
    for (const zeros of ZEROS.slice(0, -1)) {
      const { smooth, last, week } = forecastsOf(sales(7, zeros))
      expect(isFound({ mine: times(100, smooth), last, week })).toBe(true)
    }
  })

  it('are never models within a factor of five of a comparator', () => {
    const value = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
    const factor = fc.double({ min: 0.21, max: 4.9, noNaN: true })
    const key = fc.record({ value, factor, far: value })
    fc.assert(
      fc.property(fc.array(key, { minLength: 20, maxLength: 60 }), (keys) => {
        const near = keys.map((each) => each.value)
        const mine = keys.map((each) => each.value * each.factor)
        const far = keys.map((each) => each.far)
        expect(isFound({ mine, near, far })).toBe(false)
        expect(isFound({ mine: times(30, mine), near })).toBe(true)
        expect(isFound({ mine: times(1 / 30, mine), near })).toBe(true)
      }),
    )
  })
})
