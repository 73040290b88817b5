import { isAuthorityName } from '../contract/authority-name.js'
import { ForeproofError } from '../contract/error.js'
import { sha256Hex } from '../document/digest.js'
import { readCheckpoint } from '../history/log/checkpoint.js'
import { rootOf } from '../history/log/merkle.js'
import { publishedTiles, tileBytes, tilePath } from '../history/log/tiles.js'
import type { HistoryReader } from '../history/store/types.js'
import {
  type CheckpointList,
  checkpointFile,
  type ListedCheckpoint,
  LOG_FOLDER,
  LOG_HEAD,
  LOG_LIST,
  stampFile,
} from '../remote/log.js'
import { API_FOLDER, withEncodings } from './layout.js'
import type { LogMark } from './record.js'
import { putEncoded, putPlain, type WrittenFile } from './writer/encoded.js'
import type { StagedSite } from './writer/types.js'

/** What a build publishes of the sealed log of a history. */
export interface LogFacts {
  readonly mark: LogMark
  readonly checkpoints: readonly ListedCheckpoint[]
  /** The newest checkpoint. */
  readonly note: string
}

/** Files of the log in a build. */
export interface LogFiles {
  readonly written: readonly WrittenFile[]
  /** Those of the build before that stay as they are. */
  readonly kept: readonly string[]
}

/**
 * Looks at the log, before any row is read: so all rows that it covers are among those that are published.
 * @returns null for a history without a checkpoint
 * @throws {ForeproofError} `invalid-input` when the newest checkpoint is not that of the entries
 */
export async function logFacts(reader: HistoryReader): Promise<LogFacts | null> {
  const own = (await reader.logs()).find((log) => log.own)
  if (own?.name === undefined || own.sealed === undefined) return null
  const checkpoints: ListedCheckpoint[] = []
  let stamps = 0
  let note = ''
  for await (const checkpoint of reader.checkpoints()) {
    const authorities = checkpoint.stamps.map(({ authority }) => authority)
    for (const authority of authorities) demandFileName(authority, reader.path)
    checkpoints.push({ size: checkpoint.size, authorities })
    stamps += authorities.length
    note = checkpoint.note
  }
  const size = checkpoints.at(-1)?.size ?? 0
  const root = size <= own.size ? await rootText(size, reader) : undefined
  if (root === undefined || rootOfNote(note) !== root) {
    throw new ForeproofError('invalid-input', 'the newest checkpoint is not that of the log', {
      file: reader.path,
      help: '`foreproof history verify` says more. Nothing was published.',
    })
  }
  const mark = { origin: own.name, size, root, checkpoints: checkpoints.length, stamps }
  return { mark, checkpoints, note }
}

/**
 * Which of the files that the site has can be kept: none where the log was begun anew, or is another. It has other
 * tiles at the same paths then, and nobody may be led to them by the old checkpoint.
 * @param published the log that the site has
 * @param before digests of its files, by path
 */
export async function keptByLog(
  staged: StagedSite,
  reader: HistoryReader,
  { mark }: LogFacts,
  published: LogMark | undefined,
  before: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const goesOn =
    published?.origin === mark.origin &&
    published.size <= mark.size &&
    published.root === (await rootText(published.size, reader))
  if (goesOn) return before
  for (const path of HEADS) await staged.remove(path)
  return new Map()
}

/**
 * A sealed log lies beside the forecasts as C2SP tlog-tiles says, but for its entries, which are the forecasts and
 * attempts as published. This writes tiles and checkpoints, none of which anybody is led to before `writeLogHeads`.
 * @param kept digests of the files that the site has and that can be kept
 */
export async function writeLog(
  staged: StagedSite,
  reader: HistoryReader,
  { mark, checkpoints }: LogFacts,
  kept: ReadonlyMap<string, string>,
): Promise<LogFiles> {
  const files = new NewFiles(staged, kept)
  const hashesAt = (level: number, from: number, to: number) => reader.logHashes(level, from, to)
  for (const tile of publishedTiles(checkpoints.map(({ size }) => size))) {
    const path = inLog(tilePath(tile))
    if (kept.has(path)) files.kept.push(path)
    else await files.put(path, await tileBytes(tile, hashesAt))
  }
  for await (const { size, note, stamps } of reader.checkpoints()) {
    if (size > mark.size) break
    await files.put(inLog(checkpointFile(size)), Buffer.from(note))
    for (const { authority, token } of stamps) {
      await files.put(inLog(stampFile(size, authority)), token)
    }
  }
  return files
}

/** Writes what leads to the log, once the heads of the pages lead to all its rows: the list, then the newest checkpoint. */
export async function writeLogHeads(
  staged: StagedSite,
  { mark, checkpoints, note }: LogFacts,
  kept: ReadonlyMap<string, string>,
  withAttempts: boolean,
): Promise<LogFiles> {
  const files = new NewFiles(staged, kept)
  const list: CheckpointList = {
    origin: mark.origin,
    checkpoints,
    ...(!withAttempts && { attempts_withheld: true }),
  }
  const text = `${JSON.stringify(list)}\n`
  if (kept.get(LIST) === sha256Hex(text)) files.kept.push(...withEncodings(LIST))
  else files.written.push(...(await putEncoded(staged, LIST, text)))
  await files.put(HEAD, Buffer.from(note))
  return files
}

/** All that lies where a log is published, whoever left it there. */
export function lyingInLog(staged: StagedSite): Promise<string[]> {
  return staged.below(FOLDER)
}

/** Puts files that the site does not have yet. */
class NewFiles implements LogFiles {
  readonly written: WrittenFile[] = []
  readonly kept: string[] = []

  constructor(
    private readonly staged: StagedSite,
    private readonly before: ReadonlyMap<string, string>,
  ) {}

  async put(path: string, bytes: Uint8Array): Promise<void> {
    if (this.before.get(path) === sha256Hex(bytes)) this.kept.push(path)
    else this.written.push(await putPlain(this.staged, path, bytes))
  }
}

const FOLDER = `${API_FOLDER}/${LOG_FOLDER}`
const LIST = inLog(LOG_LIST)
const HEAD = inLog(LOG_HEAD)
const HEADS = [HEAD, ...withEncodings(LIST)]

async function rootText(size: number, reader: HistoryReader): Promise<string> {
  return Buffer.from(await rootOf(size, (level, index) => reader.logHash(level, index))).toString(
    'hex',
  )
}

function rootOfNote(note: string): string {
  return Buffer.from(readCheckpoint(note)?.root ?? []).toString('hex')
}

function demandFileName(authority: string, file: string): void {
  if (isAuthorityName(authority)) return
  throw new ForeproofError(
    'invalid-input',
    `no file can be called after the authority ${authority}`,
    {
      file,
      help: 'Names of authorities that are published have 1 to 64 letters of ASCII, digits and the characters ._-, and begin with a letter or digit.',
    },
  )
}

function inLog(path: string): string {
  return `${FOLDER}/${path}`
}
