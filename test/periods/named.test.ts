import { describe, expect, it } from 'vitest'
import type { ArgsOf } from '../../src/contract/findings/finding.js'
import { checkedInstant } from '../../src/contract/instant.js'
import type { PeriodList } from '../../src/periods/list.js'
import { dayPeriods, everyPeriods, hourPeriods, monthPeriods } from '../../src/periods/make.js'
import { NamedPeriods } from '../../src/periods/named.js'
import type { PeriodNaming } from '../../src/periods/naming.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { day, HOURS, NEW_YORK, WEEKS } from '../truth/sample.js'

const BERLIN = zoneNamed('Europe/Berlin') as Zone
const STARTS: PeriodNaming = { label: 'start' }
const ENDS: PeriodNaming = { label: 'end' }

interface Reading {
  readonly zone?: string
  readonly naming?: PeriodNaming
}

/** What texts name, one after another: a label, a fault, or that the row is left out. */
function read(
  periods: PeriodList,
  texts: readonly string[],
  { zone = 'America/New_York', naming = {} }: Reading = {},
) {
  const named = new NamedPeriods(periods, zone, naming, 'period')
  const read = texts.map((text, at) => {
    const found = named.find(text, '', at + 2)
    if (found.ok) return periods[found.at]?.label
    const { fault } = (found.finding?.args ?? { fault: 'left out' }) as ArgsOf<'period-name'>
    return fault
  })
  return { read, findings: named.findings('t.csv').map(({ code, args }) => ({ code, ...args })) }
}

const all = <T>(value: T, texts: readonly string[]): T[] => texts.map(() => value)

/** Hours of UTC, days of UTC, days of New York, hours of Berlin around both changes of its clock. */
const UTC_HOURS = everyPeriods({ from: day('2026-02-01'), to: day('2026-02-01') }, 3_600_000_000)
const DAYS = dayPeriods({ from: day('2025-11-01'), to: day('2025-11-30') }, NEW_YORK)
const AUTUMN = hourPeriods({ from: day('2025-10-26'), to: day('2025-10-26') }, BERLIN)
const SPRING = hourPeriods({ from: day('2025-03-30'), to: day('2025-03-30') }, BERLIN)

/** Months of UTC: 28, 30 and 31 days. */
const MONTHS: PeriodList = ['01', '02', '03', '04', '05', '06'].map((month, at) => ({
  label: `2026-${month}`,
  start: Date.UTC(2026, at) * 1000,
  end: Date.UTC(2026, at + 1) * 1000,
}))

/** Two sessions of New York, the second with an early close, and none in between. */
const SESSIONS: PeriodList = [
  ['2025-11-26', '2025-11-26T14:30:00Z', '2025-11-26T21:00:00Z'],
  ['2025-11-28', '2025-11-28T14:30:00Z', '2025-11-28T18:00:00Z'],
  ['2025-12-01', '2025-12-01T14:30:00Z', '2025-12-01T21:00:00Z'],
  ['2025-12-02', '2025-12-02T14:30:00Z', '2025-12-02T21:00:00Z'],
].map(([label = '', start = '', end = '']) => ({
  label,
  start: checkedInstant(start),
  end: checkedInstant(end),
}))

/** All of these are one instant. */
const FIVE = [
  '2026-02-01T05:00:00Z',
  '2026-02-01T05:00Z',
  '2026-02-01T05:00+00:00',
  '2026-02-01 05:00:00.000 UTC',
  '2026/02/01 05:00Z',
  '2026-02-01T06:00:00+0100',
  '2026-02-01 00:00-05',
  '1769922000',
  '1769922000.0',
  '1769922000000',
  '1769922000000000',
  '1769922000000000000',
]

describe('a time', () => {
  it('is asked about where nothing says which end of its period it is', () => {
    const texts = FIVE.filter((text) => text !== '2026-02-01T05:00Z')
    expect(read(UTC_HOURS, texts).read).toEqual(all('asked', texts))
    expect(read(HOURS, ['2025-11-01 15:00', '2025-11-01T15:00:00']).read).toEqual([
      'asked',
      'asked',
    ])
    // What is exactly a label is that period.
    expect(read(UTC_HOURS, ['2026-02-01T05:00Z']).read).toEqual(['2026-02-01T05:00Z'])
  })

  it('is that end of its period in every spelling, also in that of a label', () => {
    const starts = read(UTC_HOURS, FIVE, { naming: STARTS })
    expect(starts.read).toEqual(all('2026-02-01T05:00Z', FIVE))
    expect(read(UTC_HOURS, FIVE, { naming: ENDS }).read).toEqual(all('2026-02-01T04:00Z', FIVE))
  })

  it('is local without an offset, or UTC where that is said', () => {
    const texts = ['2025-11-01 15:00', '2025-11-01T15:00:00.000', '2025/11/01 15:00:00']
    const one = (naming: PeriodNaming) => read(HOURS, texts, { naming }).read
    expect(one(STARTS)).toEqual(all('2025-11-01T15:00', texts))
    expect(one(ENDS)).toEqual(all('2025-11-01T14:00', texts))
    // 15:00 UTC is 11:00 in New York.
    expect(one({ ...ENDS, utc: true })).toEqual(all('2025-11-01T10:00', texts))
    expect(read(HOURS, ['2025-11-01 24:00'], { naming: ENDS }).read).toEqual(['2025-11-01T23:00'])
  })

  it('is asked about where it is exactly a label, and by --utc another time', () => {
    // The labels of hours in New York are what its clock shows.
    const texts = ['2025-11-01T15:00']
    expect(read(HOURS, texts).read).toEqual(texts)
    expect(read(HOURS, texts, { naming: { utc: true } }).read).toEqual(['utc'])
    const utc = UTC_HOURS.map((each) => ({ ...each, label: each.label.replace('Z', '') }))
    const both = { zone: 'UTC', naming: { utc: true } }
    expect(read(utc, ['2026-02-01T05:00'], both).read).toEqual(['2026-02-01T05:00'])
    expect(read(WEEKS, ['2025-W46', '2025-11-15'], { naming: { utc: true } }).read).toEqual(
      all('2025-W46', ['', '']),
    )
  })

  it('may lie before 2009, and before 1970', () => {
    const list = everyPeriods({ from: day('1969-12-31'), to: day('2001-09-09') }, 86_400_000_000)
    const texts = ['1969-12-31T00:00:00Z', '978307200', '978307200000']
    const labels = ['1969-12-31', '2001-01-01', '2001-01-01']
    expect(read(list, texts, { zone: 'UTC', naming: STARTS }).read).toEqual(labels)
  })

  it('outside the list is left out and counted, within a period it is an error', () => {
    const texts = ['2025-01-01 00:00', '2026-12-31T00:00Z', '2025-11-01 15:30', '2025-11-01T15:00']
    const { read: found, findings } = read(HOURS, texts, { naming: STARTS })
    expect(found).toEqual(['left out', 'left out', 'inside', '2025-11-01T15:00'])
    const args = { fault: 'time', column: 'period', count: 2, found: '2025-01-01 00:00' }
    expect(findings).toEqual([{ code: 'period-outside', ...args }])
    // What comes right before and after a list, and in its gaps: the end of another hour, the start of another day.
    expect(read(HOURS, ['2025-11-01 00:00'], { naming: ENDS }).read).toEqual(['left out'])
    expect(read(HOURS, ['2025-11-04 00:00'], { naming: STARTS }).read).toEqual(['left out'])
    const night = read(SESSIONS, ['2025-11-27T14:30:00Z'], { naming: STARTS })
    expect(night.read).toEqual(['left out'])
  })
})

describe('a date', () => {
  it('is the day that it names: the last of a period, or with --label start the first', () => {
    const last = ['2025-11-08', '2025/11/08']
    expect(read(WEEKS, last).read).toEqual(['2025-W45', '2025-W45'])
    expect(read(WEEKS, last, { naming: ENDS }).read).toEqual(['2025-W45', '2025-W45'])
    expect(read(WEEKS, ['2025-11-02'], { naming: STARTS }).read).toEqual(['2025-W45'])
    expect(read(MONTHS, ['2026-02-01'], { zone: 'UTC', naming: STARTS }).read).toEqual(['2026-02'])
    expect(read(MONTHS, ['2026-02-28'], { zone: 'UTC' }).read).toEqual(['2026-02'])
    // Days are named by themselves, whichever end.
    for (const naming of [{}, STARTS, ENDS]) {
      expect(read(DAYS, ['2025-11-02'], { naming }).read).toEqual(['2025-11-02'])
    }
  })

  it('that is the other end of a period is told so, and one within is an error', () => {
    expect(read(WEEKS, ['2025-11-02', '2025-11-07', '2024-01-01']).read).toEqual([
      'other-end',
      'inside',
      'left out',
    ])
    expect(read(WEEKS, ['2025-11-08'], { naming: STARTS }).read).toEqual(['other-end'])
    expect(read(MONTHS, ['2026-02-01'], { zone: 'UTC' }).read).toEqual(['other-end'])
  })

  it('is an error where periods do not all begin and end at midnight', () => {
    for (const naming of [{}, STARTS, ENDS, { outside: 'leave-out' } as const]) {
      expect(read(HOURS, ['2025-11-02'], { naming }).read).toEqual(['date'])
      expect(read(HOURS, ['2024-11-02'], { naming }).read).toEqual(['left out'])
    }
    // Days of UTC are not those of New York: only what is exactly a label is one.
    const utc = everyPeriods({ from: day('2026-02-01'), to: day('2026-02-03') }, 86_400_000_000)
    expect(read(utc, ['2026-02-02', '2026-02-05']).read).toEqual(['2026-02-02', 'left out'])
  })

  it('is that of a session, whose holidays are left out only where that is said', () => {
    const texts = ['2025-11-28', '2025-11-27', '1990-01-02']
    expect(read(SESSIONS, texts).read).toEqual(['2025-11-28', 'no-day', 'left out'])
    const { read: found, findings } = read(SESSIONS, texts, { naming: { outside: 'leave-out' } })
    expect(found).toEqual(['2025-11-28', 'left out', 'left out'])
    expect(findings).toMatchObject([
      { fault: 'text', count: 1, found: '2025-11-27' },
      { fault: 'time', count: 1, found: '1990-01-02' },
    ])
  })

  it('has to be one of the calendar, and of the place', () => {
    expect(read(WEEKS, ['2025-11-31']).read).toEqual(['calendar'])
    const apia = zoneNamed('Pacific/Apia') as Zone
    const days = dayPeriods({ from: day('2011-12-28'), to: day('2012-01-01') }, apia)
    const texts = ['2011-12-29', '2011-12-30', '2011-12-31']
    const named = ['2011-12-29', 'calendar', '2011-12-31']
    expect(read(days, texts, { zone: 'Pacific/Apia', naming: STARTS }).read).toEqual(named)
  })
})

describe('a text', () => {
  it('that is neither a label nor a time is an error, unless the table is longer than the list', () => {
    const texts = ['wk 45', '2019-W01', '08.11.2025', '11/08/2025', '2025-11-08T5:00Z', '+5']
    expect(read(WEEKS, texts).read).toEqual(all('unknown', texts))
    expect(read(WEEKS, texts, { naming: ENDS }).read).toEqual(all('unknown', texts))
    const { read: found, findings } = read(WEEKS, texts, { naming: { outside: 'leave-out' } })
    expect(found).toEqual(all('left out', texts))
    const args = { fault: 'text', column: 'period', count: 6, found: 'wk 45' }
    expect(findings).toEqual([{ code: 'period-outside', ...args }])
    expect(read(WEEKS, [''], { naming: { outside: 'leave-out' } }).read).toEqual(['unknown'])
  })

  it('of digits is a number since 1970, or an error', () => {
    const texts = ['20251108', '17626356001', '17626356001234', '17626356001234567']
    expect(read(WEEKS, texts, { naming: ENDS }).read).toEqual(all('digits', texts))
    const others = ['1762635600123456789', '9999999999999999999', '1'.repeat(20)]
    expect(read(WEEKS, others, { naming: ENDS }).read).toEqual(['precision', 'precision', 'digits'])
    const years = [{ label: '2025', start: day('2025-01-01'), end: day('2026-01-01') }]
    expect(read(years, ['2025', '2024'], { zone: 'UTC', naming: STARTS }).read).toEqual([
      '2025',
      'digits',
    ])
  })
})

describe('where the clock is changed', () => {
  const zone = 'Europe/Berlin'
  const at = (hours: readonly number[], date: string) =>
    hours.map((hour) => `${date} ${String(hour).padStart(2, '0')}:00`)
  const autumn = (hours: readonly number[], naming: PeriodNaming) =>
    read(AUTUMN, at(hours, '2025-10-26'), { zone, naming })
  const first: PeriodNaming = { ...STARTS, repeated: 'earlier-first' }

  it('a time that comes twice is what the file is said to have first', () => {
    const [earlier, later] = ['2025-10-26T02:00', '2025-10-26T02:00/2']
    expect(autumn([2, 2], STARTS).read).toEqual(['repeated', 'repeated'])
    expect(autumn([2, 2], first).read).toEqual([earlier, later])
    expect(autumn([2, 2], { ...first, repeated: 'later-first' }).read).toEqual([later, earlier])
    expect(autumn([3, 3], { ...first, label: 'end' }).read).toEqual([earlier, later])
    // The label of the second one is no time.
    expect(read(AUTUMN, [later], { zone, naming: first }).read).toEqual([later])
  })

  it('more rows of it than the clock shows are an error, and so is one alone', () => {
    expect(autumn([2, 2, 2], first).read[2]).toBe('more')
    expect(autumn([1, 2, 3], first).findings).toContainEqual({
      code: 'period-name',
      fault: 'lone',
      column: 'period',
      found: '2025-10-26T02:00:00',
    })
  })

  it('it is counted for each row', () => {
    const named = new NamedPeriods(AUTUMN, zone, first, 'origin')
    const found = ['a', 'b', 'a'].map((row, line) => named.find('2025-10-26 02:00', row, line))
    const labels = found.map((each) => each.ok && AUTUMN[each.at]?.label)
    expect(labels).toEqual(['2025-10-26T02:00', '2025-10-26T02:00', '2025-10-26T02:00/2'])
    const beside = named.find('2025-10-26 02:00', 'c', 9, true)
    expect(beside).toMatchObject({ ok: false, finding: { args: { fault: 'both' } } })
  })

  it('a time that never comes is an error, and ends as the clock shows them are told', () => {
    const spring = (hours: readonly number[], naming: PeriodNaming) =>
      read(SPRING, at(hours, '2025-03-30'), { zone, naming })
    expect(spring([1, 2, 3], STARTS).read[1]).toBe('skipped')
    // 01:00 lasts until the clock shows 03:00, and its end is 02:00.
    const ends = spring([1, 2, 3, 4], ENDS)
    expect(ends.read).toEqual([
      '2025-03-30T00:00',
      '2025-03-30T01:00',
      'own-ends',
      '2025-03-30T03:00',
    ])
    const clock = {
      code: 'period-clock',
      twice: [],
      never: ['2025-03-30T03:00:00'],
      order: 'first',
    }
    expect(ends.findings).toEqual([clock])
    expect(spring([1, 3], STARTS).findings).toMatchObject([{ never: ['2025-03-30T02:00:00'] }])
  })

  it('months and half sessions end when the clock shows it', () => {
    const texts = ['2026-02-01 00:00', '2026-03-01 00:00', '2026-05-01 00:00']
    const months = read(MONTHS, texts, { zone: 'UTC', naming: ENDS })
    expect(months).toEqual({ read: ['2026-01', '2026-02', '2026-04'], findings: [] })
    // March is 31 days less an hour, and so are most periods of this list.
    const march = monthPeriods({ from: day('2025-03-01'), to: day('2025-03-01') }, 'month', BERLIN)
    expect(read(march, ['2025-04-01 00:00'], { zone, naming: ENDS }).read).toEqual(['2025-03'])
    const closes = ['2025-11-26 16:00', '2025-11-28 13:00']
    const labels = ['2025-11-26', '2025-11-28']
    expect(read(SESSIONS, closes, { naming: ENDS }).read).toEqual(labels)
  })
})
