import { describe, expect, it } from 'vitest'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Registration } from '../../src/contract/types.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { cautionsOf } from '../../src/report/notes.js'
import {
  evaluated,
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

/** A model that sees ahead, and is off by a factor, above or below, at the origins that are sealed late. */
function rows(off: number): PairingRow[] {
  return [...madeRows(HOURS, VINTAGE, [{ name: 'seer', sight: 0.3 }], false)].map((row) => {
    if (!isLate(instantOrNaN(String(row.originAt)))) return row
    const target = instantOrNaN(String(row.originAt)) + row.horizon * MICROS_PER_HOUR
    const close = VINTAGE.closeAt(target) ?? Number(row.forecast)
    return { ...row, forecast: close * off }
  })
}

async function scored(
  off: number,
  change: Partial<Registration> = { commitment: 'witnessed' },
  lateAt: (origin: Instant) => Instant | undefined = (origin) => origin + 2 * MICROS_PER_HOUR,
): Promise<EvaluationResult> {
  const registration = madeRegistration(HOURS, {
    limits: LIMITS,
    publication_lag_minutes: 60,
    ...change,
  })
  const committed = (origin: Instant) => (isLate(origin) ? lateAt(origin) : origin + 1)
  const options = { commitments: { committed } }
  return (await evaluated(registration, VINTAGE, rows(off), madeProtocol(4000), options)).result
}

const found = ({ dispositions }: Pick<EvaluationResult, 'dispositions'>) =>
  dispositions.map(({ disposition }) => disposition)

const scoredIn = ({ accounting }: Pick<EvaluationResult, 'accounting'>) =>
  accounting.find(({ model, horizon }) => model === 'seer' && horizon === 'all')?.point.scored

const LATE = (HOURS / EVERY) * HORIZONS

describe('forecasts that were committed late', () => {
  it('take an improvement away that it has without them', async () => {
    const result = await scored(1.2)
    const second = result.second_reading!
    expect(second).toMatchObject({ late: LATE, counts_for: ['seer'] })
    expect([scoredIn(result), scoredIn(second)]).toEqual([
      HOURS * HORIZONS - LATE,
      HOURS * HORIZONS,
    ])
    expect(found({ dispositions: second.first_dispositions })).toEqual([
      'eligible_for_human_review',
    ])
    expect(found(second)).not.toEqual(['eligible_for_human_review'])
    expect(result.dispositions).toEqual(second.dispositions)
    for (const text of [renderHtml(result), renderMarkdown(result)]) {
      expect(text).toContain(
        `Without ${LATE} forecasts committed late or not at all: Eligible for human review, overall loss `,
      )
      expect(text).toMatch(
        /The worse counts: (?:Negative|Inconclusive), overall loss [\d.]+\s% higher\./,
      )
    }
  })

  it('count by the smaller improvement where both say the same', async () => {
    const worse = await scored(1.01)
    expect(found(worse)).toEqual(['eligible_for_human_review'])
    expect(worse.second_reading).toMatchObject({ counts_for: ['seer'] })
  })

  it('make nothing better', async () => {
    const result = await scored(1)
    expect(result.second_reading).toMatchObject({ late: LATE, counts_for: [] })
    expect(result.dispositions).toEqual(result.second_reading?.first_dispositions)
  })

  it('are read again where no checkpoint that counts holds them', async () => {
    const result = await scored(1.2, { commitment: 'witnessed' }, () => undefined)
    expect(result.second_reading).toMatchObject({ late: LATE, counts_for: ['seer'] })
    const without = await scored(1.2, { commitment: 'stamped' }, () => undefined)
    expect(without.second_reading).toBeUndefined()
    expect(found(without)).toEqual(['eligible_for_human_review'])
  })

  it('are left out where the registration is older than the second reading, and that is said', async () => {
    const scorer = { version: 1 as const, computes: [{ of: 'commitment', says: 'in time' }] }
    const result = await scored(1.2, { commitment: 'witnessed', scorer })
    expect(result.second_reading).toBeUndefined()
    const commitment = { witnessed: { checkpoints: 1 } }
    const said = cautionsOf({ ...result, time: { commitment } } as never)
    expect(said.filter((one) => one.includes('no second reading'))).toHaveLength(1)
    const of = [...scorer.computes, { of: 'second_reading', says: '' }]
    const stating = { ...result, scorer: { ...scorer, computes: of }, time: { commitment } }
    expect(cautionsOf(stating as never).filter((one) => one.includes('second reading'))).toEqual([])
  })
})
