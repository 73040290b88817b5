import { formatUtc, MICROS_PER_DAY } from '../../contract/instant.js'

export type TimestampUnit = 'MILLIS' | 'MICROS' | 'NANOS'

/**
 * A time since 1970 as RFC 3339 text: with `Z` where it is one in UTC, without an offset where it is a
 * local one. Exact to the microsecond.
 * @param onFiner is called for a time that is finer.
 */
export function timestampText(
  stored: bigint,
  unit: TimestampUnit,
  utc: boolean,
  onFiner: (nanos: bigint) => never,
): string {
  if (unit === 'NANOS' && stored % 1000n !== 0n) onFiner(stored)
  const micros = unit === 'MILLIS' ? stored * 1000n : unit === 'NANOS' ? stored / 1000n : stored
  return textOf(Number(micros), utc)
}

/** Days since 1970 as a date. */
export function dateText(days: number): string {
  return textOf(days * MICROS_PER_DAY, false).slice(0, 10)
}

/** A time that no date can say is shown by its number, which whoever reads it refuses. */
function textOf(micros: number, utc: boolean): string {
  if (!Number.isSafeInteger(micros)) return String(micros)
  const text = formatUtc(micros)
  return utc ? text : text.slice(0, -1)
}

/** The digits of a decimal: `12.50` for 1250 with a scale of 2. */
export function decimalText(stored: unknown, scale: number): string {
  const value = stored instanceof Uint8Array ? signed(stored) : BigInt(stored as bigint)
  return `${value}e-${scale}`
}

/** A signed integer, the largest byte first. */
function signed(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

export function uuidText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A number of IEEE 754 in 16 bits, the smallest byte first. */
export function binary16(bytes: Uint8Array): number {
  const bits = ((bytes[1] ?? 0) << 8) | (bytes[0] ?? 0)
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = (bits & 0x3ff) / 1024
  if (exponent === 0) return sign * 2 ** -14 * fraction
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * 2 ** (exponent - 15) * (1 + fraction)
}
