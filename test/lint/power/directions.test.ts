import { expect, it } from 'vitest'
import { madeRandom } from '../../../bench/parts/made-market.mjs'
import { cosines } from '../../../src/inference/cosines.js'
import { runEwcTest } from '../../../src/inference/ewc.js'
import { CalledHours, computePastDirections } from '../../../src/lint/power/directions.js'
import { centredOf } from '../../inference/made.js'

const random = madeRandom('directions')
const flags = (hours: number, of: (hour: number) => boolean) =>
  Uint8Array.from({ length: hours }, (_, hour) => Number(of(hour)))

it('tests the mean direction error as an evaluation does, where a comparator seldom calls one', () => {
  const [hours, points, degrees] = [400, 64, 8]
  // At the first horizon it calls one in a stretch of 64 hours; at the second in half of them; at the third too seldom.
  const calls = [
    flags(hours, (hour) => hour >= 100 && hour < 164),
    flags(hours, (hour) => hour >= 120 && hour < 152),
    flags(hours, (hour) => hour < 5),
  ]
  const made = () =>
    calls.map((column) => flags(hours, (hour) => column[hour] === 1 && random.uniform() < 0.5))
  const [own, theirs] = [made(), made()]
  const called = new CalledHours(calls, 10, { points, hours: 6, degrees, table: cosines(points) })
  const counts = (of: Uint8Array[]) => called.beyond(of, 1).map((steps) => steps?.[0])
  const margins = called.margins(counts(own), counts(theirs))
  const components = [0, 1].map((at) => ({
    values: Float64Array.from(calls[at]!, (call, hour) =>
      call === 1 ? own[at]![hour]! - theirs[at]![hour]! : Number.NaN,
    ),
  }))
  const { estimate, standardError } = runEwcTest(centredOf(components), degrees)
  expect(margins[0]).toBeCloseTo(-estimate, 12)
  expect(margins[1]).toBeCloseTo(standardError, 12)
  expect(margins.slice(6)).toEqual([Number.NaN, Number.NaN])
})

it('counts by step: what is wrong beyond a step is wrong at those before it', () => {
  const calls = [flags(8, () => true)]
  const called = new CalledHours(calls, 1, { points: 8, hours: 1, degrees: 4, table: cosines(8) })
  const [steps] = called.beyond([Uint8Array.from([0, 1, 2, 3, 3, 0, 1, 0])], 3)
  expect(steps!.map(({ count }) => count)).toEqual([5, 3, 2])
})

it('takes a comparator that calls nearly every direction for one that calls all', () => {
  const moves = Float64Array.from({ length: 1000 }, (_, hour) => (hour % 2 === 0 ? 0.01 : -0.01))
  const silent = (every: number) => moves.map((move, hour) => (hour % every === 0 ? -move : 0.001))
  const [nearly, also, seldom] = computePastDirections(
    [[silent(200)], [silent(500)], [silent(20)]],
    [moves],
    1e-6,
  )
  expect(nearly!.calls).toBe(also!.calls)
  expect(seldom!.calls[0]!.reduce((sum, call) => sum + call, 0)).toBe(950)
})
