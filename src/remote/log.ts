import { isAuthorityName } from '../contract/authority-name.js'
import { isObject, objectIn } from '../contract/is-object.js'
import { isDigest } from '../document/digest.js'

/** The folder of a static deployment's sealed log, in the folder of its API; the paths below are relative to it. */
export const LOG_FOLDER = 'log'
/** The newest checkpoint, at the path that C2SP tlog-tiles specifies. */
export const LOG_HEAD = 'checkpoint'
export const LOG_LIST = 'checkpoints.json'

/** A checkpoint in the list, and the names of the authorities that stamped it. */
export interface ListedCheckpoint {
  /** Number of leaves in the tree. */
  readonly size: number
  readonly authorities: readonly string[]
}

/** Content of `checkpoints.json`: all checkpoints, smallest first. */
export interface CheckpointList {
  /** The log's name, as written in each of its checkpoints. */
  readonly origin: string
  readonly checkpoints: readonly ListedCheckpoint[]
  /** Log entries that are registrations instead of rows: the digests of their ledger entries, in hex. */
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

/** Parses the list; undefined if it is invalid. */
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
