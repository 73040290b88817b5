import { describe, expect, it } from 'vitest'
import { checkedInstant, formatUtc } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import type { PeriodList } from '../../src/periods/list.js'
import { dayPeriods } from '../../src/periods/make.js'
import { later, type Offset, parseOffset } from '../../src/periods/offset.js'
import { seriesTimes } from '../../src/periods/series-times.js'
import { day, NEW_YORK } from '../truth/sample.js'

const offset = (text: string) => parseOffset(text) as Offset

describe('offsets', () => {
  it.each([
    ['P28D', 28, 0],
    ['-PT73H', 0, -73 * 3.6e9],
    ['P1DT12H30M5S', 1, 45_005e6],
    ['PT0S', 0, 0],
  ])('%s', (text, days, time) => {
    expect(parseOffset(text)).toEqual({ days, time })
  })

  it.each(['P', 'PT', 'P1M', 'P1Y', 'P1W', '28D', 'P1DT', 'P1.5D', ''])('%j is none', (text) => {
    expect(parseOffset(text)).toBeUndefined()
  })

  it('in days move the date, in hours the instant', () => {
    // Midnight in New York, before the clock is put forward on 2026-03-08 and after.
    const midnight = checkedInstant('2026-03-01T05:00:00Z')
    expect(formatUtc(later(midnight, offset('P28D'), NEW_YORK))).toBe('2026-03-29T04:00:00Z')
    expect(formatUtc(later(midnight, offset('PT672H'), NEW_YORK))).toBe('2026-03-29T05:00:00Z')
    expect(formatUtc(later(midnight, offset('-P1D'), NEW_YORK))).toBe('2026-02-28T05:00:00Z')
  })
})

/** Days around the one of 2026 on which the clock is put forward. */
const DAYS = dayPeriods({ from: day('2026-03-06'), to: day('2026-03-09') }, NEW_YORK)

function timesOf(outcome: SeriesProtocol['outcome'], periods: PeriodList = DAYS) {
  const origins = { due: { anchor: 'start', offset: '-PT12H' } }
  const protocol = { zone: 'America/New_York', origins, outcome, horizons: [-1, 0, 2] }
  const times = seriesTimes(protocol as unknown as SeriesProtocol, periods)
  const all = (of: (at: number) => number) => periods.map((_, at) => formatUtc(of(at)))
  return { ...times, dues: all(times.due), knowns: all(times.known), settleds: all(times.settled) }
}

describe('times of periods', () => {
  const JUNE = '2026-06-01T00:00:00Z'
  const known = { anchor: 'end', offset: 'PT9H' } as const

  it('are due and known by anchor and offset', () => {
    const { dues, knowns } = timesOf({ known, release: { rule: 'first', wait: 'P1D' } })
    expect(dues[0]).toBe('2026-03-05T17:00:00Z')
    const wanted = ['07T14', '08T14', '09T13', '10T13']
    expect(knowns).toEqual(wanted.map((time) => `2026-03-${time}:00:00Z`))
  })

  it.each([
    // The second is known at 10:00 by the clock, which has been put forward.
    ['first', { wait: 'P1D' }, '2026-03-08T13:00:00Z', '2026-03-09T14:00:00Z'],
    ['unrevised', { wait: 'PT24H' }, '2026-03-08T14:00:00Z', '2026-03-09T14:00:00Z'],
    ['as_of_lag', { lag: 'P2D' }, '2026-03-09T04:00:00Z', '2026-03-10T04:00:00Z'],
    ['as_of_instant', { at: JUNE }, JUNE, JUNE],
  ] as const)('are settled by %s', (rule, more, first, second) => {
    const { settleds } = timesOf({ known, release: { rule, ...more } })
    expect(settleds.slice(0, 2)).toEqual([first, second])
  })

  it('are those of columns, and none where these are empty', () => {
    const at = checkedInstant('2026-03-07T12:00:00Z')
    const periods = DAYS.map((period, index) => (index === 0 ? { ...period, known: at } : period))
    const column = { anchor: 'column' }
    const outcome = { known: column, release: { rule: 'first', wait: 'P1D' } }
    const protocol = { zone: 'UTC', origins: { due: column }, outcome, horizons: [1] }
    const times = seriesTimes(protocol as unknown as SeriesProtocol, periods)
    expect([times.known(0), times.known(1), times.due(0)]).toEqual([at, Number.NaN, Number.NaN])
    expect(times.settled(1)).toBeNaN()
  })

  it('have targets by steps, where the list has them', () => {
    const outcome = { known, release: { rule: 'first', wait: 'P1D' } } as const
    const { targetsOf } = timesOf(outcome)
    const targets = [0, 1, 2, 3].map((at) => targetsOf(at).join(' '))
    expect(targets).toEqual(['0 2', '-1 0 2', '-1 0', '-1 0'])
    const own = DAYS.map((period, at) => ({ ...period, origin: at === 1, steps: [1, 2, 3] }))
    expect([0, 1].map(timesOf(outcome, own).targetsOf)).toEqual([[], [1, 2]])
  })
})
