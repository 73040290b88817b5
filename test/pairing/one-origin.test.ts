import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { PAIR } from '../../src/contract/limits.js'
import type { PairingRow } from '../../src/forecast/row.js'
import type { CommitmentLookup } from '../../src/pairing/plan.js'
import { at, attemptsOf, type HourlyPlan, recorded, row } from './made.js'

const ORIGIN = '2025-07-31T12:00:00+00:00'
const CLOSES = { closeAt: () => 117_000 }

/** One model at one origin and horizon, judged prospectively, with an hour to publish. */
const PLAN: HourlyPlan = {
  ...{ from: at(ORIGIN), to: at(ORIGIN), models: ['alpha'], horizons: [2] },
  asOf: at('2025-08-02T00:00:00Z'),
  mode: 'prospective',
  provenanceRequired: false,
  registeredAt: at('2025-07-01T00:00:00Z'),
  publicationLag: MICROS_PER_HOUR,
}

async function reasonOf(rows: readonly PairingRow[], change: Partial<HourlyPlan> = {}) {
  const [attempt] = await attemptsOf({ ...PLAN, ...change }, CLOSES, rows)
  return attempt?.reason
}

/** @param committed what the log says of every key; a text is a time. */
function reasonIf(
  committed: string | undefined,
  rows: readonly PairingRow[],
  change: Partial<HourlyPlan> = {},
) {
  const isTime = committed !== undefined && committed !== 'withdrawn'
  const commitment: CommitmentLookup = { committed: () => (isTime ? at(committed) : committed) }
  return reasonOf(rows, { commitment, ...change })
}

const made = (over: Partial<PairingRow> = {}) =>
  row(ORIGIN, 2, 'alpha', { generatedAt: ORIGIN, ...over })
const BUILT_IN = { builtIn: new Set(['alpha']) }
const failed = recorded(ORIGIN, 2, 'alpha', 'failed')

it.each([
  ['at its origin', ORIGIN, true],
  ['before it', '2025-07-31T11:00:00Z', true],
  ['at the end of the lag', '2025-07-31T13:00:00Z', true],
  ['in another time zone, within', '2025-07-31T15:00:00+02:00', true],
  ['a microsecond after', '2025-07-31T13:00:00.000001Z', false],
  ['after its target', '2025-07-31T15:00:00Z', false],
])('a lag of an hour, and a forecast made or committed %s', async (_, time, isInTime) => {
  const late = time > '2025-07-31T14' ? 'generated_after_target' : 'published_late'
  expect(await reasonOf([made({ generatedAt: time })])).toBe(isInTime ? 'scored' : late)
  expect(await reasonIf(time, [made()])).toBe(isInTime ? 'scored' : 'committed_late')
})

describe('a forecast that has to be committed', () => {
  it('and never was, or was replaced', async () => {
    expect(await reasonIf(undefined, [made()])).toBe('not_committed')
    expect(await reasonIf('withdrawn', [made()])).toBe('withdrawn')
  })

  it('is committed before its target, however long the lag', async () => {
    const long = { publicationLag: 8 * MICROS_PER_HOUR }
    expect(await reasonIf('2025-07-31T14:00:00Z', [made()], long)).toBe('scored')
    expect(await reasonIf('2025-07-31T14:00:00.000001Z', [made()], long)).toBe('committed_late')
  })

  it('is judged first by what it says of itself, and by the log before all else', async () => {
    const lookahead = made({ inputAvailableAt: '2025-07-31T12:00:01Z' })
    const late = made({ generatedAt: '2025-07-31T13:30:00Z' })
    for (const committed of [undefined, 'withdrawn', '2025-07-31T15:00:00Z']) {
      expect(await reasonIf(committed, [lookahead])).toBe('lookahead')
      expect(await reasonIf(committed, [late])).toBe('published_late')
      const early = { asOf: at('2025-07-31T13:00:00Z') }
      expect(await reasonIf(committed, [made()], early)).toBe('not_matured')
    }
    const registeredAt = at('2025-07-31T12:30:00Z')
    expect(await reasonIf(undefined, [made()], { registeredAt })).toBe('not_committed')
    expect(await reasonIf(ORIGIN, [made()], { registeredAt })).toBe('before_registration')
    expect(await reasonIf(undefined, [made({ forecast: Number.NaN })])).toBe('not_committed')
  })

  it.each<[string | undefined, PairingRow[], Partial<HourlyPlan>, string]>([
    [undefined, [], {}, 'forecast_missing'],
    ['withdrawn', [], {}, 'withdrawn'],
    [undefined, [failed], {}, 'recorded_failure'],
    ['withdrawn', [failed], {}, 'withdrawn'],
    ['withdrawn', [made()], BUILT_IN, 'scored'],
    ['withdrawn', [made()], { mode: 'backtest' }, 'scored'],
  ])(
    'is missed only where the log holds it, is no built-in one, and none of the past (%#)',
    async (log, rows, change, reason) => {
      expect(await reasonIf(log, rows, change)).toBe(reason)
    },
  )

  it('is looked up under its own key', async () => {
    const asked: unknown[] = []
    const commitment: CommitmentLookup = {
      committed: (...key) => {
        asked.push(key)
        return undefined
      },
    }
    const plan = { ...PLAN, commitment, models: ['alpha', 'beta'], horizons: [2, 4] }
    await attemptsOf(plan, CLOSES, [made()])
    const origin = at(ORIGIN) / MICROS_PER_HOUR
    expect(asked).toEqual(
      [2, 4].flatMap((h) =>
        ['alpha', 'beta'].map((m) => [origin, { id: h, series: PAIR, horizon: h }, m]),
      ),
    )
  })
})

describe('a registered publication lag', () => {
  it('is not kept where nothing says when a forecast was made', async () => {
    expect(await reasonOf([made({ generatedAt: null })])).toBe('published_late')
  })

  it('longer than a horizon ends at the target', async () => {
    const long = { publicationLag: 8 * MICROS_PER_HOUR }
    expect(await reasonOf([made({ generatedAt: '2025-07-31T14:00:00Z' })], long)).toBe('scored')
    expect(await reasonOf([made({ generatedAt: '2025-07-31T14:00:00.000001Z' })], long)).toBe(
      'generated_after_target',
    )
  })

  it('does not ask a recorded failure or a built-in model when it was made', async () => {
    expect(await reasonOf([failed])).toBe('recorded_failure')
    expect(await reasonOf([made({ generatedAt: null })], BUILT_IN)).toBe('scored')
  })

  it('asks nothing in retrospect', async () => {
    const late = [made({ generatedAt: '2025-07-31T13:30:00Z' })]
    expect(await reasonOf(late, { mode: 'backtest' })).toBe('scored')
  })
})
