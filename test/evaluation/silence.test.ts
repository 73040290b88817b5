import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import type { CandidateDisposition } from '../../src/evaluation/result/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { numbers } from '../support/random.js'
import { evaluated, LIMITS, madeProtocol, madeRegistration, madeRows, madeVintage } from './made.js'

const HOURS = 24 * 60
const VINTAGE = madeVintage(HOURS)

const HALVES: Registration['strata'] = [
  { name: 'half', by: 'hour_of_day', levels: [{ level: 'am' }, { level: 'pm' }] },
]

/** A model with some sight, which says something at every hour. */
const SIGHTED = [...madeRows(HOURS, VINTAGE, [{ name: 'seer', sight: 0.3 }], false)]

/** A registration in which a model of the history replaces the built-in that the protocol means. */
const ACCOMPLICE: Partial<Registration> = {
  comparators: [
    { source: 'history', name: 'accomplice', required_as: ['persistence'] },
    { source: 'built_in', name: 'ar1', required_as: ['ar1'] },
  ],
}

/** The rows of a candidate, and a comparator without skill with rows at these keys. */
function withAccomplice(rows: readonly PairingRow[], at: readonly PairingRow[]): PairingRow[] {
  const key = ({ originAt, horizon }: PairingRow) => `${originAt} ${horizon}`
  const keys = new Set(at.map(key))
  return rows.flatMap((row) => {
    const forecast = (row.sourcePrice ?? 0) * 1.001
    return keys.has(key(row)) ? [{ ...row, model: 'accomplice', forecast }, row] : [row]
  })
}

async function judged(
  rows: readonly PairingRow[],
  change: Partial<Registration> = {},
): Promise<CandidateDisposition> {
  const registration = madeRegistration(HOURS, { limits: LIMITS, ...change })
  const { result } = await evaluated(registration, VINTAGE, rows, madeProtocol(200))
  const [verdict] = result.dispositions
  if (verdict === undefined) throw new Error('no candidate')
  return verdict
}

const codes = ({ reasons }: CandidateDisposition, code: string) =>
  reasons.filter((reason) => reason.code === code)

// That withheld losses are found, under either method, is in games.test.ts.
describe('silence', () => {
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

  it('blocks a model that a comparator of the history keeps company in its silence', async () => {
    const kept = SIGHTED.filter(({ originAt }) => Number(String(originAt).slice(11, 13)) < 12)
    const verdict = await judged(withAccomplice(kept, kept), ACCOMPLICE)
    expect(verdict.disposition).toBe('blocked')
    const found = (code: string) =>
      codes(verdict, code).map((reason) => [reason.comparator, reason.horizon, reason.found])
    const everywhere = (name: string) => [2, 4, 8, 16].map((horizon) => [name, horizon, 0.5])
    expect(found('availability_limit_exceeded')).toEqual([
      ...everywhere('accomplice'),
      ...everywhere('ar1'),
    ])
    expect(found('comparator_availability_limit_exceeded')).toEqual(everywhere('accomplice'))
  })

  it('blocks each that is compared with a model that chooses its origins', async () => {
    const blocked = async (left: number) => {
      const days = new Set(SIGHTED.slice(0, left * 4).map(({ originAt }) => originAt))
      const kept = SIGHTED.filter(({ originAt }) => !days.has(originAt))
      const verdict = await judged(withAccomplice(SIGHTED, kept), ACCOMPLICE)
      expect(codes(verdict, 'availability_limit_exceeded')).toEqual([])
      return codes(verdict, 'comparator_availability_limit_exceeded').map(
        ({ comparator, found }) => [comparator, found],
      )
    }
    // 0.02 of 1,440 origins are 28.8.
    expect(await blocked(28)).toEqual([])
    expect(await blocked(29)).toEqual([2, 4, 8, 16].map(() => ['accomplice', 29 / 1440]))
  })
})

it('never judges a deleted failure better than a recorded one', async () => {
  const share = fc.double({ min: 0, max: 0.06, noNaN: true })
  await fc.assert(
    fc.asyncProperty(share, fc.integer({ min: 1, max: 1000 }), async (failing, seed) => {
      const next = numbers(seed)
      const fails = SIGHTED.map(() => next() < failing)
      const nothing = { forecast: null, quantiles: [null, null, null] }
      const recorded = SIGHTED.map((row, at) =>
        fails[at] ? { ...row, ...nothing, attempt: 'failed' as const } : row,
      )
      const deleted = SIGHTED.filter((_, at) => !fails[at])
      const [declared, hidden] = [await judged(recorded), await judged(deleted)]
      expect(declared.disposition).toBe(hidden.disposition)
      expect(codes(declared, 'availability_limit_exceeded')).toEqual(
        codes(hidden, 'availability_limit_exceeded'),
      )
    }),
    { numRuns: 4 },
  )
})
