import {
  formatStored,
  MICROS_PER_SECOND,
  parseTimestamp,
  type TimestampFault,
} from '../../contract/instant.js'
import type { Cell } from '../../table/types.js'

/** What pandas, R and others write where there is nothing. */
const NOTHING = new Set(['', 'NA', 'N/A', '<NA>', 'NaN', 'nan', 'NaT', 'null', 'NULL', 'None'])

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const INFINITE = /^[+-]?inf(?:inity)?$/i
const WITH_COMMA = /^[+-]?[\d.]*\d,[\d.,]*\d$/

/** ISO 8601 as programs write it: a space for the T, no seconds, an offset such as +00 or +0000. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?)? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i

type CellResult<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F }

export function isNothing(cell: Cell): boolean {
  return cell === null || (typeof cell === 'string' && NOTHING.has(cell)) || Number.isNaN(cell)
}

/**
 * A number as it is written in JSON; in the decimal notation of no other language.
 * @param decimalComma - in a text, a comma is the decimal point and a point is not.
 */
export function numberIn(
  cell: Cell,
  decimalComma = false,
): CellResult<number, 'comma' | 'not-a-number' | 'infinite'> {
  if (typeof cell === 'boolean' || cell === null) return { ok: false, fault: 'not-a-number' }
  if (decimalComma && typeof cell === 'string') {
    return numberIn(cell.includes('.') ? 'none' : cell.replace(',', '.'))
  }
  if (typeof cell === 'string' && !DECIMAL.test(cell)) {
    if (INFINITE.test(cell)) return { ok: false, fault: 'infinite' }
    return { ok: false, fault: WITH_COMMA.test(cell) ? 'comma' : 'not-a-number' }
  }
  const value = Number(cell)
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, fault: 'infinite' }
}

/** Seconds or milliseconds since 1970, which are UTC: whole ones of the years 2001 to 2286. */
const UNIX = /^(\d{10})(\d{3})?$/

/**
 * A time in the form that histories store.
 * @param utc - whether one without an offset is UTC.
 */
export function timestampIn(cell: Cell, utc: boolean): CellResult<string, TimestampFault> {
  const [, unix, millis = '000'] = UNIX.exec(String(cell)) ?? []
  if (unix !== undefined) {
    const instant = Number(unix) * MICROS_PER_SECOND + Number(millis) * 1000
    if (!Number.isSafeInteger(instant)) return { ok: false, fault: 'range' }
    return { ok: true, value: formatStored(instant) }
  }
  const parts = TIME.exec(String(cell))
  if (parts === null) {
    const parsed = parseTimestamp(String(cell))
    return parsed.ok ? { ok: true, value: formatStored(parsed.instant) } : parsed
  }
  const [, date, minutes = '00:00', seconds = '00', offset] = parts
  if (offset === undefined && !utc) return { ok: false, fault: 'offset-missing' }
  const parsed = parseTimestamp(`${date}T${minutes}:${seconds}${offsetOf(offset)}`)
  return parsed.ok ? { ok: true, value: formatStored(parsed.instant) } : parsed
}

function offsetOf(offset: string | undefined): string {
  if (offset === undefined || /^(?:Z|UTC)$/i.test(offset)) return 'Z'
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
}
