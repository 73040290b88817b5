import { HASH_BYTES } from './merkle.js'
import { parseBase64, parseNote, type SignedNote } from './note.js'

/** The state of a log: the three lines of a checkpoint (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The log's name: one line, not empty. */
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: number
  readonly root: Uint8Array
}

/** A checkpoint with its signatures. */
export interface SignedCheckpoint extends Checkpoint, SignedNote {}

const SIZE = /^(?:0|[1-9]\d{0,15})$/

/** Formats the body of a checkpoint, which signatures and stamps cover. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`
}

/**
 * Parses a checkpoint, signed or not; undefined if malformed. Signatures are not verified. Extension lines after the
 * third belong to the body.
 */
export function parseCheckpoint(bytes: string | Uint8Array): SignedCheckpoint | undefined {
  const note = parseNote(bytes)
  if (note === undefined) return undefined
  const lines = note.body.slice(0, -1).split('\n')
  const [origin = '', size = '', root = ''] = lines
  const hash = parseBase64(root)
  if (lines.length < 3 || lines.includes('') || !SIZE.test(size)) return undefined
  if (hash?.length !== HASH_BYTES || !Number.isSafeInteger(Number(size))) return undefined
  return { ...note, origin, size: Number(size), root: hash }
}

/**
 * For each checkpoint, the earliest time of one at least as large.
 * @param times - of each checkpoint, smallest first; infinite if it has none.
 */
export function earliestTimes(times: readonly number[]): Float64Array {
  const earliest = Float64Array.from(times)
  for (let index = earliest.length - 2; index >= 0; index--) {
    earliest[index] = Math.min(earliest[index]!, earliest[index + 1]!)
  }
  return earliest
}
