import { type KeyObject, sign, verify } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { isKeyName, toVerifierKey, wrongKeyError } from './verifier-key.js'

/** A signature line of a note; only its form is checked. */
export interface NoteSignature {
  readonly name: string
  /** Four bytes. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

/** A text with signatures (C2SP signed-note). */
export interface SignedNote {
  /** The signed text; it ends with a line feed. */
  readonly body: string
  readonly signatures: readonly NoteSignature[]
}

/** Longer notes are rejected. */
export const MAX_NOTE_BYTES = 131_072
const MAX_SIGNATURES = 100
const KEY_ID_BYTES = 4

const DASH = '\u2014 '
const SIGNATURE_LINE = /^\u2014 (\S+) (\S+)$/u

/** Parses a note, signed or not; undefined if malformed. Signatures are not verified. */
export function parseNote(bytes: string | Uint8Array): SignedNote | undefined {
  const text = decodeNote(bytes)
  if (text === undefined || !text.endsWith('\n') || hasControls(text)) return undefined
  const end = text.lastIndexOf('\n\n')
  if (end < 0) return { body: text, signatures: [] }
  const signatures = parseSignatures(text.slice(end + 2, -1))
  return signatures && { body: text.slice(0, end + 1), signatures }
}

/**
 * Signs a text, which must end with a line feed, with a key named `name`.
 * @throws {ForeproofError} `usage` if the key is not a private Ed25519 key, or the name is invalid.
 */
export function signNote(text: string, name: string, key: KeyObject): string {
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519') throw wrongKeyError('private')
  if (!isKeyName(name)) {
    throw new ForeproofError('usage', `${JSON.stringify(name)} cannot name a key`, {
      help: 'A name has neither white space nor +, for example example.org/forecasts.',
    })
  }
  const { id } = toVerifierKey(name, key)
  return `${text}\n${signatureLine(name, id, sign(null, Buffer.from(text), key))}`
}

/** Formats a signature line, with its line feed. */
export function signatureLine(name: string, id: Uint8Array, signature: Uint8Array): string {
  return `${DASH}${name} ${Buffer.concat([id, signature]).toString('base64')}\n`
}

/**
 * Whether a key has signed a note under a name; false if one of its signatures is invalid.
 * @throws {ForeproofError} `usage` if the key is not a public Ed25519 key.
 */
export function isSignedBy(
  { body, signatures }: SignedNote,
  name: string,
  key: KeyObject,
): boolean {
  if (key.type !== 'public') throw wrongKeyError('public')
  const { id } = toVerifierKey(name, key)
  const ours = signatures.filter((one) => one.name === name && id.equals(one.keyId))
  return ours.length > 0 && ours.every((one) => verify(null, Buffer.from(body), key, one.signature))
}

function parseSignatures(text: string): NoteSignature[] | undefined {
  const lines = text.split('\n')
  if (lines.length > MAX_SIGNATURES) return undefined
  const signatures: NoteSignature[] = []
  for (const line of lines) {
    const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? []
    const bytes = parseBase64(encoded)
    if (!isKeyName(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES) return undefined
    const keyId = bytes.subarray(0, KEY_ID_BYTES)
    signatures.push({ name, keyId, signature: bytes.subarray(KEY_ID_BYTES) })
  }
  return signatures
}

function decodeNote(note: string | Uint8Array): string | undefined {
  if (note.length > MAX_NOTE_BYTES) return undefined
  if (typeof note === 'string') return note
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(note)
  } catch {
    return undefined
  }
}

/** Line feeds end lines; a note has no other control characters. */
function hasControls(text: string): boolean {
  return Array.from(text).some((character) => character < ' ' && character !== '\n')
}

/** Decodes base64; undefined if it is not the canonical spelling. */
export function parseBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
