import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Registration } from '../../src/contract/types.js'
import { countingDispositions } from '../../src/evaluation/result/readings.js'
import type { CandidateDisposition, Reading, Result } from '../../src/evaluation/result/result.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { numbers } from '../support/random.js'
import {
  type Change,
  evaluated,
  HALVES,
  hourAt,
  LEAD_IN,
  LIMITS,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
} from './made.js'

const HOURS = 24 * 60
const VINTAGE = madeVintage(HOURS)
const HORIZONS = 4
/** One origin of so many is sealed too late. */
const EVERY = 60

const isLate = (origin: Instant) => ((origin - hourAt(LEAD_IN)) / MICROS_PER_HOUR) % EVERY === 7

/** A model with some sight, which says something at every hour. */
const SIGHTED = [...madeRows(HOURS, VINTAGE, [{ name: 'seer', sight: 0.3 }], false)]

/** The same, off by a factor, above or below, at the origins that are sealed late. */
function rows(off: number): PairingRow[] {
  return SIGHTED.map((row) => {
    const origin = instantOrNaN(row.originAt)
    if (!isLate(origin)) return row
    const target = origin + row.horizon * MICROS_PER_HOUR
    const close = VINTAGE.closeAt(target) ?? Number(row.forecast)
    return { ...row, forecast: close * off }
  })
}

async function scored(
  off: number,
  change: Change = { commitment: 'witnessed' },
  lateAt: (origin: Instant) => Instant | undefined = (origin) => origin + 2 * MICROS_PER_HOUR,
): Promise<Result> {
  const asked = { due_minutes: 5, ...change }
  const registration = madeRegistration(HOURS, asked, madeProtocol(4000))
  const committed = (hour: number) => {
    const origin = hour * MICROS_PER_HOUR
    return isLate(origin) ? lateAt(origin) : origin + 1
  }
  const options = { commitments: { committed } }
  return (await evaluated(registration, VINTAGE, rows(off), madeProtocol(4000), options)).sealed
}

const found = ({ dispositions }: Pick<Reading, 'dispositions'>) =>
  (dispositions ?? []).map(({ disposition }) => disposition)
const counting = (result: Result) =>
  countingDispositions(result).map(({ disposition }) => disposition)

const scoredIn = ({ accounting }: Pick<Reading, 'accounting'>) =>
  accounting.find(({ model, step }) => model === 'seer' && step === 'overall')?.point.scored

const LATE = (HOURS / EVERY) * HORIZONS

describe('forecasts that were committed late', () => {
  it('take an improvement away that it has without them', async () => {
    const result = await scored(1.2)
    const second = result.second_reading!
    expect(second).toMatchObject({ late: LATE, counts_for: ['seer'] })
    expect([scoredIn(result.reading), scoredIn(second.reading)]).toEqual([
      HOURS * HORIZONS - LATE,
      HOURS * HORIZONS,
    ])
    expect(found(result.reading)).toEqual(['eligible_for_human_review'])
    expect(found(second.reading)).not.toEqual(['eligible_for_human_review'])
    expect(countingDispositions(result)).toEqual(second.reading.dispositions)
    for (const text of [renderHtml(result), renderMarkdown(result)]) {
      expect(text).toContain(
        `Without ${LATE} forecasts committed late or not at all: Eligible for human review, overall loss `,
      )
      expect(text).toContain('The worse counts, here the second reading.')
    }
  })

  it('count by the smaller improvement where both say the same', async () => {
    const worse = await scored(1.01)
    expect(counting(worse)).toEqual(['eligible_for_human_review'])
    expect(worse.second_reading).toMatchObject({ counts_for: ['seer'] })
  })

  it('make nothing better', async () => {
    const result = await scored(1)
    expect(result.second_reading).toMatchObject({ late: LATE, counts_for: [] })
    expect(countingDispositions(result)).toEqual(result.reading.dispositions)
  })

  it('are read again where no checkpoint that counts holds them', async () => {
    const result = await scored(1.2, { commitment: 'witnessed' }, () => undefined)
    expect(result.second_reading).toMatchObject({ late: LATE, counts_for: ['seer'] })
    const without = await scored(1.2, { commitment: 'stamped' }, () => undefined)
    expect(without.second_reading).toBeNull()
    expect(counting(without)).toEqual(['eligible_for_human_review'])
  })
})

const isMorning = ({ originAt }: PairingRow) => Number(originAt.slice(11, 13)) < 12

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
  change: Change = {},
): Promise<CandidateDisposition> {
  const registration = madeRegistration(HOURS, {
    due_minutes: 5,
    ...change,
  })
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
    const origins = [...new Set(SIGHTED.filter(isMorning).map((row) => row.originAt))]
    const withheld = (count: number) => {
      const silent = new Set(origins.slice(0, count))
      return SIGHTED.filter((row) => !silent.has(row.originAt))
    }
    expect(origins.length).toBe(720)
    // Of all 1,440 origins a share of 2.6 % is missing, which this registration allows.
    const wide = { strata: HALVES, limits: { ...LIMITS, availability: 0.5 } }
    const within = await judged(withheld(36), wide)
    expect(codes(within, 'availability_limit_exceeded')).toEqual([])
    const beyond = await judged(withheld(37), wide)
    expect(beyond.disposition).toBe('blocked')
    const found = codes(beyond, 'availability_limit_exceeded')
    expect(found.map(({ details, step }) => [details, step])).toEqual(
      ['persistence', 'ar1'].map(() => [['half: am'], 'overall']),
    )
    expect(found[0]?.found).toBe(37 / 720)
  })

  it('blocks a model that a comparator of the history keeps company in its silence', async () => {
    const kept = SIGHTED.filter(isMorning)
    const verdict = await judged(withAccomplice(kept, kept), ACCOMPLICE)
    expect(verdict.disposition).toBe('blocked')
    const found = (code: string) =>
      codes(verdict, code).map((reason) => [reason.comparator, reason.found])
    const own = found('availability_limit_exceeded')
    // At each horizon, and over all of them.
    expect(own).toEqual(['accomplice', 'ar1'].flatMap((name) => Array(5).fill([name, 0.5])))
    const theirs = found('comparator_availability_limit_exceeded')
    expect(theirs).toEqual(Array(5).fill(['accomplice', 0.5]))
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
    expect(await blocked(29)).toEqual(Array(5).fill(['accomplice', 29 / 1440]))
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
