import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatUtc, type Instant } from '../../src/contract/instant.js'
import type { Plan, Protocol, StratumDefinition } from '../../src/contract/types.js'
import { lintWindow } from '../../src/lint/window.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { planTemplate } from '../../src/registration/template.js'
import { readVintage } from '../../src/truth/closes/vintage.js'
import { COSINE, hours, NOW, plan, protocol } from '../registration/made.js'

const CLOSES = '../shared/data/closes_btcusd_1h_2024_2025.csv'

const under: Protocol = protocol()
under.estimands.comparisons.required = ['persistence', 'drift_24h', 'strongest_simple']
under.sampling.strata = ['session', 'volatility']
const registered = (over: Partial<Plan>) =>
  createRegistration(plan({ bound: {}, ...over }), compileRules(under), NOW)

/** Prices that go up by one per cent every hour of a day and down again the next. */
const zigzag = {
  first: NOW - hours(24 * 100),
  last: NOW + hours(24 * 100),
  closeAt: (at: Instant) => {
    const hour = (((at / hours(1)) % 48) + 48) % 48
    return 100 * Math.exp(0.01 * Math.min(hour, 48 - hour))
  },
}

const window = { from: formatUtc(NOW), to: formatUtc(NOW + hours(24 * 60 - 1)) }
const session = (...parts: number[][]): StratumDefinition => ({
  name: 'session',
  by: 'hour_of_day',
  levels: parts.map((of, at) => ({ level: `part ${at}`, hours: of })),
})
const day = Array.from({ length: 24 }, (_, hour) => hour)
const found = (strata: StratumDefinition[], closes?: typeof zigzag) =>
  lintWindow(registered({ window, strata }), closes).filter(
    ({ code }) => code !== 'comparators-alike',
  )

describe('what the window says of a design', () => {
  it('names levels that cannot be tested, and levels that are small', () => {
    // 60 days; a test needs 500 pairs: 8 hours of the day are too few, 9 are enough.
    const [small, ...rest] = found([session(day.slice(0, 8), day.slice(8))])
    expect(rest).toEqual([])
    expect(small).toMatchObject({
      ...{ code: 'level-too-small', pointer: '/strata/0/levels/0', severity: 'warning' },
      args: { stratum: 'session', level: 'part 0', origins: 480, blocks: 60 },
    })
    expect(found([session(day.slice(0, 9), day.slice(9))])).toEqual([])
    const long = { from: window.from, to: formatUtc(NOW + hours(24 * 300 - 1)) }
    const strata = [session([0, 1], day.slice(2))]
    const findings = lintWindow(registered({ window: long, strata }), undefined)
    expect(findings).toMatchObject([
      { code: 'level-unbalanced', args: { level: 'part 0', origins: 600, equalPart: 3600 } },
    ])
  })

  it('counts levels by volatility from closes, where there are any', () => {
    const strata: StratumDefinition[] = [
      {
        ...{ name: 'volatility', by: 'volatility', lookback_hours: 24 },
        levels: [{ level: 'low', below: 1e-9 }, { level: 'high' }],
      },
    ]
    expect(found(strata)).toEqual([])
    // Only once in two days are 24 steps in a row the same.
    const [low, ...rest] = found(strata, zigzag)
    expect(rest).toEqual([])
    expect(low).toMatchObject({ code: 'level-too-small', args: { level: 'low', origins: 60 } })
  })

  it('names comparators that are copies of one another', () => {
    const findings = lintWindow(registered({ window, strata: [] }), {
      ...zigzag,
      closeAt: () => 100,
    })
    expect(findings).toMatchObject([
      { args: { names: ['persistence', 'drift_24h', 'strongest_simple'] } },
    ])
  })
})

describe('where the closes do not cover the window', () => {
  const alike = (
    first: Instant,
    last: Instant,
    price = (hour: number) => 100 + (hour % 7) * (hour % 11),
  ) => {
    const closes = {
      ...{ first, last },
      closeAt: (at: Instant) => (at < first || at > last ? undefined : price(at / hours(1))),
    }
    return lintWindow(registered({ window, strata: [] }), closes)
  }

  it('nothing is said of hours that they lack', () => {
    // One hour after the window begins, in the midst of it, wholly after and wholly before it.
    expect(alike(NOW + hours(1), NOW + hours(24 * 70))).toEqual([])
    expect(alike(NOW + hours(24 * 10), NOW + hours(24 * 40))).toEqual([])
    expect(alike(NOW + hours(24 * 70), NOW + hours(24 * 90))).toEqual([])
    expect(alike(NOW - hours(24 * 90), NOW - hours(24 * 30))).toEqual([])
    const flat = alike(NOW - hours(24 * 100), NOW + hours(24 * 10), () => 100)
    expect(flat).toMatchObject([{ code: 'comparators-alike' }])
  })

  it('a level needs the blocks that the cosine test needs', () => {
    const few = structuredClone(under)
    few.sampling.minimum_effective_sample.effective_independent_blocks_per_comparison = 10
    few.sampling.minimum_effective_sample.paired_origins_per_horizon = 10
    const span = { from: formatUtc(NOW), to: formatUtc(NOW + hours(24 * 28 - 1)) }
    const levels = [
      { level: 'half', days: ['mon' as const, 'tue' as const, 'wed' as const] },
      { level: 'rest', days: ['thu' as const, 'fri' as const, 'sat' as const, 'sun' as const] },
    ]
    const planned = { window: span, strata: [{ name: 'week', by: 'weekday' as const, levels }] }
    // 12 and 16 days of four weeks: ten are enough for the protocol, sixteen for the cosine test.
    const found = (protocol: Protocol) =>
      lintWindow(
        createRegistration(plan({ bound: {}, ...planned }), compileRules(protocol), NOW),
        undefined,
      )
    expect(found(few)).toEqual([])
    few.uncertainty.method = COSINE
    expect(found(few)).toMatchObject([
      { code: 'level-too-small', args: { level: 'half', blocks: 12, minimumBlocks: 16 } },
    ])
  })
})

describe.runIf(existsSync(CLOSES))('on real closes', () => {
  it('a template has levels that are all tested, for any window', () => {
    const vintage = readVintage(CLOSES)
    const asked = { from: Date.UTC(2024, 6, 1) * 1000, to: Date.UTC(2025, 5, 30, 23) * 1000 }
    const template = planTemplate(under, { mode: 'backtest', now: NOW, vintage, ...asked })
    const { window, strata } = template as Plan
    expect(window).toEqual({ from: '2024-07-01T00:00:00Z', to: '2025-06-30T23:00:00Z' })
    const findings = lintWindow(registered({ mode: 'backtest', window, strata }), vintage)
    expect(findings.filter(({ code }) => code !== 'comparators-alike')).toEqual([])
  })
})
