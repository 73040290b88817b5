import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import type { PeriodList } from '../../src/periods/list.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { notAsked } from '../../src/scoring/baselines/reach.js'
import { protocolOf, UNREVISED } from '../truth/sample.js'

/** Periods of some days each, named by their positions. */
const periodsOf = (days: number, count: number): PeriodList =>
  Array.from({ length: count }, (_, at) => ({
    label: `P${at}`,
    ...{ start: at * days * MICROS_PER_DAY, end: (at + 1) * days * MICROS_PER_DAY },
  }))

const errors = { window: 50, minimum: 20 }
const BASELINES: SeriesProtocol['baselines'] = [
  { id: 'last', kind: 'persistence', errors },
  { id: 'trend', kind: 'drift', errors },
  { id: 'usual', kind: 'climatology' },
  ...(['day', 'week', 'year'] as const).flatMap((season): SeriesProtocol['baselines'] => [
    { id: `last_${season}`, kind: 'seasonal_naive', season, errors },
    { id: `usual_${season}`, kind: 'seasonal_climatology', season },
  ]),
]
const YEAR = ['last_year', 'usual_year']
const DAY = ['last_day', 'usual_day']

interface Asked {
  /** Length of a period in days, and how many there are. */
  readonly list: readonly [days: number, count: number]
  /** First and last origin. */
  readonly window: readonly [number, number]
  readonly levels?: readonly string[]
  /** Of the second series, from which period on it has values. */
  readonly from?: string
}

/** Of which series each is not asked. */
function without({ list: [days, count], window: [first, last], ...asked }: Asked) {
  const { levels = [], from } = asked
  const periods = periodsOf(days, count)
  const series = ['a', 'b'].map((id) => {
    return { id, unit: 'u', source: 's', ...(id === 'b' && from !== undefined && { from }) }
  })
  const protocol = protocolOf([], 'UTC', periods, {
    series,
    outcome: UNREVISED,
    forecast: { point: 'median', levels: [...levels], integer: false },
    baselines: BASELINES,
    comparisons: { required: BASELINES.map(({ id }) => id) },
  })
  const origins = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const rules = compileRules(protocol, periods)
  const found = notAsked(rules, periods, origins)
  return Object.fromEntries(found.map(({ comparator, series }) => [comparator, series.join('')]))
}

const none = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'ab']))

describe('standard comparators are not asked', () => {
  it('of a season that is hardly longer than targets lie apart, all in one part of it', () => {
    expect(without({ list: [1, 900], window: [800, 860] })).toEqual(none(...DAY))
    // Every fourth day, and every fifth, which is each time another day of the week.
    for (const days of [4, 5, 9, 27]) {
      expect(without({ list: [days, 400], window: [300, 360] })).toEqual(none(...DAY))
    }
    for (const days of [7, 14, 30]) {
      const weeks = without({ list: [days, 400], window: [300, 360] })
      expect(weeks).toMatchObject(none(...DAY, 'last_week', 'usual_week'))
    }
  })

  it('of a year where the list has less than one before half of the keys', () => {
    // A period may end up to a week off: of 365.25 days the target 359 is the first that has one.
    const days = [1, 500] as const
    expect(without({ list: days, window: [298, 416] })).toEqual(none(...DAY, ...YEAR))
    expect(without({ list: days, window: [298, 417] })).toEqual(none(...DAY, 'usual_year'))
  })

  it('of a year of weeks by fewer than five values: three years of them', () => {
    // 365.25 days are 52 weeks and 1.25 days: two weeks of each year end at most a week off.
    const weeks = [7, 300] as const
    const near = [...DAY, 'last_week', 'usual_week']
    expect(without({ list: weeks, window: [120, 150] })).toEqual(none(...near, 'usual_year'))
    expect(without({ list: weeks, window: [160, 190] })).toEqual(none(...near))
  })

  it('of a series that begins too late for them', () => {
    const found = without({ list: [1, 900], window: [800, 860], from: 'P700' })
    expect(found).toEqual({ ...none(...DAY), last_year: 'b', usual_year: 'b' })
    // A climatology takes twenty values.
    const late = (from: string) => without({ list: [1, 900], window: [800, 860], from }).usual
    expect([late('P790'), late('P843')]).toEqual([undefined, 'b'])
  })

  it('with quantiles, before there are errors to make them of', () => {
    const levels = ['0.1', '0.5', '0.9']
    const window = [360, 390] as const
    expect(without({ list: [1, 500], window }).last_year).toBeUndefined()
    expect(without({ list: [1, 500], window, levels }).last_year).toBe('ab')
    expect(without({ list: [1, 500], window: [370, 400], levels }).last_year).toBeUndefined()
  })
})
