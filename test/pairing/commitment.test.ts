import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { PairingRow } from '../../src/forecast/row.js'
import type { HourlyPlan } from '../../src/pairing/hourly.js'
import type { CommitmentLookup } from '../../src/pairing/types.js'
import { at, attemptsOf, recorded, row } from './made.js'
import { CLOSES, ORIGIN, PLAN } from './one-origin.js'

type Committed = ReturnType<CommitmentLookup['committed']>

/** @param committed what the log says of every key; a text is a time. */
async function reasonOf(
  committed: string | undefined,
  rows: readonly PairingRow[],
  change: Partial<HourlyPlan> = {},
) {
  const said: Committed =
    committed === undefined || committed === 'withdrawn' ? committed : at(committed)
  const commitment = { committed: () => said }
  const [attempt] = await attemptsOf({ ...PLAN, commitment, ...change }, CLOSES, rows)
  return attempt?.reason
}

const made = (over: Partial<PairingRow> = {}) =>
  row(ORIGIN, 2, 'alpha', { generatedAt: ORIGIN, ...over })
const failed = recorded(ORIGIN, 2, 'alpha', 'failed')

describe('a forecast that has to be committed', () => {
  it.each([
    ['at its origin', ORIGIN, 'scored'],
    ['before it', '2025-07-31T11:00:00Z', 'scored'],
    ['at the end of the lag', '2025-07-31T13:00:00Z', 'scored'],
    ['a microsecond later', '2025-07-31T13:00:00.000001Z', 'committed_late'],
    ['after its target', '2025-07-31T15:00:00Z', 'committed_late'],
    ['never', undefined, 'not_committed'],
    ['and was replaced', 'withdrawn', 'withdrawn'],
  ])('and was, %s', async (_, committed, reason) => {
    expect(await reasonOf(committed, [made()])).toBe(reason)
  })

  it('is committed before its target, however long the lag, or where there is none', async () => {
    const { publicationLag: _, ...without } = PLAN
    for (const plan of [{ publicationLag: 8 * MICROS_PER_HOUR }, { publicationLag: undefined }]) {
      const change = { ...without, ...plan } as Partial<HourlyPlan>
      expect(await reasonOf('2025-07-31T14:00:00Z', [made()], change)).toBe('scored')
      const late = '2025-07-31T14:00:00.000001Z'
      expect(await reasonOf(late, [made()], change)).toBe('committed_late')
    }
  })

  it('is judged first by what it says of itself, and by the log before all else', async () => {
    const lookahead = made({ inputAvailableAt: '2025-07-31T12:00:01Z' })
    const late = made({ generatedAt: '2025-07-31T13:30:00Z' })
    for (const committed of [undefined, 'withdrawn', '2025-07-31T15:00:00Z']) {
      expect(await reasonOf(committed, [lookahead])).toBe('lookahead')
      expect(await reasonOf(committed, [late])).toBe('published_late')
      const early = { asOf: at('2025-07-31T13:00:00Z') }
      expect(await reasonOf(committed, [made()], early)).toBe('not_matured')
    }
    const registeredAt = at('2025-07-31T12:30:00Z')
    expect(await reasonOf(undefined, [made()], { registeredAt })).toBe('not_committed')
    expect(await reasonOf(ORIGIN, [made()], { registeredAt })).toBe('before_registration')
    expect(await reasonOf(undefined, [made({ forecast: Number.NaN })])).toBe('not_committed')
  })

  it('is missed only where the log holds it', async () => {
    expect(await reasonOf(undefined, [])).toBe('forecast_missing')
    expect(await reasonOf('withdrawn', [])).toBe('withdrawn')
    expect(await reasonOf(undefined, [failed])).toBe('recorded_failure')
    expect(await reasonOf('withdrawn', [failed])).toBe('withdrawn')
  })

  it('is no built-in one, and none of the past', async () => {
    expect(await reasonOf('withdrawn', [made()], { builtIn: new Set(['alpha']) })).toBe('scored')
    expect(await reasonOf('withdrawn', [made()], { mode: 'retrospective' })).toBe('scored')
  })

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
    const origin = at(ORIGIN)
    expect(asked).toEqual(
      [2, 4].flatMap((h) =>
        ['alpha', 'beta'].map((m) => [origin, { id: h, series: '', horizon: h }, m]),
      ),
    )
  })
})
