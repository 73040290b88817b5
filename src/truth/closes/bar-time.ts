import { type Instant, MICROS_PER_HOUR, parseTimestamp } from '../../contract/instant.js'

type TimeFault =
  | 'unreadable'
  | 'offset-missing'
  | 'calendar'
  | 'leap-second'
  | 'precision'
  | 'before-bitcoin'
  | 'rounded'
  | 'rewritten'

/** The unit a bar's time was written in; `text` is a date and a time of day. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'text'

type ParsedTime =
  | { readonly ok: true; readonly instant: Instant; readonly unit: TimeUnit }
  | { readonly ok: false; readonly fault: TimeFault }

/** 2009-01-03T00:00:00Z, the day of the first block: no bar of BTC/USD is older. */
const FIRST_BLOCK = 1_230_940_800_000_000

const UNIX = /^(\d{1,20})(?:\.0*)?$/
const NAIVE =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?: ?UTC)?$/i
const HALF_DAY = /^(\d{4}-\d{2}-\d{2}) (\d{2})-(AM|PM)$/i
const WITH_OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/i

/**
 * Parses the time of a bar. The size of a Unix time shows its unit: the ranges of seconds to nanoseconds do not overlap
 * for any year from 1973 to 5138. With `naive`, a text without an offset is UTC, as in every exchange's export.
 */
export function parseTime(text: string, naive = true): ParsedTime {
  const unix = UNIX.exec(text)
  if (unix) return unixTime(unix[1] ?? '')
  const half = HALF_DAY.exec(text)
  if (half && naive) return since(halfDayInstant(half), 'text')
  if (WITH_OFFSET.test(text)) return stamped(text.replace(' ', 'T'))
  const match = NAIVE.exec(text)
  if (!match) return { ok: false, fault: unreadable(text) }
  if (!naive) return { ok: false, fault: 'offset-missing' }
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0'] = match
  return stamped(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`)
}

/** Why a time cannot be parsed, in particular how a spreadsheet rewrote it when it saved the file. */
function unreadable(text: string): TimeFault {
  if (ROUNDED.test(text)) return 'rounded'
  return parseReadings(text).length > 0 ? 'rewritten' : 'unreadable'
}

function stamped(text: string): ParsedTime {
  const parsed = parseTimestamp(text)
  if (parsed.ok) return since(parsed.instant, 'text')
  const { fault } = parsed
  const isNamed = fault === 'calendar' || fault === 'leap-second' || fault === 'precision'
  return { ok: false, fault: isNamed ? fault : 'unreadable' }
}

function since(instant: Instant | undefined, unit: TimeUnit): ParsedTime {
  if (instant === undefined) return { ok: false, fault: 'calendar' }
  if (instant < FIRST_BLOCK) return { ok: false, fault: 'before-bitcoin' }
  return { ok: true, instant, unit }
}

function unixTime(digits: string): ParsedTime {
  if (digits.length <= 11) return since(Number(digits) * 1_000_000, 's')
  if (digits.length <= 14) return since(Number(digits) * 1_000, 'ms')
  if (digits.length <= 17) return since(Number(digits), 'us')
  // A fraction below a microsecond is off the hour anyway; adding one microsecond shows it.
  const below = digits.endsWith('000') ? 0 : 1
  return since(Number(digits.slice(0, -3)) + below, 'ns')
}

/** `2020-03-28 11-PM`: 12 means hour zero of its half day, AM and PM. */
function halfDayInstant(match: RegExpExecArray): Instant | undefined {
  const hour = Number(match[2])
  if (hour < 1 || hour > 12) return undefined
  const day = parseTimestamp(`${match[1]}T00:00:00Z`)
  const hours = (hour % 12) + (match[3]?.toUpperCase() === 'PM' ? 12 : 0)
  return day.ok ? day.instant + hours * MICROS_PER_HOUR : undefined
}

const NUMBERS = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})/
const CLOCK = /^[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?$/i
/** A number that a spreadsheet wrote in scientific notation, with digits lost. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+?\d+$/i

/**
 * True if a rewritten date can mean this instant in UTC: month or day may come first, the year may have two digits, and
 * a dropped time may be any time of that day.
 */
export function mayMean(text: string, instant: Instant): boolean {
  const date = new Date(instant / 1000)
  return parseReadings(text).some(({ year, month, day, minutes }) => {
    const sameYear = [date.getUTCFullYear(), date.getUTCFullYear() % 100].includes(year)
    const sameDay = month === date.getUTCMonth() + 1 && day === date.getUTCDate()
    const now = date.getUTCHours() * 60 + date.getUTCMinutes()
    return sameYear && sameDay && (minutes === undefined || minutes === now)
  })
}

/** A possible meaning of a date that a spreadsheet has rewritten: `4/10/2023 0:00`, with or without the time. */
interface Reading {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Since midnight; undefined if only the day is given. */
  readonly minutes: number | undefined
}

function parseReadings(text: string): Reading[] {
  const match = NUMBERS.exec(text)
  if (match === null) return []
  const clock = text.slice(match[0].length)
  const minutes = clock === '' ? undefined : parseMinutes(clock)
  if (minutes !== undefined && Number.isNaN(minutes)) return []
  const [first = '', middle, last = ''] = [match[1], Number(match[3]), match[4]]
  if (first.length === 4)
    return [{ year: Number(first), month: middle, day: Number(last), minutes }]
  if (last.length !== 2 && last.length !== 4) return []
  const year = Number(last)
  return [
    { year, month: Number(first), day: middle, minutes },
    { year, month: middle, day: Number(first), minutes },
  ]
}

/** NaN for an invalid time of day. */
function parseMinutes(clock: string): number {
  const match = CLOCK.exec(clock)
  if (match === null || Number(match[3] ?? 0) !== 0) return Number.NaN
  const hours = Number(match[1])
  const half = match[4]?.toUpperCase()
  const hour = half === undefined ? hours : (hours % 12) + (half === 'P' ? 12 : 0)
  return hour * 60 + Number(match[2])
}
