import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeBaselines } from '../../src/scoring/baselines/compute.js'
import { BASELINE_NAMES, POOL_NAMES } from '../../src/scoring/baselines/names.js'
import { type BaselinesGolden, closesFrom, column, golden, HORIZONS } from './golden.js'

const request = { names: BASELINE_NAMES, horizons: HORIZONS, pool: POOL_NAMES }
const prices = column(golden<BaselinesGolden>('baselines').closes)
const computed = computeBaselines(closesFrom(prices), request)

it('no baseline looks ahead: changing any close after an origin never changes a forecast made at it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 1600 }),
      fc.integer({ min: 1, max: 40 }),
      fc.option(fc.double({ min: 0.5, max: 2, noNaN: true })),
      (origin, after, factor) => {
        const end = Math.min(prices.length, origin + 60)
        const changed = prices.slice(0, end)
        const at = origin + after
        changed[at] = factor === null ? Number.NaN : (changed[at] as number) * factor
        const other = computeBaselines(closesFrom(changed), request)
        for (const name of BASELINE_NAMES) {
          for (const horizon of HORIZONS) {
            const before = computed.get(name)!.get(horizon)!
            const now = other.get(name)!.get(horizon)!
            for (const part of ['forecast', 'q10', 'q50', 'q90'] as const) {
              expect(now[part][origin]).toBe(before[part][origin])
            }
          }
        }
      },
    ),
    { numRuns: 25 },
  )
})
