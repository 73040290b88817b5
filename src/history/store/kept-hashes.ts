import { ForeproofError } from '../../contract/error.js'
import { HASH_BYTES, subtreeRoot } from '../log/merkle.js'
import { KEPT_LEVELS } from './log-edge.js'

/** Number of the history's own log; mirrored ones have numbers above. */
export const OWN_LOG = 0
/** What stands for the number of a log that is not there. */
export const NO_LOG = -1
/** Below the number of any log. */
export const BEFORE_ALL = -(2 ** 31)
/** More than any history has: what says so is damaged, and no memory is set aside for it. */
export const MOST_ENTRIES = 2 ** 31

/** Something that foreproof keeps is not as it writes it. @param says - goes on after the name of the history. */
export class DamagedLog extends Error {
  constructor(says: string) {
    super(`its log is damaged: ${says}`)
  }
}

/** What is told of a damaged log. @param history - what messages call it. */
export function damagedLog(cause: DamagedLog, history: string): ForeproofError {
  const help = 'Restore it from a copy, or from a mirror that holds the log.'
  const says = `${history}: ${cause.message}`
  return new ForeproofError('invalid-input', says, { file: history, help, cause })
}

/** @param log - number of a log that has entries or checkpoints, and is not in the list of logs. */
export function unlistedLog(log: number): DamagedLog {
  return new DamagedLog(`log ${log} was taken out of the list of logs, and its entries were not`)
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
  const says = `no whole subtrees ${from} to ${to} of level ${level}`
  return size < to * 2 ** level ? new RangeError(`the log has ${says}`) : new DamagedLog(says)
}

/** @throws {DamagedLog} where it is none: somebody may have put anything there. */
export function soundHash(hash: unknown): Uint8Array {
  if (isHash(hash)) return hash
  throw new DamagedLog(`a hash has not ${HASH_BYTES} bytes`)
}

export function isHash(hash: unknown): hash is Uint8Array {
  return hash instanceof Uint8Array && hash.length === HASH_BYTES
}
