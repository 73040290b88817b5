import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan, StratumDefinition } from '../../src/contract/types.js'
import { Memberships } from '../../src/pairing/accounting.js'
import { originsAt } from '../../src/pairing/make-plan.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { compileStrata, trailingReturnAt, volatilityAt } from '../../src/registration/strata.js'
import { cutPoints, planTemplate, templateText } from '../../src/registration/template.js'
import { frozen, hours, NOW, protocol, session, volatility } from './made.js'

const blanks = (template: object) =>
  planFindings(template, compileRules(under), NOW).map(({ code, pointer }) => `${code} ${pointer}`)

const under = protocol()
under.estimands.comparisons.simple_baseline_pool.push('random_walk')
under.sampling.strata = ['volatility', 'session', 'week_part', 'moon']

const vintage = {
  first: NOW - hours(24 * 200),
  last: NOW,
  manifest: { vintage_id: 'v', sha256: 'a'.repeat(64), source: 'made' },
  closeAt: (at: number) => 100 + ((at / hours(1)) % 13),
}

describe('the template of a protocol', () => {
  it('leaves open what only the user knows, and nothing else', () => {
    expect(blanks(planTemplate(under, { mode: 'prospective', now: NOW }))).toEqual([
      'placeholder /name',
      'placeholder /candidates/0',
      'placeholder /bound/incumbent',
      'placeholder /bound/random_walk',
      'placeholder /strata/0/levels/0/below',
      'placeholder /strata/0/levels/1/below',
      'placeholder /strata/3/reason',
      'placeholder /outcomes/source',
    ])
  })

  it('can be registered once these are filled in', () => {
    under.uncertainty.method = 'the cosine test that a template proposes'
    const template = planTemplate(under, { mode: 'prospective', now: NOW, vintage })
    let count = 0
    const filled = JSON.parse(
      JSON.stringify(template)
        .replace(/<the built-in[^>]*>/, 'drift_7d')
        .replace(/<[^>]*>/g, () => `something ${count++}`),
    ) as Plan
    expect(planFindings(filled, compileRules(under), NOW).map(({ code }) => code)).toEqual([
      'stratum-omitted',
    ])
    // Minima of 500 pairs and 20 blocks of 24, in a third of the origins, with a reserve.
    const span = Date.parse(filled.window.to) - Date.parse(filled.window.from)
    expect(span / 3_600_000 + 1).toBe(2016)
  })

  it('of a backtest takes its window from the vintage and leaves a lead-in', () => {
    const { window } = planTemplate(under, { mode: 'backtest', now: NOW, vintage }) as Plan
    expect(window).toEqual({ from: '2025-08-14T00:00:00Z', to: '2025-12-31T08:00:00Z' })
  })
})

it.each(['btcusd-hourly-1', 'btcusd-hourly-2', 'btcusd-hourly-3', 'btcusd-hourly-4'])(
  'under %s it proposes a lag of two minutes, and chooses no weights',
  (name) => {
    const proposed = planTemplate(frozen(name), { mode: 'prospective', now: NOW }) as Plan
    expect(proposed).not.toHaveProperty('inference')
    expect(proposed.due_minutes).toBe(2)
  },
)

it('has the shares of a protocol that is stricter', () => {
  const strict = frozen('btcusd-hourly-4')
  strict.pairing.failure_denominator = 'At most 0.01, and 0.03 in a level.'
  expect(planTemplate(strict, { mode: 'prospective', now: NOW })).toMatchObject({
    limits: { availability: 0.01, availability_stratum: 0.03 },
  })
})

describe('the cut-points of a template', () => {
  const at = { mode: 'prospective' as const, now: NOW + 90_000_000 }
  const cuts = (of: typeof vintage, change: object = {}) => {
    const { strata } = planTemplate(under, { ...at, vintage: of, ...change }) as Plan
    return strata.find(({ by }) => by === 'volatility')?.levels?.map(({ below }) => below)
  }

  it('are proposed at any minute of an hour', () => {
    expect(cuts(vintage)).toEqual([expect.any(Number), expect.any(Number), undefined])
    expect(cuts(vintage)).toEqual(cuts(vintage, { now: NOW }))
  })

  it('stay open where the vintage covers little of the time they are taken from', () => {
    const week = {
      ...vintage,
      first: NOW - hours(24 * 8),
      closeAt: (at: number) => (at < NOW - hours(24 * 8) ? Number.NaN : vintage.closeAt(at)),
    }
    const open = expect.stringMatching(/^<cut-point: the vintage does not cover 2025-/)
    expect(cuts(week)).toEqual([open, open, undefined])
    const [first, last] = [NOW + hours(24 * 900), NOW + hours(24 * 990)]
    const outside = { mode: 'backtest', from: first, to: last }
    const covered = {
      ...vintage,
      closeAt: (at: number) => (at > NOW ? undefined : vintage.closeAt(at)) as number,
    }
    expect(cuts(covered, outside)?.[0]).toMatch(/does not cover 2028-06-19T00:00:00Z/)
  })

  it('are of a window on full hours', () => {
    expect(() => cuts(vintage, { from: NOW + hours(1) / 2 })).toThrow(
      '--from is not on a full hour',
    )
    expect(() => cuts(vintage, { to: NOW + hours(9000.5) })).toThrow('--to is not on a full hour')
  })
})

it('proposes a window in which the cosine test can be made, however small the minima', () => {
  const small = structuredClone(under)
  Object.assign(small.sampling.minimum_effective_sample, {
    paired_origins_per_horizon: 24,
    effective_independent_blocks_per_comparison: 2,
  })
  const { window } = planTemplate(small, { mode: 'prospective', now: NOW }) as Plan
  const origins = (Date.parse(window.to) - Date.parse(window.from)) / 3_600_000 + 1
  // 16 blocks of 24 hours, in a third of the origins, with a reserve.
  expect(origins).toBe(4 * 16 * 24)
})

it('its text is JSON that says the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(templateText(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

const one = (definition: StratumDefinition, sources = {}) => {
  const { levelAt } = compileStrata([definition], sources)[0]!
  return { levelAt: (origin: number) => levelAt(origin / hours(1)) }
}
const at = (text: string) => Date.parse(text) * 1000

describe('memberships', () => {
  it('by hour of the day, in UTC', () => {
    const { levelAt } = one(session)
    expect(levelAt(at('2026-03-01T11:00:00Z'))).toBe('night')
    expect(levelAt(at('2026-03-01T12:00:00Z'))).toBe('day')
    expect(levelAt(at('1969-12-31T23:00:00Z'))).toBe('day')
  })

  it('by weekday, in UTC', () => {
    const { levelAt } = one({
      name: 'week_part',
      by: 'weekday',
      levels: [
        { level: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
        { level: 'weekend', days: ['sat', 'sun'] },
      ],
    })
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 600_000 }), (hour) => {
        const day = new Date(hour * 3_600_000).getUTCDay()
        expect(levelAt(hours(hour))).toBe(day === 0 || day === 6 ? 'weekend' : 'week')
      }),
    )
  })

  it('by period, both ends included', () => {
    const { levelAt } = one({
      name: 'half',
      by: 'period',
      levels: [{ level: 'first', from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:00:00Z' }],
    })
    expect(levelAt(NOW)).toBe('first')
    expect(levelAt(at('2026-01-31T23:00:00Z'))).toBe('first')
    expect(levelAt(at('2026-02-01T00:00:00Z'))).toBeUndefined()
  })

  it('by the regime that the history recorded', () => {
    const regimes = new Map([
      [hours(0), 'bull'],
      [hours(1), 'euphoria'],
      [hours(2), 'bear'],
    ])
    const { levelAt } = one(
      {
        name: 'regime',
        by: 'regime',
        levels: [
          { level: 'up', regimes: ['bull', 'euphoria'] },
          { level: 'down', regimes: ['bear'] },
        ],
      },
      { regimeAt: (origin: number) => regimes.get(origin) ?? null },
    )
    expect([0, 1, 2, 3].map((hour) => levelAt(hours(hour)))).toEqual([
      'up',
      'up',
      'down',
      undefined,
    ])
  })

  it('omitted strata have no levels at all', () => {
    expect(compileStrata([{ name: 's', by: 'omitted', reason: 'none' }], {})).toEqual([])
  })
})

describe('cut-points', () => {
  // ln of the closes: 0, 0.01, 0.03, 0.02, then a gap.
  const logs = [0, 0.01, 0.03, 0.02]
  const closeAt = (instant: number) => {
    const log = logs[instant / hours(1)]
    return log === undefined ? undefined : Math.exp(log)
  }

  it('volatility is the standard deviation of the returns before the origin', () => {
    // Returns 0.01, 0.02, -0.01: mean 0.02/3, squares about it 0.0014/3 in sum.
    expect(volatilityAt(closeAt, hours(3), 3)).toBeCloseTo(Math.sqrt(0.0014 / 3 / 2), 12)
    expect(volatilityAt(closeAt, hours(3), 4)).toBeNaN()
    expect(volatilityAt(closeAt, hours(4), 3)).toBeNaN()
  })

  it('the trailing return needs the closes at its ends', () => {
    expect(trailingReturnAt(closeAt, hours(3), 2)).toBeCloseTo(0.01, 12)
    expect(trailingReturnAt(closeAt, hours(1), 2)).toBeNaN()
  })

  it('a value on a cut-point belongs above it, and none where a close is missing', () => {
    const definition: StratumDefinition = {
      name: 'trend',
      by: 'trailing_return',
      lookback_hours: 1,
      levels: [{ level: 'down', below: 0 }, { level: 'flat', below: 0.5 }, { level: 'up' }],
    }
    const prices = [1, 1, 0.5, 2]
    const { levelAt } = one(definition, {
      closeAt: (instant: number) => prices[instant / hours(1)],
    })
    expect([0, 1, 2, 3, 4].map((hour) => levelAt(hours(hour)))).toEqual([
      undefined,
      'flat',
      'down',
      'up',
      undefined,
    ])
  })

  it('no close after the origin plays a part', () => {
    const asked: number[] = []
    const { levelAt } = one(volatility, {
      closeAt: (instant: number) => {
        asked.push(instant)
        return 100 + (instant % 7)
      },
    })
    levelAt(NOW)
    expect(Math.max(...asked)).toBe(NOW)
    expect(asked).toHaveLength(25)
  })

  it('taken from a vintage part its origins into equal thirds', () => {
    const prices = Array.from({ length: 3000 }, (_, hour) =>
      Math.exp(Math.sin(hour ** 2) * hour * 1e-5),
    )
    const vintage = {
      first: 0,
      last: hours(2999),
      manifest: { vintage_id: '', sha256: '', source: '' },
      closeAt: (instant: number) => prices[instant / hours(1)],
    }
    const [a, b] = cutPoints(vintage, { from: 0, to: hours(2999) }) as [number, number]
    const levels = [{ level: 'a', below: a }, { level: 'b', below: b }, { level: 'c' }]
    const strata = compileStrata([{ ...volatility, levels }], vintage)
    const memberships = new Memberships(strata, originsAt([...Array(3000).keys()]))
    for (const level of ['a', 'b', 'c']) {
      const { origins = 0 } = memberships.of({ name: 'volatility', level }) ?? {}
      expect(Math.abs(origins - 2976 / 3)).toBeLessThan(10)
    }
    // What comes later does not move them, and too little gives none.
    const early = {
      ...vintage,
      closeAt: (at: number) => (at > hours(999) ? undefined : vintage.closeAt(at)),
    }
    expect(cutPoints(vintage, { from: 0, to: hours(999) })).toEqual(
      cutPoints(early, { from: 0, to: hours(1009) }),
    )
    expect(cutPoints(early, { from: 0, to: hours(2999) })).toBeUndefined()
    expect(cutPoints(vintage, { from: 0, to: hours(100) })).toBeUndefined()
  })
})
