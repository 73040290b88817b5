import { hash } from 'node:crypto'
import { canonicalize } from './canonical.js'

/** Lowercase hex SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** Whether a value is a SHA-256 in the form of `sha256Hex`. */
export const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/**
 * SHA-256 of the RFC 8785 form of an object without one of its members, namely the one for this digest.
 * @throws {ForeproofError} `invalid-input` if the value has no canonical form.
 */
export function digestWithout(value: object, member: string): string {
  const { [member]: _, ...rest } = value as Record<string, unknown>
  return sha256Hex(canonicalize(rest))
}
