import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatUtc, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { readVintage } from '../../src/outcomes/vintage.js'
import type { CloseLookup } from '../../src/pairing/hourly.js'
import { REASONS, STATUS_OF } from '../../src/pairing/types.js'
import { BESIDE, CASES, LAST_CLOSE, PLAN, rows } from './by-hand.js'
import { attemptsOf, summarised } from './made.js'

/** Closes for every hour of two days up to the last one. */
const MADE: CloseLookup = {
  closeAt: (instant) =>
    instant % MICROS_PER_HOUR === 0 &&
    instant <= LAST_CLOSE &&
    instant > LAST_CLOSE - 48 * MICROS_PER_HOUR
      ? 100_000 + ((instant / MICROS_PER_HOUR) % 24)
      : undefined,
}

const real = new URL('../../../shared/data/closes_btcusd_1h_2024_2025.csv', import.meta.url)
  .pathname

describe.each([
  ['made closes', () => MADE],
  ...(existsSync(real)
    ? [['the real closes of 2024 and 2025', () => readVintage(real)] as const]
    : []),
] as const)('verdicts written down by hand, on %s', async (_name, vintageOf) => {
  const vintage = vintageOf()
  const attempts = await attemptsOf(PLAN, vintage, rows())

  it('are the verdicts of the pairing, in origin, horizon, model order', () => {
    const expected = attempts.filter((attempt) => attempt.expected)
    const found = expected.map(({ origin, horizon, model, status, reason, intervalStatus }) =>
      [formatUtc(origin ?? 0), horizon, model, status, reason, intervalStatus].join(' '),
    )
    const byHand = CASES.map(([hour, horizon, model, , reason, interval]) =>
      [`2025-07-31T${hour}:00:00Z`, horizon, model, STATUS_OF[reason], reason, interval].join(' '),
    )
    expect(found).toEqual(byHand)
    expect(CASES).toHaveLength(48)
  })

  it('cover every reason but those of a registered lag, of commitments and of other series', () => {
    const elsewhere = ['published_late', 'withdrawn', 'not_committed', 'committed_late'] as const
    const ofSeries = [
      ...(['outcome_absent', 'quantiles_incomplete', 'quantiles_cross'] as const),
      ...(['out_of_range', 'not_integer'] as const),
    ]
    const found = attempts.map(({ reason }) => reason)
    const covered = new Set([...elsewhere, ...ofSeries, ...found])
    expect(covered).toEqual(new Set(REASONS))
  })

  it('list what is beside the grid with its reason, in order', () => {
    const beside = attempts.filter((attempt) => !attempt.expected)
    expect(beside.map((one) => [one.horizon, one.model, one.reason, one.intervalStatus])).toEqual(
      BESIDE.map(([one, reason, interval]) => [one.horizon, one.model, reason, interval]),
    )
    expect(beside.slice(0, 2).map(({ origin, originText }) => [origin, originText])).toEqual([
      [null, 'yesterday'],
      [null, '2025-07-31T12:00:00.1234567+00:00'],
    ])
  })

  it('carry the two closes where they are scored, and nowhere else', () => {
    for (const { status, origin, target, p0, p1 } of attempts) {
      if (status === 'scored') {
        expect([p0, p1]).toEqual([vintage.closeAt(origin ?? 0), vintage.closeAt(target ?? 0)])
      } else expect([p0, p1]).toEqual([null, null])
    }
  })

  it('add up in every table', () => {
    const even = (origin: number) => ((origin / MICROS_PER_HOUR) % 2 === 0 ? 'even' : 'odd')
    const plan = {
      ...PLAN,
      strata: [
        { name: 'hour', levels: ['even', 'odd', 'never'], levelOf: even },
        {
          name: 'half',
          levels: ['first'],
          levelOf: (origin: number) =>
            origin < LAST_CLOSE - 10 * MICROS_PER_HOUR ? 'first' : undefined,
        },
      ],
    }
    const summary = summarised(plan, attempts)
    // Counted by hand in the list of cases.
    const counts = { scored: 12, failed: 8, abstained: 1, missing: 7, ineligible: 20 }
    expect(summary.total).toMatchObject({ expected: 48, ...counts })
    expect(summary.models.alpha).toMatchObject({ expected: 16 })
    const late = { expected: 12, scored: 0, missing: 6, ineligible: 6 }
    expect(summary.horizons['16']).toMatchObject(late)
    const own = { expected: 4, scored: 2, missing: 1, ineligible: 1 }
    expect(summary.cells.gamma?.['2']).toMatchObject(own)
    expect(summary.strata.hour?.never).toMatchObject({ expected: 0, rates: null })
    expect(summary.strata.hour?.even?.expected).toBe(24)
    expect(summary.strata.half?.first?.expected).toBe(24)
    expect(summary.strata.half?.unassigned?.expected).toBe(24)
    expect(summary.outside).toEqual({
      count: 9,
      reasons: {
        timestamp_invalid: 2,
        target_mismatch: 1,
        horizon_not_in_protocol: 2,
        origin_off_grid: 3,
        model_not_in_plan: 1,
      },
    })
    expect(summary.total.rates?.scored).toBe(12 / 48)
  })
})
