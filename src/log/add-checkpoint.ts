import { HASH_BYTES } from './merkle.js'
import { parseBase64 } from './note.js'

/**
 * The request of a log to a witness: cosign a checkpoint that extends another (C2SP tlog-witness).
 */
export interface AddCheckpoint {
  /** Size of the checkpoint that the witness cosigned last; 0 if none. */
  readonly old: number
  /** The consistency proof from `old` to the new checkpoint (RFC 6962, 2.1.2). */
  readonly proof: readonly Uint8Array[]
  /** The new checkpoint, signed by the log. */
  readonly note: string
}

/** The path below the address of a witness. */
export const ADD_CHECKPOINT = '/add-checkpoint'
/** Media type of an answer with the size that the witness cosigned last. */
export const SIZE_TYPE = 'text/x.tlog.size'
const MAX_HASHES = 63
const OLD = /^old (0|[1-9]\d{0,15})$/

export function formatAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  const hashes = proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`)
  return `old ${old}\n${hashes.join('')}\n${note}`
}

/** Parses such a request; undefined if malformed. The note is not checked. */
export function parseAddCheckpoint(text: string): AddCheckpoint | undefined {
  const end = text.indexOf('\n\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  const old = Number(OLD.exec(first)?.[1] ?? Number.NaN)
  const proof = lines.map(parseBase64)
  if (!Number.isSafeInteger(old) || proof.length > MAX_HASHES) return undefined
  if (!proof.every((hash): hash is Buffer => hash?.length === HASH_BYTES)) return undefined
  return { old, proof, note: text.slice(end + 2) }
}
