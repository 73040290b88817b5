import { hash } from 'node:crypto'
import { type CanonicalOptions, canonicalize } from './canonical.js'

/** Where texts are encoded to be hashed: a buffer for each would be most of the garbage. */
let scratch: Buffer | undefined
const SCRATCH_BYTES = 262_144

function encode(text: string): Uint8Array {
  // A UTF-16 code unit takes three bytes at most.
  if (text.length * 3 > SCRATCH_BYTES) return Buffer.from(text, 'utf8')
  scratch ??= Buffer.allocUnsafe(SCRATCH_BYTES)
  return scratch.subarray(0, scratch.write(text, 'utf8'))
}

/** Lowercase hex SHA-256 of a text (as UTF-8) or of bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  // In one go and from bytes: several times as fast as a Hash object that is fed a text.
  return hash('sha256', typeof data === 'string' ? encode(data) : data, 'hex')
}

/**
 * SHA-256 of the RFC 8785 form of an object without one of its own members: the member that carries
 * the digest itself.
 * @throws {ForeproofError} `invalid-input` when the value has no canonical form.
 */
export function digestWithout(
  value: object,
  member: string,
  options: CanonicalOptions = {},
): string {
  const { [member]: _, ...rest } = value as Record<string, unknown>
  return sha256Hex(canonicalize(rest, options))
}
