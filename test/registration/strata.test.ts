import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StratumDefinition } from '../../src/contract/types.js'
import { Memberships } from '../../src/pairing/accounting.js'
import { hoursFrom } from '../../src/pairing/hourly.js'
import { buildStrata, trailingReturnAt, volatilityAt } from '../../src/registration/strata.js'
import { cutPoints } from '../../src/registration/template.js'
import { hours, NOW, session, volatility } from './made.js'

const one = (definition: StratumDefinition, sources = {}) => buildStrata([definition], sources)[0]!
const at = (text: string) => Date.parse(text) * 1000

describe('memberships', () => {
  it('by hour of the day, in UTC', () => {
    const { levelOf } = one(session)
    expect(levelOf(at('2026-03-01T11:00:00Z'))).toBe('night')
    expect(levelOf(at('2026-03-01T12:00:00Z'))).toBe('day')
    expect(levelOf(at('1969-12-31T23:00:00Z'))).toBe('day')
  })

  it('by weekday, in UTC', () => {
    const { levelOf } = one({
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
        expect(levelOf(hours(hour))).toBe(day === 0 || day === 6 ? 'weekend' : 'week')
      }),
    )
  })

  it('by period, both ends included', () => {
    const { levelOf } = one({
      name: 'half',
      by: 'period',
      levels: [{ level: 'first', from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:00:00Z' }],
    })
    expect(levelOf(NOW)).toBe('first')
    expect(levelOf(at('2026-01-31T23:00:00Z'))).toBe('first')
    expect(levelOf(at('2026-02-01T00:00:00Z'))).toBeUndefined()
  })

  it('by the regime that the history recorded', () => {
    const regimes = new Map([
      [0, 'bull'],
      [1, 'euphoria'],
      [2, 'bear'],
    ])
    const { levelOf } = one(
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
    expect([0, 1, 2, 3].map(levelOf)).toEqual(['up', 'up', 'down', undefined])
  })

  it('omitted strata have no levels at all', () => {
    expect(buildStrata([{ name: 's', by: 'omitted', reason: 'none' }], {})).toEqual([])
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
    const { levelOf } = one(definition, {
      closeAt: (instant: number) => prices[instant / hours(1)],
    })
    expect([0, 1, 2, 3, 4].map((hour) => levelOf(hours(hour)))).toEqual([
      undefined,
      'flat',
      'down',
      'up',
      undefined,
    ])
  })

  it('no close after the origin plays a part', () => {
    const asked: number[] = []
    const { levelOf } = one(volatility, {
      closeAt: (instant: number) => {
        asked.push(instant)
        return 100 + (instant % 7)
      },
    })
    levelOf(NOW)
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
    const stratum = one({ ...volatility, levels }, vintage)
    const memberships = new Memberships([stratum], hoursFrom(0, 3000))
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
