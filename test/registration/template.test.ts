import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/contract/types.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { planTemplate, templateText } from '../../src/registration/template.js'
import { frozen, hours, NOW, protocol } from './made.js'

const blanks = (template: object) =>
  planFindings(template, under, NOW).map(({ code, pointer }) => `${code} ${pointer}`)

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
      'plan-placeholder /name',
      'plan-placeholder /candidates/0/name',
      'plan-placeholder /comparators/incumbent/name',
      'plan-placeholder /baseline_pool/random_walk',
      'plan-placeholder /strata/0/levels/0/below',
      'plan-placeholder /strata/0/levels/1/below',
      'plan-placeholder /strata/3/reason',
      'plan-placeholder /outcomes/source',
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
    expect(planFindings(filled, under, NOW).map(({ code }) => code)).toEqual([
      'stratum-omitted',
      'lag-without-provenance',
    ])
    // Minima of 500 pairs and 20 blocks of 24, in a third of the origins, with a reserve.
    const span = Date.parse(filled.window.to) - Date.parse(filled.window.from)
    expect(span / 3_600_000 + 1).toBe(2016)
  })

  it('of a backtest takes its window from the vintage and leaves a lead-in', () => {
    const { window } = planTemplate(under, { mode: 'retrospective', now: NOW, vintage }) as Plan
    expect(window).toEqual({ from: '2025-08-14T00:00:00Z', to: '2025-12-31T08:00:00Z' })
  })
})

it.each([
  ['btcusd-hourly-1', { deciding: 0.8, other: 0.2 }, 60],
  ['btcusd-hourly-2', { deciding: 0.8, other: 0.2 }, 60],
  ['btcusd-hourly-3', { verdict: 0.6, deciding: 0.3, other: 0.1 }, 5],
])('under %s it proposes what that protocol describes', (name, weights, lag) => {
  const proposed = planTemplate(frozen(name), { mode: 'prospective', now: NOW }) as Plan
  expect(proposed.inference).toEqual({ method: 'ewc-t', weights })
  expect(proposed.publication_lag_minutes).toBe(lag)
})

it('has the shares of a protocol that is stricter', () => {
  const strict = frozen('btcusd-hourly-3')
  strict.pairing.failure_denominator = 'At most 0.01, and 0.03 in a level.'
  expect(planTemplate(strict, { mode: 'prospective', now: NOW })).toMatchObject({
    limits: { availability_limit: 0.01, availability_limit_stratum: 0.03 },
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
    const outside = { mode: 'retrospective', from: first, to: last }
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
