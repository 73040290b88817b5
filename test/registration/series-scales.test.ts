import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { readDocument } from '../../src/document/read.js'
import { prepareSeriesRegistration } from '../../src/registration/series-build.js'
import { verifySeriesRegistration } from '../../src/registration/series-verify.js'
import { ALWAYS } from '../../src/truth/releases.js'
import type { TruthVintage } from '../../src/truth/vintage.js'
import { temporaryFolder } from '../support/folder.js'
import { examplePlan, exampleProtocol, instant, makeList } from './series-examples.js'

const periods = await makeList('daily', `${temporaryFolder()}/daily.csv`)
const protocol = exampleProtocol('daily', periods)

/** The first `days` days, up by 1 and by 3 in turns; `south` does as `of` says. */
function vintage(
  days: number,
  of: (day: number) => number = (day) => day,
  complete_to = '2027-03-01T00:00:00Z',
): TruthVintage {
  const values = new Map<string, number>()
  for (let day = 0; day < days; day++) {
    const label = periods[day]?.label ?? ''
    values.set(`north ${label}`, Math.floor(day / 2) * 4 + (day % 2))
    values.set(`south ${label}`, of(day))
  }
  return {
    manifest: {
      schema_version: 2,
      vintage_id: 'v',
      source: 'the weather service',
      series: 2,
      rows: 0,
      first_as_of: null,
      last_as_of: null,
      complete_to,
      sha256: 'a'.repeat(64),
      input: null,
    },
    releases: (series, period) => {
      const value = values.get(`${series} ${period}`)
      return value === undefined ? [] : [{ asOf: ALWAYS, value }]
    },
  }
}

function prepare(given: TruthVintage | undefined, over: object = {}) {
  const value = { ...examplePlan('daily'), ...over }
  const plan = readDocument(Buffer.from(JSON.stringify(value)), 'plan.json')
  if (!plan.ok) throw new Error('unreadable')
  const now = instant('2027-01-31T12:00:00Z')
  const prepared = prepareSeriesRegistration({ plan, protocol, periods, now, vintage: given })
  return { ...prepared, said: prepared.findings.map((each) => messageOf(each).text) }
}

describe('scales', () => {
  it('are written as numbers into the registration', () => {
    // 21 days have 20 differences: of north 1 and 3 in turns, of south always 1.
    const { registration, said } = prepare(vintage(21))
    expect(said).toEqual([])
    expect(registration?.scales).toEqual([
      { series: 'north', scale: 2, differences: 20 },
      { series: 'south', scale: 1, differences: 20 },
    ])
    expect(registration?.scales_as_of).toBe('2027-01-31T12:00:00Z')
    expect(registration?.outcomes.vintage_sha256).toBeNull()
    expect(verifySeriesRegistration(registration, protocol, periods)).toEqual([])
  })

  it('are of the instant up to which the outcomes are complete, where that is earlier', () => {
    // In Berlin 21 January is over at 23:00 UTC, and known six hours later.
    const until = '2027-01-22T05:00:00Z'
    const { registration } = prepare(vintage(31, undefined, until))
    expect(registration?.scales_as_of).toBe(until)
    expect(registration?.scales.map(({ differences }) => differences)).toEqual([20, 20])
  })

  it('need outcomes, 20 differences and one that is not 0', () => {
    expect(prepare(undefined).said[0]).toContain('there are none here')
    expect(prepare(vintage(20)).said).toHaveLength(2)
    expect(prepare(vintage(20)).said[0]).toContain('north has 19 differences')
    expect(prepare(vintage(21, () => 7)).said).toEqual([
      'the scale of the series south is 0: its values are those of a season before',
    ])
    expect(prepare(vintage(21, () => 7)).registration).toBeUndefined()
  })
})

describe('a backtest', () => {
  const mode = 'retrospective'

  it('is tied to its outcomes', () => {
    const over = { mode, window: { from: '2027-01-02', to: '2027-01-20' } }
    const { registration, said } = prepare(vintage(31), over)
    expect(said).toEqual([])
    expect(registration?.outcomes).toMatchObject({
      vintage_id: 'v',
      vintage_sha256: 'a'.repeat(64),
    })
  })

  it('is not asked for the outcomes that it is given, whatever else is wrong', () => {
    const { said } = prepare(vintage(31), {
      mode,
      window: { from: '2027-01-20', to: '2027-01-02' },
    })
    expect(said).toEqual(['the window ends with 2027-01-02 before it begins with 2027-01-20'])
  })

  it('is refused on outcomes that are another source, or end before the last one is settled', () => {
    const over = {
      mode,
      window: { from: '2027-01-02', to: '2027-02-28' },
      outcomes: { source: 'x' },
    }
    const { said } = prepare(vintage(31), over)
    expect(said).toContain('the value is x, but the vintage says the weather service')
    // The last target is 3 March, which is known 6 hours after midnight in Berlin and settled 7 days later.
    expect(said).toContain(
      'outcomes are needed up to 2027-03-11T05:00:00Z; the vintage ends at 2027-03-01T00:00:00Z',
    )
  })
})
