import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import type { HistoryImport } from '../history/import/import.js'
import { parseCheckpoint, type SignedCheckpoint } from '../log/checkpoint.js'
import {
  computeRoot,
  HASH_BYTES,
  type HashAt,
  nodeHash,
  sameHash,
  subtreeRoot,
} from '../log/merkle.js'
import { type HashTile, hashesFromTiles, TILE_HASHES, tilePath } from '../log/tiles.js'
import type { Deployment } from '../remote/deployment.js'
import { type ListedCheckpoint, LOG_HEAD, LOG_LIST, parseCheckpointList } from '../remote/log.js'

/** The options of a pull of a log. */
export interface LogPull {
  readonly deployment: Deployment
  readonly run: HistoryImport
  /** Path of the mirror. */
  readonly path: string
  /** Whether to read everything again, or only what may have changed since the last pull. */
  readonly full: boolean
}

/** The sealed log that a deployment publishes. */
export interface PublishedLog extends SignedCheckpoint {
  /** The newest checkpoint as it was read. */
  readonly note: string
  /** All checkpoints, smallest first; the newest is the last. */
  readonly checkpoints: readonly ListedCheckpoint[]
  /** Digests of the registrations that are entries of the log. */
  readonly registrations: readonly string[]
}

/** A fault because of which the pull cannot continue with a log. */
export class LogFault extends Error {
  constructor(readonly finding: Finding) {
    super(finding.code)
  }
}

/** The fault of an invalid log file. @param detail - the rest of the sentence that begins with the file. */
export function unreadableLogFault(file: string, detail: string): LogFault {
  return new LogFault(finding('log-unreadable', { detail }, { file }))
}

/**
 * Reads the newest checkpoint and the list of all; undefined if no log is published. Hosts report that in different
 * ways: 404, 403, or a page of their own.
 * @param wasThere whether a log was published before
 * @throws {LogFault} if a part of it is invalid
 */
export async function readPublishedLog(
  deployment: Deployment,
  wasThere: boolean,
): Promise<PublishedLog | undefined> {
  const head = await readLogFile(deployment, LOG_HEAD).catch((cause: unknown) => {
    if (cause instanceof LogFault && !wasThere && deployment.isFolder !== true) return undefined
    throw cause
  })
  const checkpoint = head && parseCheckpoint(head.bytes)
  if (head === undefined) return undefined
  if (checkpoint === undefined && !wasThere && isPage(head.bytes)) return undefined
  if (checkpoint === undefined) throw unreadableLogFault(head.where, 'is not a checkpoint')
  const { bytes, where } = await requireLogFile(deployment, LOG_LIST)
  const list = parseCheckpointList(decodeUtf8(bytes))
  if (list === undefined) {
    throw unreadableLogFault(where, 'is not in the form that foreproof publish writes')
  }
  if (list.origin !== checkpoint.origin) {
    throw unreadableLogFault(
      where,
      `is that of the log ${list.origin}, not of ${checkpoint.origin}`,
    )
  }
  // The site may have been rebuilt between the two requests.
  const checkpoints = list.checkpoints.filter(({ size }) => size <= checkpoint.size)
  if (checkpoints.at(-1)?.size !== checkpoint.size) {
    checkpoints.push({ size: checkpoint.size, authorities: [] })
  }
  const { registrations = [] } = list
  return { ...checkpoint, note: decodeUtf8(head.bytes), checkpoints, registrations }
}

/** Whether the host may have sent a page of its own, or an empty answer, because there is no log. */
function isPage(bytes: Uint8Array): boolean {
  return /^\s*(?:[<{[]|$)/.test(decodeUtf8(bytes.subarray(0, 256)))
}

/** Hashes of a log. Its leaves from some index on were read, and their root was verified. */
interface ReadHashes {
  /** Concatenated. */
  readonly leaves: Buffer
  readonly hashAt: HashAt
}

/**
 * Reads the leaves of a log from an index on, and the earlier hashes that its root needs.
 * @param from - a multiple of the hashes of a tile.
 * @throws {LogFault} if a tile is missing or has the wrong length, or if the root differs.
 */
export async function parseHashes(
  deployment: Deployment,
  { size, root }: Pick<PublishedLog, 'size' | 'root'>,
  from: number,
): Promise<ReadHashes> {
  const tiles: Uint8Array[] = []
  for (let index = from / TILE_HASHES; index * TILE_HASHES < size; index++) {
    const width = Math.min(TILE_HASHES, size - index * TILE_HASHES)
    tiles.push(await readTile(deployment, { level: 0, index, width }))
  }
  const leaves = Buffer.concat(tiles)
  const read = new Map<string, Promise<Uint8Array>>()
  const above = hashesFromTiles(size, (tile) => {
    const path = tilePath(tile)
    const bytes = read.get(path) ?? readTile(deployment, tile)
    read.set(path, bytes)
    return bytes
  })
  const hashAt: HashAt = async (level, index) => {
    const [first, last] = [index * 2 ** level, (index + 1) * 2 ** level]
    if (last <= from) return await above(level, index)
    if (first >= from) {
      const [start, end] = [(first - from) * HASH_BYTES, (last - from) * HASH_BYTES]
      return subtreeRoot(leaves.subarray(start, end))
    }
    return nodeHash(await hashAt(level - 1, index * 2), await hashAt(level - 1, index * 2 + 1))
  }
  if (sameHash(await computeRoot(size, hashAt), root)) return { leaves, hashAt }
  throw new LogFault(finding('log-root', { size }, { file: deployment.log }))
}

/** @throws {LogFault} if the file does not exist */
export async function requireLogFile(deployment: Deployment, path: string) {
  const file = await readLogFile(deployment, path)
  if (file === undefined) throw unreadableLogFault(`${deployment.log}/${path}`, 'is not there')
  return file
}

async function readTile(deployment: Deployment, tile: HashTile): Promise<Uint8Array> {
  const { width } = tile
  const partial = await readLogFile(deployment, tilePath(tile))
  // Hosts may delete a partial tile once the full one exists.
  const fullTile = { ...tile, width: TILE_HASHES }
  const { bytes, where } = partial ?? (await requireLogFile(deployment, tilePath(fullTile)))
  const length = (partial === undefined ? TILE_HASHES : width) * HASH_BYTES
  if (bytes.length !== length) {
    throw unreadableLogFault(where, `has ${bytes.length} bytes, not ${length}`)
  }
  return bytes.subarray(0, width * HASH_BYTES)
}

async function readLogFile(deployment: Deployment, path: string) {
  const address = `${deployment.log}/${path}`
  try {
    return await deployment.read(address)
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code === 'interrupted') throw cause
    throw unreadableLogFault(address, `cannot be read: ${cause.message}`)
  }
}

/** The hash of one leaf in a list of hashes. */
export function parseHash(hashes: Buffer, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
}

/** A hash as a string, to be a key in maps. */
export function formatHash(leaf: Uint8Array): string {
  return Buffer.from(leaf.buffer, leaf.byteOffset, leaf.byteLength).toString('latin1')
}

export function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
