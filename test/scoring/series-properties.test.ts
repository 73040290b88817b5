import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quantile7 } from '../../src/contract/quantile.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { compileTransform, transformText } from '../../src/protocol/rules/transforms.js'
import { OwnErrors } from '../../src/scoring/baselines/own-errors.js'
import { seriesBaselineRows } from '../../src/scoring/baselines/series-baselines.js'
import { pinball } from '../../src/scoring/pinball.js'
import { computeScales } from '../../src/scoring/scales.js'
import { listScores } from '../../src/scoring/scores.js'
import { TruthView } from '../../src/truth/truth-view.js'
import { numbers } from '../support/random.js'
import { ABSOLUTE, inputsOf, type Released, type SeriesCase } from './series-sample.js'

const LEVELS = ['0.05', '0.25', '0.5', '0.75', '0.95']
type Transform = SeriesProtocol['scores'][number]['transform']
const TRANSFORMS: readonly Transform[] = [
  undefined,
  { kind: 'identity' },
  { kind: 'log' },
  { kind: 'log_shift', offset: '1' },
  { kind: 'sqrt' },
]
const HOUR = 3_600_000_000

function scoring(transform: Transform, scale = 1) {
  const on = transform && { transform }
  const scores: SeriesProtocol['scores'] = [
    { id: 'wis', kind: 'weighted_interval', primary: true, ...on },
    { id: 'ae', kind: 'absolute_error', ...on },
    { id: 'low', kind: 'pinball', level: '0.05', ...on },
    { id: 'high', kind: 'pinball', level: '0.95', ...on },
    { id: 'interval', kind: 'interval', lower: '0.05', upper: '0.95', ...on },
    { id: 'covered', kind: 'coverage', lower: '0.05', upper: '0.95' },
  ]
  const forecast = { levels: LEVELS }
  const series = [{ id: 's' }]
  const scales = scores.map((score) => {
    return { series: 's', transform: transformText(score), value: scale }
  })
  const all = listScores({ series, scores, forecast } as unknown as SeriesProtocol, scales)
  return (quantiles: readonly number[], outcome: number) =>
    all.map(({ of }) =>
      of(quantiles[2] as number, Float64Array.from(quantiles), outcome, 0, Number.NaN),
    )
}

const value = fc.double({ min: 0.01, max: 1e6, noNaN: true })
const quantiles = fc
  .array(value, { minLength: 5, maxLength: 5 })
  .map((own) => [...own].sort((a, b) => a - b))

describe.each(TRANSFORMS)('scores on %j', (transform) => {
  const { of: on, back } = compileTransform({ transform } as SeriesProtocol['scores'][number])

  it('are 0 for a forecast that is certain and right, and above it otherwise', () => {
    fc.assert(
      fc.property(quantiles, value, (own, outcome) => {
        const right = scoring(transform)(Array(5).fill(outcome), outcome)
        expect(right).toEqual([0, 0, 0, 0, 0, 1])
        for (const score of scoring(transform)(own, outcome))
          expect(score).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('are those of the transformed values, divided by the scale; coverage is that of the values', () => {
    fc.assert(
      fc.property(
        quantiles,
        value,
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        (own, y, scale) => {
          const plain = scoring(undefined)(own.map(on), on(y))
          const found = scoring(transform, scale)(own, y)
          for (const at of [0, 1, 2, 3, 4]) {
            expect(found[at]).toBeCloseTo((plain[at] as number) / scale, 8)
          }
          expect(found[5]).toBe((own[0] as number) <= y && y <= (own[4] as number) ? 1 : 0)
        },
      ),
    )
  })

  it('agree with each other: the interval is 2/α times its two pinballs, the weighted one their mean', () => {
    fc.assert(
      fc.property(quantiles, value, (own, y) => {
        const [wis = 0, ae = 0, low = 0, high = 0, interval = 0] = scoring(transform)(own, y)
        expect(Math.abs(interval / (20 * (low + high)) - 1 || 0)).toBeLessThan(1e-9)
        const rest = [1, 3].map(
          (at) => 2 * pinball(Number(LEVELS[at]), on(own[at] as number), on(y)),
        )
        const mean = (2 * low + 2 * high + ae + (rest[0] ?? 0) + (rest[1] ?? 0)) / 5
        expect(Math.abs(wis - mean)).toBeLessThanOrEqual(1e-9 * Math.max(1, wis))
      }),
    )
  })

  it('are of ascending transforms that lead back', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        if (a <= b) expect(on(a)).toBeLessThanOrEqual(on(b))
        expect(Math.abs(back(on(a)) / a - 1)).toBeLessThan(1e-9)
      }),
    )
  })
})

it('what has no transform has no score', () => {
  const all = [1, 2, 3, 4, 5]
  const isMissing = [...Array(5).fill(true), false]
  expect(scoring({ kind: 'log' })(all, 0).map(Number.isNaN)).toEqual(isMissing)
  expect(scoring({ kind: 'log_shift', offset: '1' })(all, 0).map(Number.isNaN)).not.toContain(true)
  expect(scoring({ kind: 'sqrt' })(all, -1).slice(0, 5).map(Number.isNaN)).not.toContain(false)
  expect(scoring({ kind: 'log' })([0, 2, 3, 4, 5], 3)[0]).toBeNaN()
})

describe('own errors', () => {
  const change = fc.tuple(
    fc.nat(29),
    fc.oneof(fc.double({ min: -9, max: 9, noNaN: true }), fc.constant(Number.NaN)),
  )

  it('are those of the newest forecasts with an outcome, whatever was revised in between', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 120 }),
        fc.integer({ min: 1, max: 12 }),
        (changes, window) => {
          const errors = new OwnErrors(window, 30)
          const points = Array.from({ length: 30 }, (_, at) => at % 7)
          for (const [at, point] of points.entries()) errors.forecast(at, point, Number.NaN)
          const outcomes = Array<number>(30).fill(Number.NaN)
          for (const [at, outcome] of changes) {
            errors.revise(at, outcome)
            outcomes[at] = outcome
            const own = outcomes.map((each, place) => Math.abs(each - (points[place] as number)))
            const newest = own.filter((each) => !Number.isNaN(each)).slice(-window)
            const both = newest.flatMap((each) => [each, -each]).sort((a, b) => a - b)
            expect(errors.size).toBe(newest.length)
            for (const level of [0.1, 0.5, 0.975]) {
              const expected = quantile7(both.length, (place) => both[place] as number, level)
              expect(errors.quantile(level)).toEqual(expected + 0)
            }
          }
        },
      ),
    )
  })
})

/** A series whose values are revised, without anything to forecast. */
function simple(random: () => number, periods: number): SeriesCase {
  const all = Array.from({ length: periods }, (_, at) => at)
  const due = all.map((at) => Math.floor((at + random() * 3) * 100) * HOUR)
  const released = (): Released =>
    Array.from({ length: Math.floor(random() * 4) }, (_, at) => [
      Math.floor((at + random()) * 900) * HOUR,
      random() < 0.2 ? null : Math.floor(random() * 9),
    ])
  return {
    due,
    known: due.map((at) => at + 200 * HOUR),
    settled: due.map((at) => at + 400 * HOUR),
    origins: all,
    ...{ horizons: [0], levels: [], minimum: null, integer: false, scores: ABSOLUTE },
    release: { rule: 'first', wait: 'P9D' },
    baselines: [{ id: 'last', kind: 'persistence' }],
    scaling: { kind: 'none' },
    truth: [all.map(released)],
  }
}

it('a view that moves, also back, shows what the truth has in force', () => {
  const random = numbers(5)
  for (let each = 0; each < 20; each++) {
    const given = simple(random, 25)
    const { times, truth, periods } = inputsOf(given)
    const view = new TruthView(truth, 0, periods.length, times)
    for (let step = 0; step < 30; step++) {
      const at = Math.floor(random() * 3000) * HOUR
      view.show(at)
      const values = periods.map((_, period) => truth.view(0, period, at))
      expect(periods.map((_, period) => view.value(period))).toEqual(values)
      expect(view.newest).toBe(values.findLastIndex((found) => !Number.isNaN(found)))
      expect(
        values.every((value, period) => times.known(period) <= at || Number.isNaN(value)),
      ).toBe(true)
    }
  }
})

describe('a baseline', () => {
  it('has a point alone where forecasts have no levels, by all origins that are asked for', () => {
    const { protocol, periods, times, truth } = inputsOf(simple(numbers(9), 12))
    const rows = [
      ...seriesBaselineRows({ ...protocol, ...times }, periods, truth, ['last'], [3, 11]),
    ]
    expect(rows.map(({ originAt }) => originAt)).toEqual(['p3', 'p11'])
    for (const { quantiles, attempt, forecast } of rows) {
      expect(quantiles).toEqual([])
      expect(attempt === null).toBe(forecast !== null)
    }
  })

  it('names a series that has no scale', () => {
    const given = {
      ...simple(numbers(9), 40),
      scaling: { kind: 'seasonal_naive', period_steps: 1 },
    } as SeriesCase
    const flat = given.due.map((at): Released => [[at, 7]])
    const few = given.due.map((at, day): Released => (day < 20 ? [[at, day]] : []))
    const { protocol, periods, truth } = inputsOf({ ...given, truth: [flat, few] })
    const found = computeScales(protocol, periods, truth, 1e18)
    expect(found.ok ? [] : found.findings.map(({ args }) => args)).toMatchObject([
      { fault: 'few', series: 's0', transform: 'identity', differences: 0 },
      { fault: 'few', series: 's1', transform: 'identity', differences: 19 },
    ])
  })
})
