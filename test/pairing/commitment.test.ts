import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR, MICROS_PER_MINUTE } from '../../src/contract/instant.js'
import type { Reason } from '../../src/pairing/paired-attempt.js'
import type { CommitmentLookup } from '../../src/pairing/plan.js'
import { at, attemptsOf, type HourlyPlan, type RowChange, recorded, row } from './made.js'

const ORIGIN = '2025-03-01T12:00:00Z'
const START = at(ORIGIN)
const LAG = 2 * MICROS_PER_MINUTE
const CLOSES = { closeAt: () => 60_000 }
const utc = (instant: number) => new Date(instant / 1000).toISOString().replace('Z', '+00:00')

const PLAN: HourlyPlan = {
  ...{ from: START, to: START, models: ['a'], horizons: [2], mode: 'prospective' },
  ...{ asOf: START + 2 * MICROS_PER_HOUR, registeredAt: START, publicationLag: LAG },
  ...{ provenanceRequired: false, forVerdict: true },
}
const committedAt = (found: ReturnType<CommitmentLookup['committed']>): Partial<HourlyPlan> => ({
  commitment: { committed: () => found },
})
const late = (change: RowChange = {}) => row(ORIGIN, 2, 'a', change)

type Case = readonly [says: string, reason: Reason, plan: Partial<HourlyPlan>, row?: RowChange]

/** What each rule says at its bound and just beyond it, one case a rule. */
const CASES: readonly Case[] = [
  ['made at the last moment', 'scored', {}, { generatedAt: utc(START + LAG) }],
  ['made after it', 'published_late', {}, { generatedAt: utc(START + LAG + 1000) }],
  ['made at no time it says', 'published_late', {}, { generatedAt: null }],
  ['the same in a backtest', 'scored', { mode: 'backtest' }, { generatedAt: null }],
  ['the same of a simple model', 'scored', { builtIn: new Set(['a']) }, { generatedAt: null }],
  ['registered at its origin', 'scored', { registeredAt: START }],
  ['registered after it', 'before_registration', { registeredAt: START + 1 }],
  ['matured at the as-of', 'scored', { asOf: START + 2 * MICROS_PER_HOUR }],
  ['matured after it', 'not_matured', { asOf: START + 2 * MICROS_PER_HOUR - 1 }],
  ['committed at the last moment', 'scored', committedAt(START + LAG)],
  ['committed after it', 'committed_late', committedAt(START + LAG + 1)],
  ['not committed', 'not_committed', committedAt(undefined)],
  ['withdrawn', 'withdrawn', committedAt('withdrawn')],
  ['late, in a second reading', 'scored', { ...committedAt(undefined), isReadTwice: true }],
  ['withdrawn in it', 'withdrawn', { ...committedAt('withdrawn'), isReadTwice: true }],
  [
    'late, before registration',
    'committed_late',
    { ...committedAt(START + LAG + 1), registeredAt: START + 1 },
  ],
  [
    'no commitment of a simple model',
    'scored',
    { ...committedAt(undefined), builtIn: new Set(['a']) },
  ],
  ['no commitment in a backtest', 'scored', { ...committedAt(undefined), mode: 'backtest' }],
  [
    'a recorded attempt beside a committed forecast',
    'scored',
    committedAt(START),
    { attempt: 'failed' },
  ],
  ['the same without a log', 'recorded_failure', {}, { attempt: 'failed' }],
]

describe('an expected forecast', () => {
  it.each(CASES.map((one) => ({ says: `${one[0]}: ${one[1]}`, one })))('$says', async ({ one }) => {
    const [, reason, plan, change] = one
    const [attempt] = await attemptsOf({ ...PLAN, ...plan }, CLOSES, [late(change)])
    expect((attempt?.second ?? attempt)?.reason).toBe(reason)
  })

  it('is not asked to be committed where nothing was forecast', async () => {
    const plan = { ...PLAN, ...committedAt(undefined) }
    const [attempt] = await attemptsOf(plan, CLOSES, [recorded(ORIGIN, 2, 'a', 'abstained')])
    expect(attempt?.reason).toBe('recorded_abstention')
    const [none] = await attemptsOf(plan, CLOSES, [])
    expect(none?.reason).toBe('forecast_missing')
  })

  it('without an outcome is that before all that its row says', async () => {
    const none = { closeAt: () => undefined }
    const rows = [late({ generatedAt: utc(START + MICROS_PER_HOUR) })]
    const [attempt] = await attemptsOf(PLAN, none, rows)
    expect([attempt?.reason, attempt?.intervalStatus]).toEqual(['outcome_missing', 'missing'])
  })

  it('needs no value at its origin', async () => {
    const target = START + 2 * MICROS_PER_HOUR
    const closeAt = (instant: number) => (instant === target ? 60_000 : undefined)
    const [attempt] = await attemptsOf(PLAN, { closeAt }, [late({ generatedAt: utc(START) })])
    expect(attempt).toMatchObject({ reason: 'scored', seen: null, p0: null, p1: 60_000 })
  })

  it.each([
    ['its origin', [0, -3], 0],
    ['the last hour before a gap', [-3, -9], -3],
    ['none', [], null],
  ])('has seen %s', async (_, hours, hour) => {
    const there = [...hours, 2].map((at) => START + at * MICROS_PER_HOUR)
    const closeAt = (instant: number) => (there.includes(instant) ? 60_000 : undefined)
    const [attempt] = await attemptsOf(PLAN, { closeAt }, [late({ generatedAt: utc(START) })])
    expect(attempt?.seen).toBe(hour === null ? null : START / MICROS_PER_HOUR + hour)
    const early = { ...PLAN, asOf: START + MICROS_PER_HOUR }
    expect((await attemptsOf(early, { closeAt }, []))[0]?.seen).toBeNull()
  })
})
