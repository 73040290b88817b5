import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { evaluate } from '../../src/evaluation/evaluate.js'
import type { CandidateDisposition } from '../../src/evaluation/result/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import {
  batches,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
  numbers,
  runMetadata,
} from './made.js'

const HOURS = 24 * 60
const VINTAGE = madeVintage(HOURS)

const LIMITS: Registration['limits'] = {
  per_horizon_regression: 0.05,
  directional_loss: 0.02,
  direction_epsilon: 1e-6,
  availability_limit: 0.02,
  availability_limit_stratum: 0.05,
  direction_pairs_factor: 1.1,
}

const HALVES: Registration['strata'] = [
  { name: 'half', by: 'hour_of_day', levels: [{ level: 'am' }, { level: 'pm' }] },
]

/** A model with some sight, which says something at every hour. */
const SIGHTED = [...madeRows(HOURS, VINTAGE, [{ name: 'seer', sight: 0.3 }], false)]

/** A model without any skill: the price at the origin with chance added. */
function unskilled(): PairingRow[] {
  const next = numbers(5)
  return SIGHTED.map((row) => {
    const forecast = (row.sourcePrice ?? 0) * Math.exp((next() - 0.5) * 0.01)
    return { ...row, forecast, q10: forecast * 0.99, q50: forecast, q90: forecast * 1.01 }
  })
}

/** How far the forecast turned out to be off, as a log return. */
function errorOf({ originAt, horizon, forecast }: PairingRow): number {
  const target = Date.parse(String(originAt)) * 1000 + horizon * 3_600_000_000
  return Math.abs(Math.log((forecast ?? 0) / (VINTAGE.closeAt(target) ?? Number.NaN)))
}

async function judged(
  rows: readonly PairingRow[],
  change: Partial<Registration> = {},
): Promise<CandidateDisposition> {
  const registration = madeRegistration(HOURS, { limits: LIMITS, ...change })
  const strata = registration.strata.map(({ name, levels = [] }) => ({
    name,
    levels: levels.map(({ level }) => level),
    levelOf: (origin: number) => ((origin / 3.6e9) % 24 < 12 ? 'am' : 'pm'),
  }))
  const basis = { registration, vintage: VINTAGE, strata, protocol: madeProtocol(200) }
  const done = await evaluate(basis, batches(rows), () => undefined)
  const [verdict] = done.result(runMetadata(done.paired.pairs)).dispositions
  if (verdict === undefined) throw new Error('no candidate')
  return verdict
}

const codes = ({ reasons }: CandidateDisposition, code: string) =>
  reasons.filter((reason) => reason.code === code)

describe('silence', () => {
  it('blocks a model that withholds a fifth of its forecasts, those that went wrong', async () => {
    const rows = unskilled()
    const errors = rows.map(errorOf).sort((a, b) => b - a)
    const worst = errors[Math.floor(errors.length / 5)] ?? 0
    const before = await judged(rows)
    expect(codes(before, 'availability_limit_exceeded')).toEqual([])
    const after = await judged(rows.filter((row) => errorOf(row) < worst))
    expect(after.disposition).toBe('blocked')
    expect(codes(after, 'availability_limit_exceeded').length).toBeGreaterThan(0)
  })

  it('blocks a model that is silent in one part of the day alone', async () => {
    const morning = ({ originAt }: PairingRow) => Number(String(originAt).slice(11, 13)) < 12
    const origins = [...new Set(SIGHTED.filter(morning).map((row) => row.originAt))]
    const withheld = (count: number) => {
      const silent = new Set(origins.slice(0, count))
      return SIGHTED.filter((row) => !silent.has(row.originAt))
    }
    expect(origins.length).toBe(720)
    // Of all 1,440 origins a share of 2.6 % is missing, which this registration allows.
    const wide = { strata: HALVES, limits: { ...LIMITS, availability_limit: 0.5 } }
    const within = await judged(withheld(36), wide)
    expect(codes(within, 'availability_limit_exceeded')).toEqual([])
    const beyond = await judged(withheld(37), wide)
    expect(beyond.disposition).toBe('blocked')
    const found = codes(beyond, 'availability_limit_exceeded')
    expect(found.map(({ details, horizon }) => [details, horizon])).toEqual(
      ['persistence', 'ar1'].flatMap(() => [2, 4, 8, 16].map((horizon) => [['half: am'], horizon])),
    )
    expect(found[0]?.found).toBe(37 / 720)
  })

  it('never judges a deleted failure better than a recorded one', async () => {
    const rows = SIGHTED
    const share = fc.double({ min: 0, max: 0.06, noNaN: true })
    await fc.assert(
      fc.asyncProperty(share, fc.integer({ min: 1, max: 1000 }), async (failing, seed) => {
        const next = numbers(seed)
        const fails = rows.map(() => next() < failing)
        const nothing = { forecast: null, q10: null, q50: null, q90: null }
        const recorded = rows.map((row, at) =>
          fails[at] ? { ...row, ...nothing, attempt: 'failed' as const } : row,
        )
        const deleted = rows.filter((_, at) => !fails[at])
        const [told, hidden] = [await judged(recorded), await judged(deleted)]
        expect(told.disposition).toBe(hidden.disposition)
        expect(codes(told, 'availability_limit_exceeded')).toEqual(
          codes(hidden, 'availability_limit_exceeded'),
        )
      }),
      { numRuns: 6 },
    )
  })
})
