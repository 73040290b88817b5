import { ForeproofError } from '../../contract/error.js'
import { formatMessage } from '../../contract/findings/finding.js'
import { parseCheckpoint, type SignedCheckpoint } from '../../log/checkpoint.js'
import { computeRoot, HASH_BYTES, type HashAt, sameHash, subtreeRoot } from '../../log/merkle.js'
import {
  type HashTile,
  hashesFromTiles,
  listPublishedTiles,
  TILE_HASHES,
  tilePath,
} from '../../log/tiles.js'
import type { Deployment, Fetched } from '../../remote/deployment.js'
import {
  type CheckpointList,
  checkpointFile,
  LOG_HEAD,
  LOG_LIST,
  parseCheckpointList,
  stampFile,
} from '../../remote/log.js'
import { findTokenFault } from '../../time/rfc3161/verify-token.js'
import type { RuleChecks } from '../judge.js'

const RULES = ['log-checkpoint', 'log-list', 'log-tiles', 'log-root', 'log-stamps'] as const

type ReadFile = (path: string) => Promise<Fetched | undefined>

/** Checks the sealed log of a site, if it publishes one. */
export async function checkLog(judge: RuleChecks, deployment: Deployment): Promise<void> {
  const read: ReadFile = async (path) => {
    try {
      return await deployment.read(`${deployment.log}/${path}`)
    } catch (cause) {
      if (!(cause instanceof ForeproofError)) throw cause
      return undefined
    }
  }
  const where = `${deployment.log}/${LOG_LIST}`
  const list = parseCheckpointList(fileText(await read(LOG_LIST)))
  const head = await readHead(judge, read, list !== undefined)
  if (head === undefined) {
    judge.skip(RULES, 'no log is published')
    return
  }
  const origin = list?.origin ?? ''
  // A build in place writes the list first, so it may be ahead.
  const isListed = list?.checkpoints.some(({ size }) => size === head.size) === true
  const isList = origin === head.origin && isListed
  if (!judge.expect('log-list', isList, { where }, 'does not list the newest checkpoint')) return
  const hashAt = await checkTiles(judge, read, list as CheckpointList)
  for (const { size, authorities } of list?.checkpoints ?? []) {
    const checkpoint = await checkCheckpoint(judge, read, { origin, size }, hashAt)
    if (checkpoint === undefined) continue
    for (const authority of authorities) {
      const path = stampFile(size, authority)
      const file = await read(path)
      const where = file?.where ?? path
      const fault = file && (await findTokenFault(file.bytes, Buffer.from(checkpoint.body), where))
      const why = fault ? formatMessage(fault).text : 'is listed and not there'
      judge.expect('log-stamps', file !== undefined && fault === undefined, { where }, why)
    }
  }
  judge.skip(['log-stamps'], 'no checkpoint is stamped')
}

/** Reads the newest checkpoint. A host's own page is not one, unless there is a list of checkpoints. */
async function readHead(judge: RuleChecks, read: ReadFile, hasList: boolean) {
  const file = await read(LOG_HEAD)
  const isPage = /^\s*</.test(fileText(file).slice(0, 256))
  if ((file === undefined || isPage) && !hasList) return undefined
  const checkpoint = file && parseCheckpoint(file.bytes)
  const at = { where: file?.where ?? LOG_HEAD }
  const detail = file === undefined ? 'is not there' : 'is not a checkpoint'
  judge.expect('log-checkpoint', checkpoint !== undefined, at, detail)
  return checkpoint
}

/** @returns the hashes of the tree; undefined if tiles are wrong */
async function checkTiles(
  judge: RuleChecks,
  read: ReadFile,
  { checkpoints }: CheckpointList,
): Promise<HashAt | undefined> {
  const sizes = checkpoints.map(({ size }) => size)
  const size = sizes.at(-1) ?? 0
  const tiles = new Map<string, Uint8Array>()
  let sound = true
  for (const tile of listPublishedTiles(sizes)) {
    const file = await read(tilePath(tile))
    const bytes = file?.bytes ?? new Uint8Array()
    const length = tile.width * HASH_BYTES
    const detail = file ? `has ${bytes.length} bytes, not ${length}` : 'is not there'
    const at = { where: file?.where ?? tilePath(tile) }
    sound = judge.expect('log-tiles', bytes.length === length, at, detail) && sound
    if (!sound) continue
    const holds = tile.level === 0 || isOver(tile, bytes, tiles)
    sound =
      judge.expect('log-tiles', holds, at, 'does not have the hashes of the tiles below') && sound
    tiles.set(tilePath(tile), bytes)
  }
  const hashAt = hashesFromTiles(size, (tile) => tiles.get(tilePath(tile)) ?? new Uint8Array())
  return sound ? hashAt : undefined
}

/** Whether each hash of a tile is the root of the full tile below it. */
function isOver(
  { level, index }: HashTile,
  bytes: Uint8Array,
  tiles: ReadonlyMap<string, Uint8Array>,
) {
  for (let at = 0; at * HASH_BYTES < bytes.length; at++) {
    const below = { level: level - 1, index: index * TILE_HASHES + at, width: TILE_HASHES }
    const hash = bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)
    if (!sameHash(hash, subtreeRoot(tiles.get(tilePath(below)) ?? new Uint8Array(HASH_BYTES))))
      return false
  }
  return true
}

async function checkCheckpoint(
  judge: RuleChecks,
  read: ReadFile,
  { origin, size }: { readonly origin: string; readonly size: number },
  hashAt: HashAt | undefined,
): Promise<SignedCheckpoint | undefined> {
  const file = await read(checkpointFile(size))
  const at = { where: file?.where ?? checkpointFile(size) }
  const checkpoint = file && parseCheckpoint(file.bytes)
  const isListed = checkpoint?.origin === origin && checkpoint.size === size
  const detail = file === undefined ? 'is listed and not there' : `is not the checkpoint of ${size}`
  if (!judge.expect('log-list', isListed, at, detail) || checkpoint === undefined) return undefined
  if (hashAt !== undefined) {
    const isRoot = sameHash(await computeRoot(size, hashAt), checkpoint.root)
    judge.expect('log-root', isRoot, at, 'has another root than the tiles')
  }
  return checkpoint
}

function fileText(file: Fetched | undefined): string {
  return Buffer.from(file?.bytes ?? []).toString('utf8')
}
