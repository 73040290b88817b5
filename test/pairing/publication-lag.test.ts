import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { PairingRow } from '../../src/forecast/row.js'
import type { HourlyPlan } from '../../src/pairing/hourly.js'

import { attemptsOf, recorded, row } from './made.js'
import { CLOSES, ORIGIN, PLAN } from './one-origin.js'

async function reasonOf(given: PairingRow, change: Partial<HourlyPlan> = {}) {
  const [attempt] = await attemptsOf({ ...PLAN, ...change }, CLOSES, [given])
  return attempt?.reason
}

const made = (generatedAt: string | null) => row(ORIGIN, 2, 'alpha', { generatedAt })

describe('a registered publication lag', () => {
  it.each([
    ['at the origin', ORIGIN, 'scored'],
    ['before its origin', '2025-07-31T11:00:00Z', 'scored'],
    ['at the end of the lag', '2025-07-31T13:00:00Z', 'scored'],
    ['in another time zone, within', '2025-07-31T15:00:00+02:00', 'scored'],
    ['a microsecond after', '2025-07-31T13:00:00.000001Z', 'published_late'],
    ['after its target', '2025-07-31T15:00:00Z', 'published_late'],
    ['at a time that is not said', null, 'published_late'],
  ])('of an hour, and a forecast made %s', async (_, generatedAt, reason) => {
    expect(await reasonOf(made(generatedAt))).toBe(reason)
  })

  it('longer than a horizon ends at the target', async () => {
    const long = { publicationLag: 8 * MICROS_PER_HOUR }
    expect(await reasonOf(made('2025-07-31T14:00:00Z'), long)).toBe('scored')
    expect(await reasonOf(made('2025-07-31T14:00:00.000001Z'), long)).toBe('published_late')
  })

  it('does not ask a recorded failure or a built-in model when it was made', async () => {
    expect(await reasonOf(recorded(ORIGIN, 2, 'alpha', 'failed'))).toBe('recorded_failure')
    expect(await reasonOf(made(null), { builtIn: new Set(['alpha']) })).toBe('scored')
  })

  it('asks nothing in retrospect, and nothing new where none is registered', async () => {
    const late = made('2025-07-31T13:30:00Z')
    expect(await reasonOf(late, { mode: 'retrospective' })).toBe('scored')
    const { publicationLag: _, ...early } = PLAN
    expect((await attemptsOf(early, CLOSES, [late]))[0]?.reason).toBe('scored')
  })
})
