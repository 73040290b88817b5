import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { REASONS, type Reason, STATUS_OF, type Status } from '../../src/pairing/paired-attempt.js'
import { HOURS } from '../../src/protocol/rules/calendar.js'
import type { Closes } from '../../src/truth/closes/closes-truth.js'
import {
  at,
  attemptsOf,
  type HourlyPlan,
  inOrder,
  type RowChange,
  recorded,
  row,
  summarised,
} from './made.js'

/**
 * A pairing whose every verdict was written down by hand. Closes are there up to and including
 * 2025-08-01T00:00:00Z; the as-of lies six hours later, so
 * targets between the two have matured without an outcome.
 */
const LAST_CLOSE = at('2025-08-01T00:00:00Z')

const PLAN: HourlyPlan = {
  from: at('2025-07-31T12:00:00Z'),
  to: at('2025-07-31T15:30:00Z'),
  models: ['gamma', 'alpha', 'beta'],
  horizons: [2, 4, 8, 16],
  asOf: at('2025-08-01T06:00:00Z'),
  mode: 'prospective',
  registeredAt: at('2025-07-31T12:30:00Z'),
  provenanceRequired: true,
  // Longer than any horizon: the target comes first.
  publicationLag: 24 * MICROS_PER_HOUR,
}

type Case = readonly [
  hour: 12 | 13 | 14 | 15,
  horizon: number,
  model: string,
  given: RowChange | 'absent' | 'failed' | 'abstained',
  reason: Reason,
  interval: Status,
]

const NO_BOUNDS = { q10: null, q50: null, q90: null }
const LATE = '2025-07-31T23:30:00+00:00'
/** A time of that day. */
const day = (time: string) => `2025-07-31T${time}`
/** Finer than a microsecond. */
const FINE = day('15:00:00.1234567Z')

/** In origin, horizon, model order: 4 origins × 4 horizons × 3 models. */
const CASES: readonly Case[] = [
  // 12:00 lies before the registration; what is wrong with the row itself is said first. Its last target has no close.
  [12, 2, 'alpha', {}, 'before_registration', 'ineligible'],
  [12, 2, 'beta', { targetAt: 'soon' }, 'timestamp_invalid', 'ineligible'],
  [12, 2, 'gamma', 'absent', 'before_registration', 'missing'],
  [12, 4, 'alpha', { targetAt: day('16:00:00.000001+00:00') }, 'target_mismatch', 'ineligible'],
  [12, 4, 'beta', { inputAvailableAt: day('12:00:00.000001+00:00') }, 'lookahead', 'ineligible'],
  [12, 4, 'gamma', { vintageSha256: null }, 'provenance_missing', 'ineligible'],
  [12, 8, 'alpha', { generatedAt: LATE }, 'generated_after_target', 'ineligible'],
  [12, 8, 'beta', 'failed', 'before_registration', 'missing'],
  [12, 8, 'gamma', { forecast: Number.NaN }, 'before_registration', 'ineligible'],
  [12, 16, 'alpha', {}, 'outcome_missing', 'missing'],
  [12, 16, 'beta', { ...NO_BOUNDS }, 'outcome_missing', 'missing'],
  [12, 16, 'gamma', 'abstained', 'outcome_missing', 'missing'],
  // 13:00 is what a good evaluation looks like, but for its last target, which has no close.
  [13, 2, 'alpha', {}, 'scored', 'scored'],
  [13, 2, 'beta', { targetAt: day('17:00:00+02:00') }, 'scored', 'scored'],
  [13, 2, 'gamma', { targetAt: day('15:00:00.0000000Z') }, 'scored', 'scored'],
  [13, 4, 'alpha', { ...NO_BOUNDS }, 'scored', 'missing'],
  [13, 4, 'beta', { q10: 117_000, q50: 117_000, q90: 117_000 }, 'scored', 'scored'],
  [13, 4, 'gamma', { q10: 118_000, q90: 116_000 }, 'scored', 'failed'],
  [13, 8, 'alpha', { q50: null }, 'scored', 'failed'],
  [13, 8, 'beta', { level: 0.9 }, 'scored', 'ineligible'],
  [13, 8, 'gamma', { q10: 0 }, 'scored', 'failed'],
  [13, 16, 'alpha', {}, 'outcome_missing', 'missing'],
  [13, 16, 'beta', 'failed', 'outcome_missing', 'missing'],
  [13, 16, 'gamma', 'absent', 'outcome_missing', 'missing'],
  // 14:00: failures of every kind. Its last target matures exactly at the as-of.
  [14, 2, 'alpha', 'failed', 'recorded_failure', 'missing'],
  [14, 2, 'beta', 'abstained', 'recorded_abstention', 'missing'],
  [14, 2, 'gamma', 'absent', 'forecast_missing', 'missing'],
  [14, 4, 'alpha', { forecast: 0 }, 'out_of_range', 'failed'],
  [14, 4, 'beta', { forecast: -1 }, 'out_of_range', 'failed'],
  [14, 4, 'gamma', { forecast: Number.POSITIVE_INFINITY }, 'out_of_range', 'failed'],
  [14, 8, 'alpha', { sourcePrice: 0 }, 'out_of_range', 'failed'],
  [14, 8, 'beta', { sourcePrice: Number.NaN, ...NO_BOUNDS }, 'out_of_range', 'missing'],
  [14, 8, 'gamma', { sourcePrice: null }, 'out_of_range', 'failed'],
  [14, 16, 'alpha', { targetAt: 'soon' }, 'outcome_missing', 'missing'],
  [14, 16, 'beta', { attempt: 'abstained' }, 'outcome_missing', 'missing'],
  [14, 16, 'gamma', { forecast: 0 }, 'outcome_missing', 'missing'],
  // 15:00: what a forecast may know and when it may be made; its last target has not matured.
  [15, 2, 'alpha', { selectionDataThrough: day('15:00:01+00:00') }, 'lookahead', 'ineligible'],
  [15, 2, 'beta', { inputAvailableAt: null }, 'provenance_missing', 'ineligible'],
  [15, 2, 'gamma', { selectionDataThrough: day('15:00:00+00:00') }, 'scored', 'scored'],
  [15, 4, 'alpha', { generatedAt: day('19:00:00+00:00') }, 'scored', 'scored'],
  [15, 4, 'beta', { generatedAt: day('19:00:00.000001Z') }, 'generated_after_target', 'ineligible'],
  [15, 4, 'gamma', { generatedAt: null }, 'published_late', 'ineligible'],
  [15, 8, 'alpha', { generatedAt: '2025-07-31 15:00' }, 'timestamp_invalid', 'ineligible'],
  [15, 8, 'beta', { inputAvailableAt: FINE }, 'timestamp_invalid', 'ineligible'],
  [15, 8, 'gamma', { attempt: 'failed' }, 'recorded_failure', 'failed'],
  [15, 16, 'alpha', { targetAt: 'soon' }, 'not_matured', 'ineligible'],
  [15, 16, 'beta', 'absent', 'not_matured', 'missing'],
  [15, 16, 'gamma', { generatedAt: '2025-08-02T00:00:00+00:00' }, 'not_matured', 'ineligible'],
]

type Beside = readonly [given: PairingRow, reason: Reason, interval: Status]

/** Rows without an expected key, in the order in which they come. */
const BESIDE: readonly Beside[] = [
  [row('yesterday', 2, 'alpha'), 'timestamp_invalid', 'ineligible'],
  [row(day('12:00:00.1234567+00:00'), 2, 'alpha'), 'timestamp_invalid', 'ineligible'],
  [row(day('12:00:00+00:00'), 3, 'alpha'), 'horizon_not_in_protocol', 'ineligible'],
  [row(day('12:00:00+00:00'), 4, 'delta'), 'model_not_in_plan', 'ineligible'],
  [recorded(day('12:00:00+00:00'), 6, 'alpha', 'failed'), 'horizon_not_in_protocol', 'missing'],
  [
    row(day('13:00:00.000001+00:00'), 2, 'alpha', { targetAt: day('15:00:00.000001Z') }),
    'origin_off_grid',
    'ineligible',
  ],
  [row(day('13:30:00+00:00'), 2, 'alpha'), 'origin_off_grid', 'ineligible'],
  [
    row(day('13:30:00+00:00'), 4, 'alpha', { targetAt: day('18:00:00+00:00') }),
    'target_mismatch',
    'ineligible',
  ],
  [row(day('15:30:00+00:00'), 2, 'delta'), 'origin_off_grid', 'ineligible'],
]

/** Rows of other windows, which the pairing is not about. */
const ELSEWHERE: readonly PairingRow[] = [
  row(day('11:00:00+00:00'), 2, 'alpha'),
  row(day('15:30:00.000001+00:00'), 2, 'alpha'),
  row(day('16:00:00+00:00'), 2, 'alpha'),
]

function given(one: Case): PairingRow | undefined {
  const [hour, horizon, model, what] = one
  const origin = day(`${hour}:00:00+00:00`)
  if (what === 'absent') return undefined
  if (what === 'failed' || what === 'abstained') return recorded(origin, horizon, model, what)
  return row(origin, horizon, model, what)
}

/** All rows as a history gives them: by origin, those whose origin is no timestamp first. */
function rows(): PairingRow[] {
  const expected = CASES.map(given).filter((one) => one !== undefined)
  return inOrder([...expected, ...BESIDE.map(([one]) => one), ...ELSEWHERE])
}

/** Closes for every hour of two days up to the last one. */
const CLOSES: Closes = {
  first: LAST_CLOSE - 47 * MICROS_PER_HOUR,
  last: LAST_CLOSE,
  closeAt: (instant) =>
    instant % MICROS_PER_HOUR === 0 &&
    instant <= LAST_CLOSE &&
    instant > LAST_CLOSE - 48 * MICROS_PER_HOUR
      ? 100_000 + ((instant / MICROS_PER_HOUR) % 24)
      : undefined,
}

describe('verdicts written down by hand', async () => {
  const attempts = await attemptsOf(PLAN, CLOSES, rows())

  it('are the verdicts of the pairing, in origin, horizon, model order', () => {
    const expected = attempts.filter((attempt) => attempt.expected)
    const found = expected.map(({ origin, horizon, model, status, reason, intervalStatus }) =>
      [HOURS.label(origin ?? 0), horizon, model, status, reason, intervalStatus].join(' '),
    )
    const byHand = CASES.map(([hour, horizon, model, , reason, interval]) =>
      [`2025-07-31T${hour}:00:00Z`, horizon, model, STATUS_OF[reason], reason, interval].join(' '),
    )
    expect(found).toEqual(byHand)
    expect(CASES).toHaveLength(48)
  })

  it('cover every reason but those of commitments and of other series', () => {
    const elsewhere = ['withdrawn', 'not_committed', 'committed_late']
    const ofSeries = ['quantiles_incomplete', 'quantiles_cross']
    const found = attempts.map(({ reason }) => reason)
    const covered = new Set<string>([...elsewhere, ...ofSeries, 'not_integer', ...found])
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
      const closes = [origin, target].map((at) => CLOSES.closeAt(HOURS.end(at ?? 0)))
      expect([p0, p1]).toEqual(status === 'scored' ? closes : [null, null])
    }
  })

  it('add up in every table', () => {
    const even = (origin: number) => (origin % 2 === 0 ? 'even' : 'odd')
    const plan = {
      ...PLAN,
      strata: [
        { name: 'hour', levels: ['even', 'odd', 'never'], levelAt: even },
        {
          name: 'half',
          levels: ['first'],
          levelAt: (origin: number) =>
            HOURS.end(origin) < LAST_CLOSE - 10 * MICROS_PER_HOUR ? 'first' : undefined,
        },
      ],
    }
    const summary = summarised(plan, attempts)
    // Counted by hand in the list of cases.
    const counts = { scored: 11, failed: 8, abstained: 1, missing: 10, ineligible: 18 }
    expect(summary.total).toMatchObject({ expected: 48, ...counts })
    expect(summary.models.alpha).toMatchObject({ expected: 16 })
    const late = { expected: 12, scored: 0, missing: 9, ineligible: 3 }
    expect(summary.horizons['16']).toMatchObject(late)
    const own = { expected: 4, scored: 2, missing: 1, ineligible: 1 }
    expect(summary.cells.gamma?.['2']).toMatchObject(own)
    expect(summary.strata.hour?.never).toMatchObject({ expected: 0, rates: null })
    expect(summary.strata.hour?.even?.expected).toBe(24)
    expect(summary.strata.half?.first?.expected).toBe(24)
    expect(summary.strata.half?.unassigned?.expected).toBe(24)
    const ofRows = { timestamp_invalid: 2, target_mismatch: 1, model_not_in_plan: 1 }
    const reasons = { ...ofRows, horizon_not_in_protocol: 2, origin_off_grid: 3 }
    expect(summary.outside).toEqual({ count: 9, reasons })
    expect(summary.total.rates?.scored).toBe(11 / 48)
  })
})
