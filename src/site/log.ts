import { isAuthorityName } from '../contract/authority-name.js'
import { ForeproofError } from '../contract/error.js'
import { type Instant, MICROS_PER_SECOND } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { parseCheckpoint } from '../log/checkpoint.js'
import { listCosigners } from '../log/cosignature.js'
import { computeRoot } from '../log/merkle.js'
import { parseNote } from '../log/note.js'
import {
  isOfLog,
  liarsNeeded,
  type Policy,
  quorumText,
  UNWITNESSED,
  witnessedAt,
} from '../log/policy.js'
import { parseRegistrations, REGISTRATIONS_NOTE } from '../log/registrations.js'
import { listPublishedTiles, tileBytes, tilePath } from '../log/tiles.js'
import { counted, formatWhole } from '../output/figures.js'
import {
  type CheckpointList,
  checkpointFile,
  type ListedCheckpoint,
  LOG_HEAD,
  LOG_LIST,
  stampFile,
} from '../remote/log.js'
import type { HistoryReader } from '../store/history-reader.js'
import { SITE_LOG, withEncodings } from './layout.js'
import type { LogMark } from './record.js'
import { BuildFiles } from './writer/encoded.js'
import type { StagedSite } from './writer/site-writer.js'

/** What a build publishes of a history's sealed log. */
export interface LogFacts {
  readonly mark: LogMark
  readonly checkpoints: readonly ListedCheckpoint[]
  /** The newest checkpoint. */
  readonly note: string
  /** The newest cosigned checkpoints, in order. */
  readonly cosigned: readonly string[]
  /** Digests of registrations in the log. */
  readonly registrations: readonly string[]
}

/** A day of hourly seals. Witnesses may be away that long, and the page still shows up to where they saw the log. */
const MOST_COSIGNED = 24

/**
 * Reads the log before any row, so that all rows that it covers are among the published rows.
 * @returns null for a history without a checkpoint
 * @throws {ForeproofError} `invalid-input` if the newest checkpoint does not match the entries
 */
export async function readLogFacts(reader: HistoryReader): Promise<LogFacts | null> {
  const log = await reader.log()
  if (log?.name === undefined || log.sealed === undefined) return null
  const checkpoints: ListedCheckpoint[] = []
  let stamps = 0
  const cosigned: string[] = []
  let note = ''
  for await (const checkpoint of reader.checkpoints()) {
    const authorities = checkpoint.stamps.map(({ authority }) => authority)
    const unfit = authorities.find((authority) => !isAuthorityName(authority))
    if (unfit !== undefined) {
      const help =
        'Names of authorities that are published have 1 to 64 letters of ASCII, digits and the characters ._-, and begin with a letter or digit.'
      const message = `no file can be called after the authority ${unfit}`
      throw new ForeproofError('invalid-input', message, { file: reader.path, help })
    }
    checkpoints.push({ size: checkpoint.size, authorities })
    stamps += authorities.length
    note = checkpoint.note
    const read = parseNote(note)
    if (read === undefined || listCosigners(read).length === 0) continue
    cosigned.push(note)
    if (cosigned.length > MOST_COSIGNED) cosigned.shift()
  }
  const size = checkpoints.at(-1)?.size ?? 0
  const root = size <= log.size ? await rootText(size, reader) : undefined
  if (root === undefined || rootOfNote(note) !== root) {
    throw new ForeproofError('invalid-input', 'the newest checkpoint is not that of the log', {
      file: reader.path,
      help: '`foreproof history verify` says more. Nothing was published.',
    })
  }
  const counts = { checkpoints: checkpoints.length, stamps }
  const isSigned = parseCheckpoint(note)?.signatures.length !== 0
  const signed = isSigned && { note: sha256Hex(note) }
  const mark = { origin: log.name, size, root, ...counts, ...signed }
  const registrations = parseRegistrations((await reader.notes()).get(REGISTRATIONS_NOTE))
  return { mark, checkpoints, note, cosigned, registrations }
}

/**
 * The build's files for writing the log. If the log was restarted or replaced, no file of the previous build is kept:
 * other tiles have the same paths, and the old checkpoint must not lead to them.
 * @param published the log that the site has
 */
export async function listLogFiles(
  staged: StagedSite,
  files: BuildFiles,
  reader: HistoryReader,
  { mark }: LogFacts,
  published: LogMark | undefined,
): Promise<BuildFiles> {
  const goesOn =
    published?.origin === mark.origin &&
    published.size <= mark.size &&
    published.root === (await rootText(published.size, reader))
  if (goesOn) return files
  for (const path of HEADS) await staged.remove(path)
  return new BuildFiles(staged, new Map(), files)
}

/**
 * Writes the tiles and checkpoints of a sealed log in the layout of C2SP tlog-tiles, except for its entries, which are
 * the published forecasts and attempts. No file leads readers to them before `writeLogHeads`.
 */
export async function writeLog(
  files: BuildFiles,
  reader: HistoryReader,
  { mark, checkpoints }: LogFacts,
): Promise<void> {
  const hashesAt = (level: number, from: number, to: number) => reader.logHashes(level, from, to)
  for (const tile of listPublishedTiles(checkpoints.map(({ size }) => size))) {
    const path = inLog(tilePath(tile))
    if (files.before.has(path)) files.kept.push(path)
    else await files.put(path, await tileBytes(tile, hashesAt))
  }
  for await (const { size, note, stamps } of reader.checkpoints()) {
    if (size > mark.size) break
    await files.put(inLog(checkpointFile(size)), Buffer.from(note))
    for (const { authority, token } of stamps) {
      await files.put(inLog(stampFile(size, authority)), token)
    }
  }
}

/**
 * Writes the files that lead to the log, once the heads of the pages lead to all its rows: first the list, then the
 * newest checkpoint.
 */
export async function writeLogHeads(
  files: BuildFiles,
  { mark, checkpoints, note, registrations }: LogFacts,
): Promise<void> {
  const list: CheckpointList = {
    origin: mark.origin,
    checkpoints,
    ...(registrations.length > 0 && { registrations }),
  }
  await files.putWithCopies(LIST, `${JSON.stringify(list)}\n`)
  await files.put(HEAD, Buffer.from(note))
}

const LIST = inLog(LOG_LIST)
const HEAD = inLog(LOG_HEAD)
const HEADS = [HEAD, ...withEncodings(LIST)]

async function rootText(size: number, reader: HistoryReader): Promise<string> {
  const root = await computeRoot(size, (level, index) => reader.logHash(level, index))
  return Buffer.from(root).toString('hex')
}

function rootOfNote(note: string): string {
  return Buffer.from(parseCheckpoint(note)?.root ?? []).toString('hex')
}

function inLog(path: string): string {
  return `${SITE_LOG}/${path}`
}

/**
 * The text of the page about who saw the log.
 * @param notes - the newest cosigned checkpoints, in order.
 * @param policy - whose cosignatures count; without one, the page only names the cosigners of a checkpoint.
 */
export function logSummary(
  notes: readonly string[],
  policy: Policy | undefined,
  now: Instant,
): string {
  const read = notes.flatMap((note) => parseCheckpoint(note) ?? [])
  const isSeen = (one: (typeof read)[number], by: Policy) =>
    isOfLog(by, one) && Number.isFinite(witnessedAt(by, one, now / MICROS_PER_SECOND))
  const last = read.findLast((one) => policy === undefined || isSeen(one, policy))
  if (last === undefined) return UNWITNESSED
  const entries = `the first ${counted(last.size, 'entry', 'entries')} of this log`
  if (policy === undefined) {
    return `Under ${entries} lie cosignatures of ${listCosigners(last).join(', ')}. Whether they hold, and are enough, the policy of a reader says.`
  }
  const liars = liarsNeeded(policy)
  return `A quorum of its witnesses, ${quorumText(policy)}, cosigned ${entries}. ${formatWhole(liars)} of them would have to lie for a second version of it.`
}
