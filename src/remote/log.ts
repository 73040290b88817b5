import { isAuthorityName } from '../contract/authority-name.js'
import { isObject, objectIn } from '../contract/is-object.js'
import { isDigest } from '../document/digest.js'

/** The folder of the sealed log of a static deployment, in that of its API; the paths below are from there. */
export const LOG_FOLDER = 'log'
/** The newest checkpoint, where C2SP tlog-tiles looks for it. */
export const LOG_HEAD = 'checkpoint'
export const LOG_LIST = 'checkpoints.json'

/** A checkpoint in the list, and the names of the authorities that have stamped it. */
export interface ListedCheckpoint {
  /** Leaves of the tree. */
  readonly size: number
  readonly authorities: readonly string[]
}

/** What `checkpoints.json` holds: all checkpoints, smallest first. */
export interface CheckpointList {
  /** The log's name, as in each of its checkpoints. */
  readonly origin: string
  readonly checkpoints: readonly ListedCheckpoint[]
  /** Entries of the log that are of no row but of registrations: the digests of these in their ledgers, in hex. */
  readonly registrations?: readonly string[]
}

/** The file of a checkpoint: `checkpoints/24`. */
export function checkpointFile(size: number): string {
  return `checkpoints/${size}`
}

/** The file of a stamp: `checkpoints/24.freetsa.tsr`. */
export function stampFile(size: number, authority: string): string {
  return `${checkpointFile(size)}.${authority}.tsr`
}

/** Reads the list; undefined for a text that is none. */
export function parseCheckpointList(text: string): CheckpointList | undefined {
  const { origin, checkpoints, registrations = [] } = objectIn(text) ?? {}
  if (typeof origin !== 'string' || !Array.isArray(checkpoints)) return undefined
  if (!checkpoints.every(isListed)) return undefined
  const grows = checkpoints.every(
    ({ size }, at) => at === 0 || size > (checkpoints[at - 1] as ListedCheckpoint).size,
  )
  if (!grows) return undefined
  if (!Array.isArray(registrations) || !registrations.every(isDigest)) return undefined
  return { origin, checkpoints, ...(registrations.length > 0 && { registrations }) }
}

function isListed(value: unknown): value is ListedCheckpoint {
  if (!isObject(value)) return false
  const { size, authorities } = value
  return (
    Number.isSafeInteger(size) &&
    Number(size) >= 0 &&
    Array.isArray(authorities) &&
    authorities.every(isAuthorityName) &&
    new Set(authorities).size === authorities.length
  )
}
