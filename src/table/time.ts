import {
  type Instant,
  MICROS_PER_DAY,
  parseTimestamp,
  type TimestampFault,
} from '../contract/instant.js'

export type TimeFault = TimestampFault | 'digits'

/**
 * A time in a cell. `wall` is the local clock time treated as UTC; for a date, its midnight. A number with a wrong
 * count of digits has the fault `digits`.
 */
export type CellTime =
  | { readonly kind: 'instant'; readonly instant: Instant }
  | { readonly kind: 'local' | 'date'; readonly wall: number }
  | { readonly kind: 'none'; readonly fault: TimeFault }

/** ISO 8601 as programs write it: a space for the T, slashes, no seconds, an offset such as +00 or +0000. */
const TIME =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i
/** Also a whole float, because pandas uses floats for a column with an empty cell. */
const WHOLE = /^(\d+)(?:\.0+)?$/

/** Zeros to append for microseconds; nanoseconds have three digits too many. */
const UNITS: Readonly<Record<number, number>> = { 9: 6, 10: 6, 12: 3, 13: 3, 15: 0, 16: 0 }

/**
 * Parses a cell as a time: a date, a date and time with or without an offset, or a number since 1970.
 */
export function parseCellTime(text: string): CellTime {
  const [, digits] = WHOLE.exec(text) ?? []
  if (digits !== undefined) return unixTime(digits)
  const [shape, year, , month, day, minutes, seconds = '00', offset] = TIME.exec(text) ?? []
  if (shape === undefined) {
    const parsed = parseTimestamp(text)
    return parsed.ok ? instant(parsed.instant) : none(parsed.fault)
  }
  const isMidnight = minutes === '24:00' && Number(seconds) === 0
  const time = isMidnight ? '00:00' : (minutes ?? '00:00')
  const parsed = parseTimestamp(`${year}-${month}-${day}T${time}:${seconds}${parseOffset(offset)}`)
  if (!parsed.ok) return none(parsed.fault)
  const at = parsed.instant + (isMidnight ? MICROS_PER_DAY : 0)
  if (offset !== undefined) return instant(at)
  return { kind: minutes === undefined ? 'date' : 'local', wall: at }
}

const instant = (at: Instant): CellTime => ({ kind: 'instant', instant: at })
const none = (fault: TimeFault): CellTime => ({ kind: 'none', fault })

function unixTime(digits: string): CellTime {
  const isNanos = digits.length === 18 || digits.length === 19
  if (isNanos && !digits.endsWith('000')) return none('precision')
  const zeros = isNanos ? 0 : UNITS[digits.length]
  if (zeros === undefined) return none('digits')
  const micros = Number(`${isNanos ? digits.slice(0, -3) : digits}${'0'.repeat(zeros)}`)
  return Number.isSafeInteger(micros) ? instant(micros) : none('range')
}

function parseOffset(offset: string | undefined): string {
  if (offset === undefined || /^(?:Z|UTC)$/i.test(offset)) return 'Z'
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
}
