import { describe, expect, it } from 'vitest'
import type { SeriesProtocol } from '../../src/contract/types.js'
import type { PeriodList } from '../../src/periods/list.js'
import { dayPeriods, hourPeriods, weekPeriods } from '../../src/periods/make.js'
import { createTargetDistance, type Season } from '../../src/periods/seasons.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { seriesBaselineRows } from '../../src/scoring/baselines/series-baselines.js'
import { ABSOLUTE, inputsOf, type SeriesCase } from './series-sample.js'

const BERLIN = zoneNamed('Europe/Berlin') as Zone
const day = (date: string) => Date.parse(date) * 1000
const DAY = 86_400_000_000

type Baseline = SeriesProtocol['baselines'][number]

/** What a baseline says one period ahead of each origin; the value of a period is its position, unless said otherwise. */
function forecasts(
  periods: PeriodList,
  baseline: Omit<Baseline, 'id'>,
  origins: readonly number[],
  more: Partial<SeriesCase> = {},
) {
  const given: SeriesCase = {
    starts: periods.map(({ start }) => start),
    ends: periods.map(({ end }) => end),
    due: periods.map(({ end }) => end),
    known: periods.map(({ end }) => end),
    settled: periods.map(({ end }) => end),
    origins: [...periods.keys()],
    ...{ horizons: [1], levels: [], minimum: null, integer: false, scores: ABSOLUTE },
    release: { rule: 'unrevised', wait: 'P1D' },
    baselines: [{ id: 'b', ...baseline }],
    scaling: { kind: 'none' },
    truth: [periods.map((_, at) => [[null, at]])],
    ...more,
  }
  const of = inputsOf(given)
  const rows = seriesBaselineRows(
    { ...of.protocol, ...of.times },
    of.periods,
    of.truth,
    ['b'],
    origins,
  )
  return [...rows].map(({ forecast }) => forecast)
}

const naive = (season: Season) => ({ kind: 'seasonal_naive', season }) as const
const usual = (season: Season) => ({ kind: 'seasonal_climatology', season }) as const

/** Of periods that are named by their labels. */
function labelsOf(periods: PeriodList, season: Season, targets: readonly string[]) {
  const origins = targets.map((label) => periods.findIndex((each) => each.label === label) - 1)
  const all = [...periods.keys()].slice(0, -1)
  const found = forecasts(periods, naive(season), all)
  return origins.map((at) => periods[found[at] ?? -1]?.label ?? null)
}

describe('a season is a length of time', () => {
  it('of hours by a clock that is put back: 24 hours before, which is another hour of the clock', () => {
    const hours = hourPeriods({ from: day('2025-10-24'), to: day('2025-10-28') }, BERLIN)
    const targets = ['2025-10-26T01:00', '2025-10-26T12:00', '2025-10-27T12:00']
    const found = ['2025-10-25T01:00', '2025-10-25T13:00', '2025-10-26T12:00']
    expect(labelsOf(hours, 'day', targets)).toEqual(found)
  })

  it('of days of 23 and 25 hours: the same weekday', () => {
    const days = dayPeriods({ from: day('2025-10-01'), to: day('2025-11-10') }, BERLIN)
    const targets = ['2025-10-26', '2025-10-30', '2025-11-02']
    expect(labelsOf(days, 'week', targets)).toEqual(['2025-10-19', '2025-10-23', '2025-10-26'])
  })

  it('of weekdays alone: the same weekday, and none where it was a holiday', () => {
    const days = dayPeriods({ from: day('2025-03-01'), to: day('2025-06-30') }, BERLIN).filter(
      ({ label }) => ![0, 6].includes(new Date(label).getUTCDay()) && label !== '2025-05-01',
    )
    // A week before May 8 was a holiday.
    expect(labelsOf(days, 'week', ['2025-05-07', '2025-05-08'])).toEqual([
      '2025-04-30',
      '2025-04-24',
    ])
  })

  it('of leap years: within a day of the date', () => {
    const days = dayPeriods({ from: day('2023-02-01'), to: day('2025-03-10') }, BERLIN)
    const found = labelsOf(days, 'year', ['2024-02-29', '2024-03-10', '2025-03-01'])
    // 365.25 days before a midnight it is 18:00, a quarter of a day from the end of the day before.
    expect(found).toEqual(['2023-03-01', '2023-03-11', '2024-03-01'])
  })

  it('of fortnights and of weeks: a year ends at most a week off', () => {
    const weeks = weekPeriods({ from: day('2022-01-02'), to: day('2025-12-27') }, 'sunday', BERLIN)
    const fortnights = weeks
      .filter((_, at) => at % 2 === 0)
      .map((week, at) => ({ ...week, end: weeks[2 * at + 1]?.end ?? week.end + 7 * DAY }))
    for (const list of [weeks, fortnights]) {
      const origins = [...list.keys()].slice(60, -1)
      for (const [at, found] of forecasts(list, naive('year'), origins).entries()) {
        const [target, before] = [list[60 + at + 1]!, list[found as number]!]
        expect(Math.abs(target.end - before.end - 365.25 * DAY)).toBeLessThanOrEqual(7 * DAY)
      }
    }
  })
})

describe('climatologies', () => {
  const days = dayPeriods(
    { from: day('2025-01-01'), to: day('2025-06-30') },
    zoneNamed('UTC') as Zone,
  )

  it('take the last hundred values and abstain below twenty', () => {
    const found = forecasts(days, { kind: 'climatology' }, [18, 19, 99, 100, 150])
    // The mean of the middle two.
    expect(found).toEqual([null, 9.5, 49.5, 50.5, 100.5])
  })

  it('of a season take those of its days, and abstain below five', () => {
    const origins = [33, 34, 35, 36, 37, 38, 39, 40, 41]
    const found = forecasts(days, usual('week'), origins)
    expect([found[0], found[1], found[8]]).toEqual([null, 14, 17.5])
  })

  it('are whole where values are: halves go up, after what is too small', () => {
    const whole = { integer: true, minimum: '9' }
    expect(forecasts(days, { kind: 'climatology' }, [19], whole)).toEqual([10])
    const below = { integer: true, minimum: '12' }
    expect(forecasts(days, { kind: 'climatology' }, [19], below)).toEqual([12])
  })
})

describe('drift', () => {
  const days = dayPeriods(
    { from: day('2025-01-01'), to: day('2025-06-30') },
    zoneNamed('UTC') as Zone,
  )
  const squares = (without: readonly number[] = []) => ({
    truth: [days.map((_, at) => [[null, without.includes(at) ? null : at * at] as const])],
  })

  it('goes on by the mean step of up to fifty periods, from twenty on', () => {
    // (100² − 50²) / 50 = 150, and (20² − 0²) / 20 = 20.
    const found = forecasts(days, { kind: 'drift' }, [19, 20, 100], squares())
    expect(found).toEqual([null, 420, 10_150])
  })

  it('counts from the position of the last value', () => {
    // From 98 on: 98² + 3 · (98² − 49²) / 49.
    const found = forecasts(days, { kind: 'drift' }, [100], squares([99, 100, 48]))
    expect(found).toEqual([9604 + 3 * 147])
  })
})

describe('targets lie as far apart', () => {
  const days = dayPeriods({ from: day('2025-01-01'), to: day('2025-02-28') }, BERLIN)
  const targetsOf = () => [1]
  it('as their starts do at the median, and a quarter of them', () => {
    const apart = (origins: readonly number[]) =>
      createTargetDistance(days, { targetsAt: targetsOf }, origins)
    expect(apart([3, 4, 5, 12])).toEqual({ median: DAY, short: DAY, moving: ['week'] })
    expect(apart([3, 10, 17])).toEqual({ median: 7 * DAY, short: 7 * DAY, moving: [] })
    expect(apart([3])).toEqual({ median: 0, short: 0, moving: [] })
    // Tuesdays and Thursdays, in the order that has more of the long distances.
    expect(apart([2, 7, 9, 14, 16, 21])).toEqual({
      ...{ median: 5 * DAY, short: 2 * DAY, moving: ['week'] },
    })
  })

  it('of two a day, a season has the same one of earlier days alone', () => {
    // At midnight and at four.
    const twice = days.flatMap(({ start }) =>
      [0, 4].map((hour) => ({
        label: `${start}-${hour}`,
        ...{ start: start + (hour * DAY) / 24, end: start + ((hour + 1) * DAY) / 24 },
      })),
    )
    const truth = [twice.map((_, at) => [[null, at % 2] as const])]
    for (const season of ['day', 'week'] as const) {
      const found = forecasts(twice, usual(season), [80, 81, 82, 83], { truth })
      expect(found).toEqual([1, 0, 1, 0])
    }
  })
})
