import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeShareLeft, hasBegun, type ValueOver } from '../../src/periods/waiting.js'

const HOUR = 3_600_000_000
const target = { start: 24 * HOUR, end: 48 * HOUR }

test.each<[string, number, number | null, ValueOver, number]>([
  ['due at the end of what is seen', 24, 24, 'end', 1],
  ['half of the time is left', 36, 24, 'end', 0.5],
  ['the value of a day is seen a day late', 24, 0, 'end', 0.5],
  ['a value that was public before its end', 20, 24, 'end', 1],
  ['nothing is seen', 47, null, 'end', 1],
  ['due at the end of the target', 48, 24, 'end', 0],
  ['due after it, and nothing is seen', 60, null, 'end', 0],
  ['a later period is seen first', 36, 72, 'end', 0],
  ['a total, due at the start of its period', 24, 24, 'period', 1],
  ['a total, a minute into its period', 24 + 1 / 60, 24, 'period', 0],
  ['a total, due before its period', 12, 0, 'period', 0.75],
])('%s', (_, due, seen, over, left) => {
  const at = seen === null ? null : seen * HOUR
  expect(computeShareLeft(target, due * HOUR, at, over)).toBeCloseTo(left, 12)
})

const hours = fc.integer({ min: 0, max: 1000 })
const over = fc.constantFrom<ValueOver>('end', 'period')
const periods = fc
  .tuple(hours, fc.integer({ min: 1, max: 1000 }))
  .map(([start, length]) => ({ start, end: start + length }))
const seen = fc.option(hours)

test('a share lies between 0 and 1, and is 0 of what has begun', () => {
  fc.assert(
    fc.property(periods, hours, seen, over, (period, due, newest, of) => {
      const left = computeShareLeft(period, due, newest, of)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left).toBeLessThanOrEqual(1)
      if (hasBegun(period, due, of)) expect(left).toBe(0)
    }),
  )
})

test('whoever waits longer is left with no more', () => {
  fc.assert(
    fc.property(periods, hours, hours, seen, over, (period, due, wait, newest, of) => {
      const left = computeShareLeft(period, due, newest, of)
      expect(computeShareLeft(period, due + wait, newest, of)).toBeLessThanOrEqual(left)
    }),
  )
})

test('what is true of a period as a whole has begun no later than its end', () => {
  fc.assert(
    fc.property(periods, hours, seen, (period, due, newest) => {
      const ofEnd = computeShareLeft(period, due, newest, 'end')
      expect(computeShareLeft(period, due, newest, 'period')).toBeLessThanOrEqual(ofEnd)
    }),
  )
})

test('neither the unit of time nor its beginning plays a part', () => {
  fc.assert(
    fc.property(periods, hours, hours, over, hours, (period, due, newest, of, by) => {
      const moved = (at: number) => (at + by) * HOUR
      const other = { start: moved(period.start), end: moved(period.end) }
      const left = computeShareLeft(period, due, newest, of)
      expect(computeShareLeft(other, moved(due), moved(newest), of)).toBeCloseTo(left, 12)
    }),
  )
})
