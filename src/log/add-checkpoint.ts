import { HASH_BYTES } from './merkle.js'
import { parseBase64 } from './note.js'

/** What a log asks of a witness: to cosign a checkpoint that goes on from another (C2SP tlog-witness). */
export interface AddCheckpoint {
  /** Size of the checkpoint that the witness cosigned last; 0 where it has seen none. */
  readonly old: number
  /** That the entries of `old` are the first of the new checkpoint (RFC 6962, 2.1.2). */
  readonly proof: readonly Uint8Array[]
  /** The new checkpoint, signed by the log. */
  readonly note: string
}

/** Where a witness is asked, below its address. */
export const ADD_CHECKPOINT = '/add-checkpoint'
/** Of an answer that names the size of the checkpoint that a witness cosigned last. */
export const SIZE_TYPE = 'text/x.tlog.size'
const MAX_HASHES = 63
const OLD = /^old (0|[1-9]\d{0,15})$/

export function formatAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  const hashes = proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`)
  return `old ${old}\n${hashes.join('')}\n${note}`
}

/** Reads such a request; undefined where it is none. The note is not looked at. */
export function parseAddCheckpoint(text: string): AddCheckpoint | undefined {
  const end = text.indexOf('\n\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  const old = Number(OLD.exec(first)?.[1] ?? Number.NaN)
  const proof = lines.map(parseBase64)
  if (!Number.isSafeInteger(old) || proof.length > MAX_HASHES) return undefined
  if (!proof.every((hash): hash is Buffer => hash?.length === HASH_BYTES)) return undefined
  return { old, proof, note: text.slice(end + 2) }
}
