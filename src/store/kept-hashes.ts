import { ForeproofError } from '../contract/error.js'
import { HASH_BYTES, subtreeRoot } from '../log/merkle.js'

/** Number of the history's own log; mirrored ones have numbers above. */
export const OWN_LOG = 0
/** In place of the number of a log that is not there. */
export const NO_LOG = -1
/** Below the number of any log. */
export const BEFORE_ALL = -(2 ** 31)
/** More than any history has: what says so is damaged, and no memory is set aside for it. */
export const MOST_ENTRIES = 2 ** 31

/** Something that foreproof keeps is not as it writes it. @param says - goes on after the name of the history. */
export class DamagedLog extends Error {
  constructor(
    says: string,
    readonly help = 'Restore it from a copy, or from a mirror that holds the log.',
  ) {
    super(`its log is damaged: ${says}`)
  }
}

/** What is reported of a damaged log. @param history - what messages call it. */
export function damagedLog(cause: DamagedLog, history: string): ForeproofError {
  const says = `${history}: ${cause.message}`
  return new ForeproofError('invalid-input', says, { file: history, help: cause.help, cause })
}

/** Levels of a tree from one kept hash to the next; 2^8 of them make one. */
export const KEPT_LEVELS = 8
const FAN_OUT = 2 ** KEPT_LEVELS

/** The hash of a whole subtree of 256^n leaves, which a store keeps beside the entries. */
export interface KeptSubtree {
  /** Of its root: 8, 16, …; leaves have level 0. */
  readonly level: number
  readonly index: number
  readonly hash: Uint8Array
}

/** How many hashes a store keeps beside the entries of a log of some size. */
export function keptCount(size: number): number {
  let count = 0
  for (let above = Math.floor(size / FAN_OUT); above > 0; above = Math.floor(above / FAN_OUT)) {
    count += above
  }
  return count
}

/** Which kept hashes make those of the subtrees of a level from index `from` to `to`, not included. */
export function keptFor(level: number, from: number, to: number) {
  const above = level % KEPT_LEVELS
  const each = 2 ** above
  return {
    level: level - above,
    from: from * each,
    to: to * each,
    /** Makes the hashes of what was kept. */
    made: (kept: readonly Uint8Array[]): Uint8Array[] =>
      Array.from({ length: to - from }, (_, at) =>
        subtreeRoot(Buffer.concat(kept.slice(at * each, (at + 1) * each))),
      ),
  }
}

/** What it means that a log of a size does not have all kept hashes that were asked for. */
export function missingHashes(size: number, level: number, from: number, to: number): Error {
  const each = 2 ** level
  const range = `${from * each} to ${to * each - 1}`
  if (size < to * each) return new RangeError(`the log has no entries ${range}`)
  if (level === 0) return new DamagedLog(`some of the entries ${range} are missing`, LOOK)
  return new DamagedLog(`a hash that is kept for entries ${range} is missing`, MAKE_ANEW)
}

/** A hash is kept of a subtree that the log did not have yet. */
export function earlyHash({ level, index }: KeptSubtree): DamagedLog {
  const [from, to] = [index * 2 ** level, (index + 1) * 2 ** level - 1]
  const says = `a hash is kept for entries ${from} to ${to}, which it did not have`
  return new DamagedLog(says, MAKE_ANEW)
}

const LOOK = 'Run `foreproof history verify`: it says what is wrong, and what to do.'
const MAKE_ANEW = 'Run `foreproof history copy` into a new history: it makes these hashes anew.'

/** @throws {DamagedLog} where it is none: anything may have been put there. */
export function soundHash(hash: unknown): Uint8Array {
  if (isHash(hash)) return hash
  throw new DamagedLog(`a hash has not ${HASH_BYTES} bytes`)
}

export function isHash(hash: unknown): hash is Uint8Array {
  return hash instanceof Uint8Array && hash.length === HASH_BYTES
}
