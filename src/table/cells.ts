import { losesDigits } from '../document/parser.js'
import type { Cell } from './types.js'

/** What pandas, R and others write where there is nothing. */
const NOTHING = new Set(['', 'NA', 'N/A', '<NA>', 'NaN', 'nan', 'NaT', 'null', 'NULL', 'None'])
const LONGEST_NOTHING = 4

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const INFINITE = /^[+-]?inf(?:inity)?$/i
const WITH_COMMA = /^[+-]?\d+,\d+$/
/** Digits in groups of three, with a mark of any kind between them: `1 234`, `1,234.5`, `1.234,5`. */
const GROUPED = /^[+-]?\d{1,3}(?:([.,' ’\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/

const LEADING_ZERO = /^[+-]?0/
const EXPONENT = /[eE]/

/** Why a text is no number. */
type NumberFault = 'comma' | 'thousands' | 'not-a-number' | 'infinite' | 'rounded'

/** What a cell says, or why it cannot be read. */
export type CellResult<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F }

/** Whether a cell says that there is nothing. */
export function isNothing(cell: Cell): boolean {
  if (typeof cell === 'string') return cell.length <= LONGEST_NOTHING && NOTHING.has(cell)
  return cell === null || Number.isNaN(cell)
}

/**
 * A number as it is written in JSON; in the decimal notation of no other language. Digits are read or refused, and never
 * rounded beyond 2^53: a number without an exponent is exact for whoever wrote it.
 * @param decimalComma - in a text, a comma is the decimal point and a point is not.
 */
export function parseNumberCell(cell: Cell, decimalComma = false): CellResult<number, NumberFault> {
  if (typeof cell === 'boolean' || cell === null) return { ok: false, fault: 'not-a-number' }
  let value = Number(cell)
  if (typeof cell === 'string') {
    const text = decimalComma ? cell.replace(',', '.') : cell
    if (!DECIMAL.test(text) || (decimalComma && cell.includes('.'))) {
      return { ok: false, fault: numberFault(cell) }
    }
    value = Number(text)
    if (!EXPONENT.test(text) && Number.isFinite(value) && losesDigits(digitsOf(text), value)) {
      return { ok: false, fault: 'rounded' }
    }
  }
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, fault: 'infinite' }
}

/** The text without what makes it no other number: a plus, zeros before it and after the point. */
const digitsOf = (text: string): string =>
  text.replace(/^\+?(-?)0*(?=\d)/, '$1').replace(/\.0*$|(\.\d*[1-9])0+$/, '$1')

function numberFault(text: string): NumberFault {
  if (INFINITE.test(text)) return 'infinite'
  // `1,234` is more often 1234 than 1.234, and who reads it as the latter has lost three digits.
  if (GROUPED.test(text) && !LEADING_ZERO.test(text)) return 'thousands'
  return WITH_COMMA.test(text) ? 'comma' : 'not-a-number'
}
