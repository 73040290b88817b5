import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { importFiles } from '../../src/history/import/import-files.js'
import type { Period, PeriodList } from '../../src/periods/list.js'
import { clockPeriods, everyPeriods, monthPeriods, weekPeriods } from '../../src/periods/make.js'
import type { PeriodEnd } from '../../src/periods/naming.js'
import { type WallTime, type Zone, zoneNamed } from '../../src/periods/zone.js'
import { importTruth } from '../../src/truth/import.js'
import { EPOCH, inBatches, opened } from '../history/support.js'
import { freshPaths } from '../support/folder.js'
import { protocolOf, UNREVISED } from '../truth/sample.js'

const MINUTE = 60_000_000
const DAY = 1440 * MINUTE
const fresh = freshPaths()

/** Changes by an hour and by half of one, at night and at midnight, offsets of 45 minutes, and none. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe'],
  ...['Asia/Kathmandu', 'Africa/Cairo', 'America/Sao_Paulo', 'Pacific/Apia', 'Asia/Beirut'],
]
/** Around changes of clocks, around the first days with numbers of 9 and of 10 digits, and before 1970. */
const DAYS = [
  ...['2025-10-24', '2025-03-28', '2024-04-05', '2024-10-04', '2018-11-02', '2011-12-28'],
  ...['2005-04-01', '2001-09-08', '1973-03-02', '1969-12-30', '2023-10-27', '2024-04-24'],
]

interface Listed {
  readonly zone: Zone
  readonly zoneName: string
  readonly periods: PeriodList
  /** How long a period lasts by the clock. */
  readonly length: (period: Period) => number
  /** Whether all begin and end at midnight. */
  readonly hasDays: boolean
}

const lists: fc.Arbitrary<Listed> = fc
  .record({
    zoneName: fc.constantFrom(...ZONES),
    from: fc.constantFrom(...DAYS),
    kind: fc.constantFrom('clock', 'utc', 'days', 'weeks', 'months', 'quarters'),
    minutes: fc.constantFrom(10, 15, 30, 60, 120, 180, 240, 480, 720),
    gaps: fc.boolean(),
  })
  .map(({ zoneName, from: date, kind, minutes, gaps }) => {
    const zone = zoneNamed(zoneName) as Zone
    const from = Date.parse(date) * 1000
    const span = (days: number) => ({ from, to: from + days * DAY })
    const whole = {
      clock: () => clockPeriods(span(3), minutes * MINUTE, zone),
      utc: () => everyPeriods(span(3), (minutes + 7) * MINUTE),
      days: () => clockPeriods(span(9), DAY, zone),
      weeks: () => weekPeriods(span(70), 'monday', zone),
      months: () => monthPeriods(span(500), 'month', zone),
      quarters: () => monthPeriods(span(900), 'quarter', zone),
    }[kind]()
    const periods = gaps ? whole.filter((_, at) => at % 7 !== 3) : whole
    const wallOf = (instant: number) => instant + zone.offsetAt(instant)
    const byClock = ({ start, end }: Period) => wallOf(end) - wallOf(start)
    const fixed = { clock: minutes * MINUTE, utc: (minutes + 7) * MINUTE, days: DAY }[
      kind as string
    ]
    const hasDays = kind !== 'clock' && kind !== 'utc'
    return { zone, zoneName, periods, length: (each) => fixed ?? byClock(each), hasDays }
  })

/** How one time is written; a choice is taken as far as the time allows it. */
const spellings = fc.record({
  kind: fc.constantFrom('local', 'offset', 'number', 'date'),
  slashes: fc.boolean(),
  separator: fc.constantFrom('T', ' '),
  seconds: fc.constantFrom('', ':00', ':00.000', ':00.000000', ':00.000000000'),
  is24: fc.boolean(),
  /** Minutes east of Greenwich. */
  offset: fc.constantFrom(0, 60, 120, -300, -210, 345, 840),
  mark: fc.constantFrom('Z', 'UTC', ' UTC', 'z', 'colon', 'digits', 'hours'),
  unit: fc.constantFrom(0, 3, 6, 9),
  float: fc.boolean(),
})
type Spelling = typeof spellings extends fc.Arbitrary<infer T> ? T : never

const dateOf = (wall: WallTime, { slashes }: Spelling) => {
  const date = new Date(wall / 1000).toISOString().slice(0, 10)
  return slashes ? date.replaceAll('-', '/') : date
}

function clockText(wall: WallTime, how: Spelling): string {
  const time = new Date(wall / 1000).toISOString().slice(11, 16)
  const is24 = how.is24 && time === '00:00'
  const date = dateOf(is24 ? wall - DAY : wall, how)
  return `${date}${how.separator}${is24 ? '24:00' : time}${how.seconds}`
}

function offsetText(instant: number, how: Spelling): string {
  const isZero = ['Z', 'z', 'UTC', ' UTC'].includes(how.mark)
  const offset = isZero ? 0 : how.offset
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const pad = (part: number) => String(part).padStart(2, '0')
  const colon = how.mark === 'colon' ? ':' : ''
  const sign = offset < 0 ? '-' : '+'
  const isShort = how.mark === 'hours' && minutes === 0
  const mark = `${sign}${pad(hours)}${isShort ? '' : `${colon}${pad(minutes)}`}`
  return `${clockText(instant + offset * MINUTE, how)}${isZero ? how.mark : mark}`
}

/** Seconds to nanoseconds since 1970: of 9 digits at least in seconds. */
function numberText(instant: number, how: Spelling): string {
  const text = `${instant / 1_000_000}${'0'.repeat(how.unit)}`
  return how.float ? `${text}.0` : text
}

/** Texts for some periods of a list by one of their ends. */
function textsOf(
  list: Listed,
  rows: readonly { readonly at: number; readonly how: Spelling }[],
  label: PeriodEnd,
): string[] {
  const { zone, periods, length, hasDays } = list
  const wallOf = ({ start }: Period) => start + zone.offsetAt(start)
  const clockOf = (each: Period) => (label === 'start' ? wallOf(each) : wallOf(each) + length(each))
  const shown = new Map<WallTime, number[]>()
  for (const [at, each] of periods.entries()) {
    const wall = clockOf(each)
    shown.set(wall, [...(shown.get(wall) ?? []), at])
  }
  const used = new Set(rows.map(({ at }) => at))
  return rows.map(({ at, how }) => {
    const period = periods[at] as Period
    const instant = period[label]
    const wall = clockOf(period)
    const both = shown.get(wall) ?? []
    // Of a time that the clock shows twice both rows are written by the clock, or none.
    const first = rows.find((row) => row.at === both[0])
    const kind = (both.length > 1 ? first?.how.kind : how.kind) ?? 'offset'
    const isIrregular =
      label === 'end' && wall !== period.end + zone.offsetAt(period.end) && both.length < 2
    const isClear = both.length < 2 || both.every((each) => used.has(each))
    if (kind === 'date' && hasDays) {
      return dateOf(label === 'start' ? wallOf(period) : clockOf(period) - DAY, how)
    }
    if (kind === 'local' && isClear && !isIrregular) return clockText(wall, how)
    return kind === 'number' && instant >= 1e14
      ? numberText(instant, how)
      : offsetText(instant, how)
  })
}

const tables = lists.chain((list) =>
  fc.record({
    list: fc.constant(list),
    rows: fc
      .uniqueArray(fc.record({ at: fc.nat(list.periods.length - 2), how: spellings }), {
        minLength: 1,
        maxLength: 40,
        selector: ({ at }) => at,
      })
      .map((rows) => rows.sort((a, b) => a.at - b.at)),
    isReversed: fc.boolean(),
  }),
)

const ordered = (lines: readonly string[], isReversed: boolean) =>
  (isReversed ? [...lines].reverse() : lines).join('\n')

describe('a table of periods in any spelling', () => {
  it('gives the same history and outcomes by label, by start and by end', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ list, rows, isReversed }) => {
        const { periods, zoneName } = list
        const forecast = { point: 'median' as const, levels: ['0.5'], integer: false }
        const more = { forecast, outcome: UNREVISED }
        const protocol = protocolOf(['one'], zoneName, periods, more)
        const repeated = isReversed ? ('later-first' as const) : ('earlier-first' as const)
        const file = (head: string, lines: readonly string[]) => {
          const path = fresh('table')
          writeFileSync(path, `${head}\n${ordered(lines, isReversed)}\n`)
          return path
        }
        const errorsOf = (findings: readonly Parameters<typeof formatMessage>[0][]) =>
          findings
            .filter(({ code, severity }) => severity === 'error' || code === 'period-outside')
            .map((each) => formatMessage(each).text)
        const outcomes = async (texts: readonly string[], label?: PeriodEnd) => {
          const path = file(
            'period,value',
            texts.map((text, at) => `${text},${rows[at]?.at}`),
          )
          const naming = { label, repeated }
          const now = Date.parse('2027-06-01') * 1000
          const options = { protocol, periods, naming, now, completeTo: '2027-01-01' }
          const result = await importTruth(path, options)
          return result.ok ? [...result.releases].join('') : errorsOf(result.findings)
        }
        const history = async (head: string, lines: readonly string[], label = {}) => {
          const path = fresh()
          const table = { label, repeated }
          const options = { now: EPOCH, series: { protocol, periods }, table }
          const { findings } = await importFiles(path, [file(head, lines)], options)
          const errors = errorsOf(findings)
          if (errors.length > 0) return errors
          return (await inBatches(opened(path).seriesEntries())).map(({ entry }) => entry).sort()
        }
        const origins = (texts: readonly string[], label?: PeriodEnd) =>
          history(
            'origin,horizon,model,value',
            texts.map((text, at) => `${text},1,m,${rows[at]?.at}`),
            { origin: label },
          )
        const first = periods[0]?.label
        const targets = (texts: readonly string[], label?: PeriodEnd) =>
          history(
            'origin,target,model,value',
            texts.map((text, at) => `${first},${text},m,${rows[at]?.at}`),
            { target: label },
          )
        const labels = rows.map(({ at }) => periods[at]?.label ?? '')
        for (const read of [outcomes, origins, targets]) {
          const expected = await read(labels)
          const lines = typeof expected === 'string' ? expected.match(/,\d+,$/gm) : expected
          expect(lines).toHaveLength(rows.length)
          for (const label of ['start', 'end'] as const) {
            const texts = textsOf(list, rows, label)
            expect({ texts, read: await read(texts, label) }).toEqual({ texts, read: expected })
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})
