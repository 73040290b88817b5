import { type KeyObject, sign, verify } from 'node:crypto'
import { parseNote, type SignedNote, signatureLine } from './note.js'
import { KEY_TYPE, toVerifierKey, type VerifierKey } from './verifier-key.js'

/**
 * A witness's signature that it saw a checkpoint, with the time (C2SP tlog-cosignature, Ed25519).
 */
export interface Cosignature {
  /** Its line in a note, with the line feed. */
  readonly line: string
  /** The time of the witness's clock, in whole seconds since 1970. */
  readonly time: number
}

const TIME_BYTES = 8
const PAYLOAD_BYTES = TIME_BYTES + 64
/** How far the clock of a witness may be ahead of ours, in seconds. */
const MAX_CLOCK_LEAD_SECONDS = 300

/** Cosigns a text. @param time - in whole seconds since 1970. */
export function cosign(body: string, name: string, key: KeyObject, time: number): Cosignature {
  const { id } = toVerifierKey(name, key, KEY_TYPE.cosignature)
  const seconds = Buffer.alloc(TIME_BYTES)
  seconds.writeBigUInt64BE(BigInt(time))
  const signature = Buffer.concat([seconds, sign(null, signedText(time, body), key)])
  return { line: signatureLine(name, id, signature), time }
}

/**
 * Verifies the cosignatures of a witness on a note.
 * @param now - in seconds since 1970; times of 0, or more than five minutes ahead, are invalid.
 * @returns the valid ones, earliest first, and whether any of that key is invalid.
 */
export function verifyCosignatures(
  { body, signatures }: SignedNote,
  { name, id, key }: VerifierKey,
  now: number,
): { readonly sound: readonly Cosignature[]; readonly unsound: boolean } {
  const matching = signatures.filter((one) => one.name === name && id.equals(one.keyId))
  const sound = matching.flatMap(({ signature }) => {
    if (signature.length !== PAYLOAD_BYTES) return []
    const time = signedTime(signature)
    if (time === 0 || time > now + MAX_CLOCK_LEAD_SECONDS) return []
    if (!verify(null, signedText(time, body), key, signature.subarray(TIME_BYTES))) return []
    return [{ line: signatureLine(name, id, signature), time }]
  })
  return {
    sound: sound.sort((a, b) => a.time - b.time),
    unsound: sound.length < matching.length,
  }
}

/** Names in the lines of a note that have the form of a cosignature; nothing is verified. */
export function listCosigners({ signatures }: SignedNote): string[] {
  const cosignatures = signatures.filter(({ signature }) => signature.length === PAYLOAD_BYTES)
  return [...new Set(cosignatures.map(({ name }) => name))]
}

/**
 * Adds the signatures of another note with the same text, each once. Of the cosignatures of a key, the earliest and
 * the latest are kept. Nothing is verified. Returns the note unchanged if the texts differ or the result would be too
 * long.
 */
export function mergeNotes(note: string, other: string): string {
  const [parsed, added] = [parseNote(note), parseNote(other)]
  if (parsed === undefined || parsed.body !== added?.body) return note
  const others: string[] = []
  const byKey = new Map<string, Cosignature[]>()
  for (const { name, keyId, signature } of [...parsed.signatures, ...added.signatures]) {
    const line = signatureLine(name, keyId, signature)
    const key = `${name} ${Buffer.from(keyId).toString('hex')}`
    if (signature.length !== PAYLOAD_BYTES) others.push(line)
    else byKey.set(key, [...(byKey.get(key) ?? []), { line, time: signedTime(signature) }])
  }
  const cosigned = [...byKey.values()].flatMap((all) => {
    all.sort((a, b) => a.time - b.time)
    return [all[0]!.line, all.at(-1)!.line]
  })
  const merged = appendSignatures(parsed.body, [...new Set([...others, ...cosigned])])
  return parseNote(merged) === undefined ? note : merged
}

/** Appends signature lines to a text. */
export function appendSignatures(body: string, lines: readonly string[]): string {
  return lines.length === 0 ? body : `${body}\n${lines.join('')}`
}

const signedText = (time: number, body: string): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${body}`)

/** A number too large to be exact is far from now, however it is rounded. */
const signedTime = (signature: Uint8Array): number =>
  Number(Buffer.from(signature).readBigUInt64BE())
