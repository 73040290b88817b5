import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BASELINE_NAMES, POOL_NAMES } from '../../src/contract/baseline-names.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createHourlyCloses } from '../../src/scoring/baselines/closes.js'
import { computeBaselines } from '../../src/scoring/baselines/compute.js'
import { hourlyBaselineRows } from '../../src/scoring/baselines/hourly-baselines.js'
import { readVintage } from '../../src/truth/closes/vintage.js'
import { REAL_CLOSES } from '../evaluation/real-family.js'
import { frozen } from '../registration/made.js'
import { type BaselinesGolden, closesFrom, column, distance, golden, HORIZONS } from './golden.js'

const figures = golden<BaselinesGolden>('baselines')
const request = { names: BASELINE_NAMES, horizons: HORIZONS, pool: POOL_NAMES }
const prices = column(figures.closes)
const computed = computeBaselines(closesFrom(prices), request)

describe('against numpy, to 1e-12', () => {
  it.each(BASELINE_NAMES)('%s and its quantiles', (name) => {
    let compared = 0
    for (const horizon of HORIZONS) {
      const own = computed.get(name)!.get(horizon)!
      for (const [at, origin] of figures.origins.entries()) {
        const expected = figures.expected[name]![String(horizon)]![at]!
        const found = [own.forecast, own.q10, own.q50, own.q90].map((values) => {
          const value = values[origin] as number
          return Number.isNaN(value) ? null : value
        })
        for (const [index, value] of found.entries()) {
          expect(distance(value, expected[index] as number | null)).toBeLessThan(1e-12)
          if (value !== null) compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(100)
  })
})

describe('what the definitions say at their edges', () => {
  const flat = new Float64Array(900).fill(100)

  it('a market that does not move: every baseline says so', () => {
    const baselines = computeBaselines(closesFrom(flat), request)
    for (const name of BASELINE_NAMES) {
      expect(baselines.get(name)!.get(16)!.forecast[899]).toBe(100)
    }
  })

  it('quantiles begin with the 168th matured error', () => {
    const { q10 } = computeBaselines(closesFrom(flat), request).get('persistence')!.get(4)!
    expect(q10[4 + 166]).toBeNaN()
    expect(q10[4 + 167]).toBe(100)
  })

  it('a missing close makes each forecast missing that needs it, and no other', () => {
    const gap = 1000
    const series = new Float64Array(2000).fill(100)
    series[gap] = Number.NaN
    const baselines = computeBaselines(closesFrom(series), request)
    const missing = (name: string) => {
      const { forecast } = baselines.get(name)!.get(2)!
      return Array.from(forecast.keys()).filter((at) => at >= 800 && Number.isNaN(forecast[at]))
    }
    expect(missing('persistence')).toEqual([1000])
    // At 1022 the target is 24 hours after the gap.
    expect(missing('seasonal_naive_24h')).toEqual([1000, 1022])
    expect(missing('drift_24h')).toEqual([1000, 1024])
    expect(missing('drift_7d')).toEqual([1000, 1168])
    expect(missing('ema_return_24h')).toHaveLength(169)
    expect(missing('ar1')).toHaveLength(721)
  })

  it('strongest_simple has nothing to go by until a target matured 16 hours before', () => {
    const pool = ['persistence']
    const { forecast } = computeBaselines(closesFrom(flat), { ...request, pool })
      .get('strongest_simple')!
      .get(8)!
    expect(forecast[23]).toBeNaN()
    expect(forecast[24]).toBe(100)
  })

  it('ties go to the first name, in any order of the pool', () => {
    const steps = Float64Array.from({ length: 400 }, (_, at) => 100 * 1.001 ** at)
    const closes = closesFrom(steps)
    const both = ['drift_7d', 'drift_24h'] as const
    const chosen = (pool: readonly string[]) =>
      computeBaselines(closes, { ...request, pool })
        .get('strongest_simple')!
        .get(2)!.forecast
    expect(chosen(both)).toEqual(chosen([...both].reverse()))
  })
})

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

it('rows carry what pairing asks of a forecast, in its order', () => {
  const closes = closesFrom(prices)
  const hours = Array.from({ length: 20 }, (_, at) => 1490 + at)
  const rules = compileRules(frozen('btcusd-hourly-4'))
  const rows = [...hourlyBaselineRows(rules, closes, BASELINE_NAMES, hours)]
  expect(rows.every((row) => row.forecast! > 0 && row.sourcePrice! > 0)).toBe(true)
  expect(rows.some((row) => row.originAt === '1970-03-04T12:00:00+00:00')).toBe(false)
  const keys = rows.map((row) => [row.originAt, String(row.horizon).padStart(2), row.model].join())
  expect(keys).toEqual([...keys].sort())
  expect(rows[0]).toMatchObject({
    originAt: '1970-03-04T02:00:00+00:00',
    targetAt: '1970-03-04T04:00:00+00:00',
    inputAvailableAt: '1970-03-04T02:00:00+00:00',
    horizon: 2,
    model: 'ar1',
    vintageId: null,
  })
})

it.runIf(existsSync(REAL_CLOSES))(
  'in 19 months of real closes strongest_simple says up or down as rarely as docs/reference/scores.md has it',
  () => {
    const closes = createHourlyCloses(readVintage(REAL_CLOSES))
    // The pool of our protocols, of which docs/reference/scores.md speaks.
    const { simple_baseline_pool: pool } = frozen('btcusd-hourly-4').estimands.comparisons
    const own = { names: ['strongest_simple'], horizons: HORIZONS, pool }
    const strongest = computeBaselines(closes, own).get('strongest_simple')!
    const said = HORIZONS.map((horizon) => {
      const { forecast } = strongest.get(horizon)!
      return forecast.filter((price, hour) => price !== closes.prices[hour]).length
    })
    // What is missing differs from the close too: 720 hours until ar1 exists, then its first target.
    const missing = HORIZONS.map((horizon) => 720 + 16 + horizon)
    expect(closes.prices).toHaveLength(13_872)
    expect(said.map((count, at) => count - missing[at]!)).toEqual([769, 362, 440, 219])
  },
)
