import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'

/**
 * What a key may sign, as a byte before the key (C2SP signed-note): a note, or a note with the time when it was seen.
 */
export const KEY_TYPE = { note: 1, cosignature: 4 } as const
export type KeyType = (typeof KEY_TYPE)[keyof typeof KEY_TYPE]

/** An Ed25519 public key with a name, in the form for readers of signed notes. */
export interface VerifierKey {
  /** `name+keyid+key`. */
  readonly text: string
  readonly name: string
  /** Four bytes: of SHA-256 over the name, a line feed, the type and the key. */
  readonly id: Buffer
  /** The 32 bytes of RFC 8032. */
  readonly raw: Buffer
  readonly key: KeyObject
}

const LONGEST_NAME = 200
const KEY_BYTES = 32
const NAME = /^[^\s+\p{Cc}\p{Cs}]+$/u
const TEXT = /^([^+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/

/** Whether a text may name a key: no white space, no plus, at most 200 characters. */
export function isKeyName(name: string): boolean {
  return NAME.test(name) && name.length <= LONGEST_NAME
}

/**
 * The verifier key of a name; a private key is converted to its public half.
 * @throws {ForeproofError} `usage` if the key is not an Ed25519 key.
 */
export function toVerifierKey(
  name: string,
  given: KeyObject,
  type: KeyType = KEY_TYPE.note,
): VerifierKey {
  if (given.asymmetricKeyType !== 'ed25519') throw wrongKeyError('public')
  const key = given.type === 'private' ? createPublicKey(given) : given
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  const typed = Buffer.concat([Buffer.of(type), raw])
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const text = `${name}+${id.toString('hex')}+${typed.toString('base64')}`
  return { text, name, id, raw, key }
}

/** Parses a key in the form `name+keyid+key`; undefined if it is invalid or of another type. */
export function parseVerifierKey(text: string, type: KeyType): VerifierKey | undefined {
  const [, name = '', encoded = ''] = TEXT.exec(text) ?? []
  const typed = Buffer.from(encoded, 'base64')
  if (!isKeyName(name) || typed.length !== KEY_BYTES + 1) return undefined
  const x = typed.subarray(1).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const read = toVerifierKey(name, key, type)
  return read.text === text ? read : undefined
}

export function wrongKeyError(kind: 'private' | 'public'): ForeproofError {
  return new ForeproofError('usage', `not a ${kind} key of Ed25519`, {
    help: 'To make one: openssl genpkey -algorithm ed25519 -out key.pem',
  })
}
