import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { InferenceMethod, Registration } from '../../src/contract/types.js'
import type { CandidateDisposition } from '../../src/evaluation/result/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { makeVintage } from '../../src/outcomes/vintage.js'
import { volatilityAt } from '../../src/registration/strata.js'
import { numbers } from '../support/random.js'
import {
  evaluated,
  hourAt,
  LEAD_IN,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
} from './made.js'
import { REAL_CLOSES } from './real-family.js'

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
function unskilled(vintage = VINTAGE): PairingRow[] {
  const next = numbers(5)
  return [...madeRows(HOURS, vintage, [{ name: 'seer', sight: 0 }], false)].map((row) => {
    const forecast = (row.sourcePrice ?? 0) * Math.exp((next() - 0.5) * 0.01)
    return { ...row, forecast, quantiles: [forecast * 0.99, forecast, forecast * 1.01] }
  })
}

/** How far the forecast turned out to be off, as a log return. */
function errorOf({ originAt, horizon, forecast }: PairingRow, vintage = VINTAGE): number {
  const target = Date.parse(String(originAt)) * 1000 + horizon * 3_600_000_000
  return Math.abs(Math.log((forecast ?? 0) / (vintage.closeAt(target) ?? Number.NaN)))
}

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
  vintage = VINTAGE,
): Promise<CandidateDisposition> {
  const registration = madeRegistration(HOURS, { limits: LIMITS, ...change })
  const { result } = await evaluated(registration, vintage, rows, madeProtocol(200))
  const [verdict] = result.dispositions
  if (verdict === undefined) throw new Error('no candidate')
  return verdict
}

const codes = ({ reasons }: CandidateDisposition, code: string) =>
  reasons.filter((reason) => reason.code === code)

/** Real prices at the hours of the made window. */
function realVintage() {
  const lines = readFileSync(REAL_CLOSES, 'utf8').split('\n').slice(1)
  const closes = lines.slice(0, LEAD_IN + HOURS + 16).map((line) => Number(line.split(',')[1]))
  return makeVintage(new Map(closes.map((close, hour) => [hourAt(hour), close])), 'real')
}

const METHODS: readonly InferenceMethod[] = [
  { method: 'percentile-bootstrap' },
  { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } },
]

describe.each(METHODS)('silence, judged by $method', (inference) => {
  it('blocks a model that withholds a fifth of its forecasts, those that went wrong', async () => {
    const rows = unskilled()
    const errors = rows.map((row) => errorOf(row)).sort((a, b) => b - a)
    const worst = errors[Math.floor(errors.length / 5)] ?? 0
    const before = await judged(rows, { inference })
    expect(codes(before, 'availability_limit_exceeded')).toEqual([])
    const after = await judged(
      rows.filter((row) => errorOf(row) < worst),
      { inference },
    )
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
    const wide = { inference, strata: HALVES, limits: { ...LIMITS, availability_limit: 0.5 } }
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
    const verdict = await judged(withAccomplice(kept, kept), { inference, ...ACCOMPLICE })
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
      const verdict = await judged(withAccomplice(SIGHTED, kept), { inference, ...ACCOMPLICE })
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

// Availability is counted before any method is asked.
it('never judges a deleted failure better than a recorded one', async () => {
  const inference: InferenceMethod = { method: 'percentile-bootstrap' }
  const rows = SIGHTED
  const share = fc.double({ min: 0, max: 0.06, noNaN: true })
  await fc.assert(
    fc.asyncProperty(share, fc.integer({ min: 1, max: 1000 }), async (failing, seed) => {
      const next = numbers(seed)
      const fails = rows.map(() => next() < failing)
      const nothing = { forecast: null, quantiles: [null, null, null] }
      const recorded = rows.map((row, at) =>
        fails[at] ? { ...row, ...nothing, attempt: 'failed' as const } : row,
      )
      const deleted = rows.filter((_, at) => !fails[at])
      const [declared, hidden] = [
        await judged(recorded, { inference }),
        await judged(deleted, { inference }),
      ]
      expect(declared.disposition).toBe(hidden.disposition)
      expect(codes(declared, 'availability_limit_exceeded')).toEqual(
        codes(hidden, 'availability_limit_exceeded'),
      )
    }),
    { numRuns: 4 },
  )
})

const PRICES = [
  ['made', VINTAGE],
  ...(existsSync(REAL_CLOSES) ? [['real', realVintage()] as const] : []),
] as const

describe.each(
  PRICES.flatMap(([prices, vintage]) =>
    METHODS.map((inference) => [prices, inference.method, vintage, inference] as const),
  ),
)('a model without skill on %s prices, judged by %s', (prices, _method, vintage, inference) => {
  const rows = unskilled(vintage)
  /** Without this share of the forecasts of each horizon, the worst. */
  const withoutWorst = (share: number, badness: (row: PairingRow) => number) => {
    const worst = new Set(
      [2, 4, 8, 16].flatMap((horizon) => {
        const own = rows.filter((row) => row.horizon === horizon)
        return own.sort((a, b) => badness(b) - badness(a)).slice(0, share * own.length)
      }),
    )
    return rows.filter((row) => !worst.has(row))
  }
  const meanError = (kept: readonly PairingRow[]) =>
    kept.reduce((sum, row) => sum + errorOf(row, vintage), 0) / kept.length
  const expectBlocked = async (kept: readonly PairingRow[]) => {
    // The attack works: what is left looks better than the whole.
    expect(meanError(kept)).toBeLessThan(0.97 * meanError(rows))
    const verdict = await judged(kept, { inference }, vintage)
    expect(verdict.disposition).toBe('blocked')
    const found = codes(verdict, 'availability_limit_exceeded')
    expect(found.map(({ horizon }) => horizon)).toEqual([2, 4, 8, 16, 2, 4, 8, 16])
    for (const reason of found) expect(reason.found).toBeCloseTo(0.2, 2)
  }

  it('is not blocked for silence while it says something at every hour', async () => {
    const verdict = await judged(rows, { inference }, vintage)
    expect(codes(verdict, 'availability_limit_exceeded')).toEqual([])
  })

  it('is blocked when it withholds what the price has gone against an hour before the target', async () => {
    await expectBlocked(
      withoutWorst(0.2, ({ originAt, horizon, forecast, sourcePrice }) => {
        const hourBefore = instantOrNaN(String(originAt)) + (horizon - 1) * MICROS_PER_HOUR
        const moved = Math.log((vintage.closeAt(hourBefore) ?? Number.NaN) / (sourcePrice ?? 0))
        return -moved * Math.sign((forecast ?? 0) - (sourcePrice ?? 0))
      }),
    )
  })

  // The made walk is as restless at every hour.
  it.runIf(prices === 'real')(
    'is blocked when it is silent in the most volatile hours',
    async () => {
      const volatility = ({ originAt }: PairingRow) =>
        volatilityAt((at) => vintage.closeAt(at), instantOrNaN(String(originAt)), 24)
      await expectBlocked(withoutWorst(0.2, volatility))
    },
  )
})
