import { log10 } from '../contract/logarithm.js'

/**
 * Formats figures for reports: the same text on every machine, independent of locale. A minus is U+2212, thousands are
 * separated by commas, and a missing value is an en dash.
 */

export const NOTHING = '–'
const MINUS = '−'
const THIN = '\u202f'

function signed(text: string): string {
  return text.startsWith('-') ? (/[1-9]/.test(text) ? MINUS + text.slice(1) : text.slice(1)) : text
}

/** `digits` decimals: `0.52`, `−1.30`. */
export function decimal(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return NOTHING
  return signed(value.toFixed(digits))
}

/** Like `decimal`, but a nonzero value never looks like zero: `below 0.0001`. */
export function decimalNotZero(value: number | null, digits: number): string {
  const text = decimal(value, digits)
  if (value === null || value === 0 || !/^[0.]+$/.test(text)) return text
  const smallest = decimal(Number(`1e-${digits}`), digits)
  return value > 0 ? `below ${smallest}` : `above ${MINUS}${smallest}`
}

/** Number of decimals of a percentage: one, or more if a nonzero share needs them: 0.0004 is `0.04 %`. */
function countDecimals(value: number | null): number {
  const size = Math.abs(value ?? 0) * 100
  return size < 0.0001 ? 1 : Math.max(1, Math.ceil(-log10(size)))
}

/** A share as a percentage: 0.0521 is `5.21 %` with two digits. */
export function percent(value: number | null, digits = countDecimals(value)): string {
  return value === null || !Number.isFinite(value)
    ? NOTHING
    : `${decimal(value * 100, digits)}${THIN}%`
}

/** `count` as a percentage of `all`. */
export function percentOfAll(count: number, all: number, digits = 2): string {
  return percent(all === 0 ? null : count / all, digits)
}

/** A share with two digits. A very small share is shown as a count, because 0.00 % and 0.01 % tell too little. */
export function formatShare(count: number, all: number): string {
  const tooSmall = count > 0 && count / all < 0.00015
  return tooSmall ? `${formatWhole(count)} of ${formatWhole(all)}` : percentOfAll(count, all)
}

/** Like `percent`, with a plus sign if the value is positive. */
export function signedPercent(value: number | null, digits = countDecimals(value)): string {
  const text = percent(value, digits)
  return value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** A difference of two shares, with its sign: 0.021 is `+2.1 points`. */
export function changeInPoints(value: number | null, digits = countDecimals(value)): string {
  if (value === null || !Number.isFinite(value)) return NOTHING
  const text = decimal(value * 100, digits)
  return `${value > 0 && /[1-9]/.test(text) ? '+' : ''}${text} points`
}

/** A difference of two shares, without a sign: 0.021 is `2.1 percentage points`. */
export function percentagePoints(value: number | null): string {
  return value === null
    ? NOTHING
    : `${decimal(value * 100, countDecimals(value))} percentage points`
}

/** A whole number with separated thousands: `13,872`. */
export function formatWhole(value: number): string {
  return signed(String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ','))
}

/** A p-value with two significant digits; below 0.0001 in powers of ten: `0.031`, `1.0×10⁻⁵`. */
export function probability(value: number | null): string {
  if (value === null) return NOTHING
  if (value >= 0.9995) return '1'
  if (value >= 0.0001) {
    const digits = value >= 0.1 ? 2 : Math.min(5, 1 - Math.floor(log10(value)))
    return value.toFixed(digits)
  }
  if (value === 0) return '0'
  const [mantissa, exponent] = value.toExponential(1).split('e')
  return `${mantissa}×10${raised(Number(exponent))}`
}

/** A power of ten for an axis: `1`, `0.01`, `10⁻³`. */
export function powerOfTen(value: number): string {
  return value >= 0.01 ? String(value) : `10${raised(Math.round(log10(value)))}`
}

/** A very small or very large number with four digits: `1.234 × 10⁻⁹⁵`. */
export function scientific(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential(3).split('e')
  return `${digits.replace('-', MINUS)}${THIN}×${THIN}10${raised(Number(exponent))}`
}

function raised(exponent: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
  const text = String(Math.abs(exponent)).replace(/\d/g, (digit) => digits[Number(digit)] ?? '')
  return exponent < 0 ? `⁻${text}` : text
}

/** `1 block`, `12 blocks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatWhole(count)} ${count === 1 ? one : many}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** Keeps the sentences that apply, and drops the placeholders of those that do not. */
export function keepSentences(sentences: readonly (string | false | undefined)[]): string[] {
  return sentences.filter((sentence) => typeof sentence === 'string')
}

/** A UTC timestamp for reading: `2024-01-01 01:00 UTC`. */
export function readableTime(timestamp: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?Z$/.exec(timestamp)
  if (!match) return timestamp
  const seconds = match[3] !== undefined && Number(match[3]) !== 0 ? `:${match[3]}` : ''
  return `${match[1]} ${match[2]}${seconds} UTC`
}
