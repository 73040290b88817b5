import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logReturnBias, percentBias } from '../../src/scoring/bias.js'
import { covered } from '../../src/scoring/coverage.js'
import { directionError } from '../../src/scoring/direction.js'
import { intervalScore } from '../../src/scoring/interval-score.js'
import { absolutePercentError } from '../../src/scoring/percent-error.js'
import { pinball } from '../../src/scoring/pinball.js'
import { pointLoss } from '../../src/scoring/point-loss.js'
import { width, widthPercent } from '../../src/scoring/width.js'

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const finite = fc.double({ min: -1, max: 1, noNaN: true })
const interval = fc.tuple(finite, finite).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

describe('published figures', () => {
  it('interval score and pinball of Hyndman & Athanasopoulos, FPP3 §5.9', () => {
    expect(intervalScore(744.54, 773.22, 741.84)).toBeCloseTo(55.68, 10)
    expect(pinball(0.1, 744.54, 741.84)).toBeCloseTo(2.43, 10)
    expect(10 * (pinball(0.1, 744.54, 741.84) + pinball(0.9, 773.22, 741.84))).toBeCloseTo(
      55.68,
      10,
    )
  })

  it.each([
    [10, 20, 12, 10],
    [15, 25, 14, 20],
    [21, 30, 32, 29],
  ])('interval score of nci/scores: [%d, %d] at %d is %d', (lower, upper, outcome, score) => {
    expect(intervalScore(lower, upper, outcome)).toBeCloseTo(score, 12)
  })

  it('pinball of the sktime documentation', () => {
    const outcomes = [3, -0.5, 2, 7, 2]
    const medians = [2.5, 0, 2, 8, 1.25]
    const losses = outcomes.map((outcome, at) => pinball(0.5, medians[at] as number, outcome))
    expect(mean(losses)).toBeCloseTo(0.275, 12)
  })

  it('pinball at the levels 0.1 and 0.9', () => {
    const outcomes = [1, 2, 3]
    const quantiles = [0, 2, 3]
    const at = (level: number) =>
      mean(outcomes.map((outcome, index) => pinball(level, quantiles[index] as number, outcome)))
    expect(at(0.1)).toBeCloseTo(1 / 30, 12)
    expect(at(0.9)).toBeCloseTo(0.3, 12)
  })
})

describe('identities', () => {
  it('the interval score is ten times the two outer pinballs', () => {
    fc.assert(
      fc.property(interval, finite, ([lower, upper], outcome) => {
        const sum = 10 * (pinball(0.1, lower, outcome) + pinball(0.9, upper, outcome))
        expect(Math.abs(intervalScore(lower, upper, outcome) - sum)).toBeLessThanOrEqual(1e-12)
      }),
    )
  })

  it('half the absolute error is the pinball at 0.5', () => {
    fc.assert(
      fc.property(finite, finite, (quantile, outcome) => {
        expect(pinball(0.5, quantile, outcome)).toBe(pointLoss(quantile, outcome) / 2)
      }),
    )
  })

  it('no score is below 0, and the point loss is symmetric', () => {
    fc.assert(
      fc.property(interval, finite, ([lower, upper], outcome) => {
        expect(intervalScore(lower, upper, outcome)).toBeGreaterThanOrEqual(width(lower, upper))
        expect(pinball(0.1, lower, outcome)).toBeGreaterThanOrEqual(0)
        expect(pointLoss(lower, outcome)).toBe(pointLoss(outcome, lower))
      }),
    )
  })

  it('an interval covers its own bounds, and a width of 0 is no crossing', () => {
    fc.assert(
      fc.property(interval, ([lower, upper]) => {
        expect(covered(lower, upper, lower)).toBe(1)
        expect(covered(lower, upper, upper)).toBe(1)
        expect(intervalScore(lower, upper, upper)).toBe(width(lower, upper))
      }),
    )
    expect(covered(0.5, 0.5, 0.5)).toBe(1)
    expect(intervalScore(0.5, 0.5, 0.5)).toBe(0)
  })

  it('the bias has the size of the loss and the sign of the error', () => {
    fc.assert(
      fc.property(finite, finite, (predicted, realised) => {
        expect(Math.abs(logReturnBias(predicted, realised))).toBe(pointLoss(predicted, realised))
      }),
    )
    expect(percentBias(110, 100)).toBe(10)
    expect(percentBias(90, 100)).toBe(-10)
    expect(absolutePercentError(90, 100)).toBe(10)
    expect(widthPercent(Math.log(0.9), Math.log(1.1))).toBeCloseTo(20, 12)
  })
})

describe('direction', () => {
  const epsilon = 1e-6

  it.each([
    [0.01, 0.02, 0],
    [-0.01, -0.02, 0],
    [0.01, -0.02, 1],
    [-0.01, 0.02, 1],
    // The edge of the band belongs to it.
    [1e-6, 0.02, Number.NaN],
    [0.01, -1e-6, Number.NaN],
    [0, 0.02, Number.NaN],
    [1.000001e-6, 0.02, 0],
  ])('of %d against %d is %d', (predicted, realised, error) => {
    expect(directionError(predicted, realised, epsilon)).toBe(error)
  })

  it('turns over with the forecast, wherever there is one', () => {
    fc.assert(
      fc.property(finite, finite, (predicted, realised) => {
        const error = directionError(predicted, realised, epsilon)
        const turned = directionError(-predicted, realised, epsilon)
        expect(Number.isNaN(error) ? turned : error + turned).toBe(
          Number.isNaN(error) ? Number.NaN : 1,
        )
      }),
    )
  })
})

it('what is missing stays missing in every measure', () => {
  const { NaN: none } = Number
  expect([
    pointLoss(none, 1),
    pointLoss(1, none),
    absolutePercentError(none, 1),
    logReturnBias(1, none),
    percentBias(none, 1),
    directionError(none, 1, 0),
    directionError(1, none, 0),
    pinball(0.1, none, 1),
    pinball(0.9, 1, none),
    intervalScore(none, 1, 0),
    intervalScore(0, none, 0),
    intervalScore(0, 1, none),
    covered(none, 1, 0),
    covered(0, 1, none),
    width(none, 1),
    widthPercent(0, none),
  ]).toEqual(new Array(16).fill(none))
})
