import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedInstant, formatUtc } from '../../src/contract/instant.js'
import {
  businessDays,
  clockPeriods,
  dayPeriods,
  everyPeriods,
  hourPeriods,
  monthPeriods,
  weekPeriods,
  withOrigins,
} from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'

const zone = (name: string) => zoneNamed(name) as Zone
const day = (date: string) => checkedInstant(`${date}T00:00:00Z`)
const days = (from: string, to = from) => ({ from: day(from), to: day(to) })
const HOUR = 3_600_000_000
const shown = (periods: ReturnType<typeof dayPeriods>) =>
  periods.map(({ label, start, end }) => `${label} ${formatUtc(start)} ${(end - start) / HOUR}`)

describe('days by the clock', () => {
  // Dates of the clock change are those of the laws of each place.
  it.each([
    ['Europe/Berlin', '2024-03-31', '2024-03-30T23:00:00Z', 23],
    ['Europe/Berlin', '2024-10-27', '2024-10-26T22:00:00Z', 25],
    ['Australia/Sydney', '2024-04-07', '2024-04-06T13:00:00Z', 25],
    ['Australia/Lord_Howe', '2024-10-06', '2024-10-05T13:30:00Z', 23.5],
    ['Asia/Kathmandu', '2024-06-01', '2024-05-31T18:15:00Z', 24],
    // Midnight is passed over: the clock goes from 24:00 to 01:00.
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z', 23],
  ])('%s, %s', (name, date, start, hours) => {
    expect(shown(dayPeriods(days(date), zone(name)))).toEqual([`${date} ${start} ${hours}`])
  })

  it('leave out one that never was: Samoa went from 29 to 31 December 2011', () => {
    expect(shown(dayPeriods(days('2011-12-29', '2011-12-31'), zone('Pacific/Apia')))).toEqual([
      '2011-12-29 2011-12-29T10:00:00Z 24',
      '2011-12-31 2011-12-30T10:00:00Z 24',
    ])
  })
})

describe('hours by the clock', () => {
  it('are named by what it shows, the repeated one with a suffix', () => {
    const hours = shown(hourPeriods(days('2024-11-03'), zone('America/New_York')))
    expect(hours).toHaveLength(25)
    expect(hours.slice(0, 4)).toEqual([
      '2024-11-03T00:00 2024-11-03T04:00:00Z 1',
      '2024-11-03T01:00 2024-11-03T05:00:00Z 1',
      '2024-11-03T01:00/2 2024-11-03T06:00:00Z 1',
      '2024-11-03T02:00 2024-11-03T07:00:00Z 1',
    ])
    const spring = shown(hourPeriods(days('2024-03-10'), zone('America/New_York')))
    expect(spring).toHaveLength(23)
    expect(spring[2]).toBe('2024-03-10T03:00 2024-03-10T07:00:00Z 1')
  })

  it('last longer or shorter where the clock is changed by half an hour', () => {
    const lordHowe = zone('Australia/Lord_Howe')
    const autumn = shown(hourPeriods(days('2024-04-07'), lordHowe))
    expect(autumn.slice(1, 3)).toEqual([
      '2024-04-07T01:00 2024-04-06T14:00:00Z 1.5',
      '2024-04-07T02:00 2024-04-06T15:30:00Z 1',
    ])
    const spring = shown(hourPeriods(days('2024-10-06'), lordHowe))
    expect(spring.slice(1, 3)).toEqual([
      '2024-10-06T01:00 2024-10-05T14:30:00Z 1.5',
      '2024-10-06T03:00 2024-10-05T16:00:00Z 1',
    ])
  })
})

describe('parts of a day by the clock', () => {
  const MINUTE = HOUR / 60

  // The day-ahead market of Europe: 96 quarters of an hour, 92 and 100 on the days of the change.
  it.each([
    ['2026-03-29', 92, '2026-03-29T03:00 2026-03-29T01:00:00Z 0.25'],
    ['2026-03-30', 96, '2026-03-30T02:00 2026-03-30T00:00:00Z 0.25'],
    ['2025-10-26', 100, '2025-10-26T02:00 2025-10-26T00:00:00Z 0.25'],
  ])('are %s: %d quarters of an hour', (date, count, ninth) => {
    const quarters = shown(clockPeriods(days(date), 15 * MINUTE, zone('Europe/Berlin')))
    expect(quarters).toHaveLength(count)
    expect(quarters[8]).toBe(ninth)
  })

  it('come in two rounds where the clock is put back, the second with a suffix', () => {
    const halves = clockPeriods(days('2025-10-26'), 30 * MINUTE, zone('Europe/Berlin'))
    const labels = halves.slice(4, 9).map(({ label }) => label.slice(11))
    expect(labels).toEqual(['02:00', '02:30', '02:00/2', '02:30/2', '03:00'])
  })

  it('are longer or shorter where they are longer than the change', () => {
    const blocks = clockPeriods(days('2025-10-26'), 4 * HOUR, zone('Europe/Berlin'))
    expect(blocks.map(({ start, end }) => (end - start) / HOUR)).toEqual([5, 4, 4, 4, 4, 4])
  })

  it('fill the days of any zone, and say what its clock shows', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const lengths = fc.constantFrom(5, 15, 30, 60, 120, 240, 1440, 2880)
    const firsts = fc.integer({ min: 7300, max: 21_900 })
    const check = (name: string, minutes: number, first: number) => {
      const [clock, from] = [zone(name), first * 24 * HOUR]
      const to = from + 3 * 24 * HOUR
      const periods = clockPeriods({ from, to }, minutes * MINUTE, clock)
      expect(new Set(periods.map(({ label }) => label)).size).toBe(periods.length)
      expect(periods[0]?.start).toBe(clock.instantAt(from))
      expect(periods.at(-1)?.end).toBe(clock.instantAt(to + 24 * HOUR))
      for (const [at, { label, start, end }] of periods.entries()) {
        expect(end).toBe(periods[at + 1]?.start ?? end)
        const wall = formatUtc(start + clock.offsetAt(start))
        if (minutes < 1440) expect(label.slice(0, 16)).toBe(wall.slice(0, 16))
      }
    }
    fc.assert(fc.property(zones, lengths, firsts, check))
  })
})

describe('business days', () => {
  it('are those from Monday to Friday without holidays, from midnight to midnight', () => {
    const holidays = new Set(['2026-10-26', '2026-10-25', '2027-01-01'])
    const span = days('2026-10-23', '2026-10-28')
    const { periods, leftOut } = businessDays(span, holidays, zone('Europe/Berlin'))
    expect(shown(periods)).toEqual([
      '2026-10-23 2026-10-22T22:00:00Z 24',
      '2026-10-27 2026-10-26T23:00:00Z 24',
      '2026-10-28 2026-10-27T23:00:00Z 24',
    ])
    expect(leftOut).toEqual(['2026-10-26'])
  })

  it('are counted before 1970, too', () => {
    const { periods } = businessDays(days('1969-12-01', '1969-12-31'), new Set(), zone('UTC'))
    // The first was a Monday.
    expect(periods).toHaveLength(23)
    expect(periods[5]?.label).toBe('1969-12-08')
  })
})

describe('months and quarters', () => {
  const berlin = zone('Europe/Berlin')

  it('begin inside the span, and end when the next one begins', () => {
    expect(shown(monthPeriods(days('2024-01-02', '2024-03-01'), 'month', berlin))).toEqual([
      `2024-02 2024-01-31T23:00:00Z ${29 * 24}`,
      `2024-03 2024-02-29T23:00:00Z ${31 * 24 - 1}`,
    ])
    expect(shown(monthPeriods(days('2025-12-01', '2026-04-01'), 'quarter', berlin))).toEqual([
      `2026-Q1 2025-12-31T23:00:00Z ${90 * 24 - 1}`,
      `2026-Q2 2026-03-31T22:00:00Z ${91 * 24}`,
    ])
    expect(monthPeriods(days('2026-01-02', '2026-01-31'), 'month', berlin)).toEqual([])
  })

  it('have the labels of their years, before 1970 too', () => {
    const months = monthPeriods(days('1968-11-01', '1970-12-31'), 'month', berlin)
    expect(months).toHaveLength(26)
    expect([months[0]?.label, months.at(-1)?.label]).toEqual(['1968-11', '1970-12'])
    const quarters = monthPeriods(days('1969-01-01', '1970-12-31'), 'quarter', berlin)
    const labels = [1, 2, 3, 4].map((quarter) => `1969-Q${quarter}`)
    expect(quarters.slice(0, 4).map(({ label }) => label)).toEqual(labels)
  })
})

describe('weeks', () => {
  // As in the calendars of ISO 8601 and of MMWR.
  it.each([
    ['monday', '2020-12-28', '2020-W53'],
    ['monday', '2024-12-30', '2025-W01'],
    ['sunday', '2020-12-27', '2020-W53'],
    ['sunday', '2024-12-29', '2025-W01'],
    ['sunday', '2022-01-02', '2022-W01'],
    ['saturday', '2022-01-01', '2022-W01'],
  ] as const)('from %s %s: %s', (first, date, label) => {
    const weeks = weekPeriods(days(date, date), first, zone('UTC'))
    expect(shown(weeks)).toEqual([`${label} ${date}T00:00:00Z 168`])
  })

  it('begin inside the span, by the clock', () => {
    const weeks = weekPeriods(days('2024-03-01', '2024-03-16'), 'sunday', zone('America/New_York'))
    expect(shown(weeks)).toEqual([
      '2024-W10 2024-03-03T05:00:00Z 168',
      '2024-W11 2024-03-10T05:00:00Z 167',
    ])
  })
})

describe('origins', () => {
  it('at a time of the clock, for all hours of the next day', () => {
    const newYork = zone('America/New_York')
    const hours = hourPeriods(days('2013-12-31', '2017-12-31'), newYork)
    const at = { clock: 12 * HOUR }
    const list = withOrigins(hours, { at, steps: 'tomorrow' }, newYork)
    const origins = list.filter(({ origin }) => origin)
    expect(origins).toHaveLength(1461)
    const counts = origins.map(({ steps = [] }) => `${steps[0]}-${steps.at(-1)}`)
    const many = (range: string) => counts.filter((found) => found === range).length
    expect(['13-36', '13-35', '13-37'].map(many)).toEqual([1453, 4, 4])
    const targets = list.flatMap(({ steps = [] }, at) => steps.map((step) => at + step))
    expect(new Set(targets).size).toBe(35_064)
    expect(targets).toHaveLength(35_064)
  })

  it.each([
    ['2026-03-28', '2026-03-30', ['28T01:00', '29T01:00', '30T01:00']],
    ['2026-10-24', '2026-10-26', ['24T01:00', '25T01:00', '26T01:00']],
  ])('at a time that the clock skips or shows twice are one a day (%s)', (from, to, ends) => {
    const berlin = zone('Europe/Berlin')
    const list = withOrigins(
      hourPeriods(days(from, to), berlin),
      { at: { clock: 2 * HOUR } },
      berlin,
    )
    const labels = list.flatMap(({ origin, label }) => (origin ? [label.slice(8)] : []))
    expect(labels).toEqual(ends)
  })

  it('every so many periods, and none whose targets are not in the list', () => {
    const list = everyPeriods(days('2026-01-01'), HOUR)
    const at = { every: 6, phase: 5 }
    const origins = withOrigins(list, { at, steps: [1, 6] }, zone('UTC'))
    expect(origins.flatMap(({ origin }, at) => (origin ? [at] : []))).toEqual([5, 11, 17])
  })
})
