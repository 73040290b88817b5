/**
 * Instants are integer microseconds since 1970-01-01T00:00:00Z, as a number: exact up to the year 2255, and comparable
 * whatever offset a timestamp was written with.
 */
export type Instant = number

export const MICROS_PER_SECOND = 1_000_000
export const MICROS_PER_HOUR = 3_600_000_000

export const MICROS_PER_MINUTE = 60_000_000
export const MICROS_PER_DAY = 86_400_000_000

/** What can be wrong with a timestamp, as the end of a sentence about it. */
export const TIMESTAMP_FAULTS = {
  syntax: 'is not an RFC 3339 timestamp such as 2026-01-02T03:00:00+00:00',
  'offset-missing': 'lacks an offset from UTC: end it with Z or +00:00',
  'space-for-plus': 'has a space where its offset needs a plus sign (%2B in a URL)',
  calendar: 'names a date or time of day that does not exist',
  'leap-second': 'names a leap second, which has no instant of its own',
  precision: 'is finer than a microsecond',
  range: 'lies outside the years that can be represented',
} as const
export type TimestampFault = keyof typeof TIMESTAMP_FAULTS

export type ParsedTimestamp =
  | { readonly ok: true; readonly instant: Instant; readonly offsetMinutes: number }
  | { readonly ok: false; readonly fault: TimestampFault }

/** The part after the seconds: a fraction, and the offset. */
const TAIL = /^(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?$/
const SPACE_FOR_PLUS = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)? \d{2}:\d{2}$/

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0)
}

/** Days since 1970-01-01 of a proleptic Gregorian date (Hinnant's days_from_civil). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/**
 * Parses an RFC 3339 timestamp with an offset. Calendar-invalid dates, leap seconds (which have no instant of their own
 * here) and more than six significant fractional digits are faults; zeros beyond the sixth digit are not significant.
 */
export function parseTimestamp(text: string): ParsedTimestamp {
  // Skip the regular expression for the most common form in histories.
  const isPlain = text.length === 25 && text.startsWith('+00:00', 19)
  const tail = isPlain ? NO_TAIL : TAIL.exec(text.slice(19))
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const isNumeric = !Number.isNaN(year + month + day + hour + minute + second)
  if (tail === null || !isNumeric || !isMarked(text)) return { ok: false, fault: formFault(text) }
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return { ok: false, fault: 'calendar' }
  }
  if (second === 60) return { ok: false, fault: 'leap-second' }
  if (hour > 23 || minute > 59 || second > 59) return { ok: false, fault: 'calendar' }
  const fraction = tail[1]?.replace(/0+$/, '') ?? ''
  if (fraction.length > 6) return { ok: false, fault: 'precision' }
  const offsetHours = Number(tail[3] ?? 0)
  const offsetRest = Number(tail[4] ?? 0)
  if (offsetHours > 23 || offsetRest > 59) return { ok: false, fault: 'calendar' }
  const offsetMinutes = (tail[2] === '-' ? -1 : 1) * (offsetHours * 60 + offsetRest)
  const instant =
    daysFromCivil(year, month, day) * MICROS_PER_DAY +
    hour * MICROS_PER_HOUR +
    (minute - offsetMinutes) * MICROS_PER_MINUTE +
    second * MICROS_PER_SECOND +
    (fraction === '' ? 0 : Number(fraction.padEnd(6, '0')))
  if (!Number.isSafeInteger(instant)) return { ok: false, fault: 'range' }
  return { ok: true, instant: instant === 0 ? 0 : instant, offsetMinutes }
}

const NO_TAIL: readonly (string | undefined)[] = []

function formFault(text: string): TimestampFault {
  if (WITHOUT_OFFSET.test(text)) return 'offset-missing'
  return SPACE_FOR_PLUS.test(text) ? 'space-for-plus' : 'syntax'
}

/** Whether the separators of a date and a time of day are at their positions. */
function isMarked(text: string): boolean {
  return (
    text[4] === '-' &&
    text[7] === '-' &&
    (text[10] === 'T' || text[10] === 't') &&
    text[13] === ':' &&
    text[16] === ':'
  )
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const units = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN
}

/** `2026-01-02T03:04:05[.ffffff]` in UTC, without an offset; the fraction only if it is not zero. */
function utcText(instant: Instant): string {
  const micros = ((instant % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND
  const seconds = new Date((instant - micros) / 1000).toISOString().slice(0, 19)
  return micros === 0 ? seconds : `${seconds}.${String(micros).padStart(6, '0')}`
}

/** The form stored in forecast histories: `2026-01-02T03:04:05[.ffffff]+00:00`. */
export function formatStored(instant: Instant): string {
  return `${utcText(instant)}+00:00`
}

/** The form of reports, vintages and registrations: `2026-01-02T03:04:05[.ffffff]Z`. */
export function formatUtc(instant: Instant): string {
  return `${utcText(instant)}Z`
}

/** Whether the instant is exactly at the start of a UTC hour. */
export function isOnTheHour(instant: Instant): boolean {
  return instant % MICROS_PER_HOUR === 0
}

/** The instant of a timestamp; undefined for anything else. */
export function parseInstant(value: unknown): Instant | undefined {
  if (typeof value !== 'string') return undefined
  const parsed = parseTimestamp(value)
  return parsed.ok ? parsed.instant : undefined
}

/** The instant of a text that a schema has accepted as a timestamp; NaN if it is invalid. */
export function instantOrNaN(text: string): Instant {
  return parseInstant(text) ?? Number.NaN
}

/**
 * The instant of a timestamp in a document that was already checked.
 * @throws {TypeError} if it is invalid, because the check was forgotten.
 */
export function checkedInstant(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === undefined) throw new TypeError(`not a timestamp: ${text}`)
  return instant
}

/** Used if an origin is not a timestamp; sorts before every other instant. */
export const NO_INSTANT = Number.MIN_SAFE_INTEGER
