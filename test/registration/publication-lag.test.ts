import { expect, it } from 'vitest'
import { unwatchedMinutes, worthOfLag } from '../../src/registration/plan-rules.js'

it('an hour is worth what a random walk moves in it', () => {
  // (√1 + √3 + √7 + √15) / (√2 + √4 + √8 + √16), by hand.
  expect(worthOfLag(60, [2, 4, 8, 16])).toBeCloseTo(1 - 9.2507854 / 10.2426407, 6)
  expect(worthOfLag(60, [4])).toBeCloseTo(1 - Math.sqrt(3) / 2, 12)
  expect(worthOfLag(0, [2, 4])).toBe(0)
  // The target itself is known.
  expect(worthOfLag(600, [2, 4])).toBe(1)
})

it('a lag is watched where inputs are recorded, and none in retrospect', () => {
  const open = { publication_lag_minutes: 60, provenance_required: false }
  expect(unwatchedMinutes({ mode: 'prospective', ...open })).toBe(60)
  expect(unwatchedMinutes({ mode: 'retrospective', ...open })).toBe(0)
  expect(unwatchedMinutes({ mode: 'prospective', ...open, provenance_required: true })).toBe(0)
  expect(unwatchedMinutes({ mode: 'prospective', provenance_required: false })).toBe(0)
})
