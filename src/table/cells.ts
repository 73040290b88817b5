import { losesDigits } from '../document/parser.js'
import type { Cell } from './table.js'

/** Texts that pandas, R and others write for a missing value. */
const NOTHING = new Set(['', 'NA', 'N/A', '<NA>', 'NaN', 'nan', 'NaT', 'null', 'NULL', 'None'])
const LONGEST_NOTHING = 4

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const INFINITE = /^[+-]?inf(?:inity)?$/i
const WITH_COMMA = /^[+-]?\d+,\d+$/
/** Digits in groups of three, with a mark of any kind between them: `1 234`, `1,234.5`, `1.234,5`. */
const GROUPED = /^[+-]?\d{1,3}(?:([.,' ’\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/

const LEADING_ZERO = /^[+-]?0/
const EXPONENT = /[eE]/

/** Why a text is not a number. */
type NumberFault = 'comma' | 'thousands' | 'not-a-number' | 'infinite' | 'rounded'

/** The value of a cell, or why it cannot be parsed. */
export type CellResult<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F }

/** Whether a cell is a missing value. */
export function isNothing(cell: Cell): boolean {
  if (typeof cell === 'string') return cell.length <= LONGEST_NOTHING && NOTHING.has(cell)
  return cell === null || Number.isNaN(cell)
}

/**
 * Parses a number as written in JSON, not in the notation of other languages. Numbers that would be rounded beyond
 * 2^53 are rejected, because the writer of a number without an exponent expects it to be exact.
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
    if (!EXPONENT.test(text) && Number.isFinite(value) && losesDigits(trimDigits(text), value)) {
      return { ok: false, fault: 'rounded' }
    }
  }
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, fault: 'infinite' }
}

/** The text without a plus, leading zeros and trailing zeros, none of which changes the number. */
const trimDigits = (text: string): string =>
  text.replace(/^\+?(-?)0*(?=\d)/, '$1').replace(/\.0*$|(\.\d*[1-9])0+$/, '$1')

function numberFault(text: string): NumberFault {
  if (INFINITE.test(text)) return 'infinite'
  // `1,234` usually means 1234; reading it as 1.234 would be wrong by a factor of 1000.
  if (GROUPED.test(text) && !LEADING_ZERO.test(text)) return 'thousands'
  return WITH_COMMA.test(text) ? 'comma' : 'not-a-number'
}
