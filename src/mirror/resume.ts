import { ForeproofError } from '../contract/error.js'
import { type Instant, parseInstant } from '../contract/instant.js'
import type { Attempt } from '../contract/types.js'
import { yieldToEventLoop } from '../files/waiting.js'
import {
  type StoredResource,
  toAttempt,
  toForecastRow,
  toResource,
  toSoundAttempt,
} from '../forecast/resource.js'
import { createRowWriter, type PutRow } from '../history/import/put.js'
import { createLeafReader, leafName } from '../history/leaf.js'
import { keepCheckpoint, resolveLogName, rootAt } from '../history/seal.js'
import { parseCheckpoint } from '../log/checkpoint.js'
import type { LogEntry, LogKey } from '../log/log-entry.js'
import { computeRoot, sameHash } from '../log/merkle.js'
import { addRegistrations } from '../log/registrations.js'
import type { Deployment } from '../remote/deployment.js'
import { checkpointFile, stampFile } from '../remote/log.js'
import { type HistoryReader, rowsIn } from '../store/history-reader.js'
import type { HistoryWriter } from '../store/history-writer.js'
import { openHistoryWriter, prepareHistory, readHistory, streamHistory } from '../store/open.js'
import { findTokenFault } from '../time/rfc3161/verify-token.js'
import {
  decodeUtf8,
  formatHash,
  LogFault,
  type PublishedLog,
  parseHash,
  parseHashes,
  readPublishedLog,
  requireLogFile,
  unreadableLogFault,
} from './log-source.js'

export interface ResumeOptions {
  /** History that the site was pulled into; it has the rows. */
  readonly mirror: string
  /** The site; it has the log. */
  readonly deployment: Deployment
  /** Stored as the time at which an origin was first seen. */
  readonly now: Instant
  /** Stops between two batches. */
  readonly signal?: AbortSignal | undefined
}

export interface ResumeResult {
  readonly log: string
  /** Number of entries in the log. */
  readonly size: number
  readonly new_entries: number
  readonly new_checkpoints: number
}

/** Entries per batch. */
const BATCH = 1000

/**
 * Copies into a history what a site has published of the history's own log and the history lacks: entries in order,
 * each with its row if the mirror has it, checkpoints and stamps. All or nothing. Sealing can then continue.
 * @throws {ForeproofError} `refused` if the published log does not extend that of the history; `invalid-input` if what
 * is published is invalid; as `logName` of a seal, readers and writers.
 */
export async function resumeHistory(
  path: string,
  { mirror, deployment, now, signal }: ResumeOptions,
): Promise<ResumeResult> {
  return await toFault(deployment, () =>
    readHistory(mirror, async (reader) => {
      await reader.version()
      const log = await readPublishedLog(deployment, true)
      if (log === undefined)
        throw unreadableLogFault(deployment.log ?? deployment.id, 'is not there')
      const { origin, size } = log
      const { leaves, hashAt } = await parseHashes(deployment, log, 0)
      await prepareHistory(path)
      const writer = await openHistoryWriter(path, now)
      try {
        await writer.begin()
        await resolveLogName(writer, origin)
        const before = await writer.logSize()
        const beginning = before <= size ? await computeRoot(before, hashAt) : undefined
        await assertContinues(writer, before, beginning, log)
        const putRow = createRowWriter(writer)
        const keys = await readKeys(mirror)
        for (let from = before; from < size; from += BATCH) {
          await yieldToEventLoop(signal)
          const entries = Array.from(
            { length: Math.min(BATCH, size - from) },
            (_, at): LogEntry => {
              const leaf = parseHash(leaves, from + at)
              return { index: from + at, leaf, key: keys.get(formatHash(leaf)) }
            },
          )
          await takeOver(entries, reader, writer, putRow)
        }
        const checkpoints = await copyCheckpoints(deployment, writer, log)
        await addRegistrations(writer, log.registrations)
        await writer.commit()
        return { log: origin, size, new_entries: size - before, new_checkpoints: checkpoints }
      } finally {
        await writer.close()
      }
    }),
  )
}

/** Converts a fault of the published log to an error that ends the run. */
async function toFault<T>({ id }: Deployment, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (!(cause instanceof LogFault)) throw cause
    const message = `${id}: its log cannot be taken over`
    throw new ForeproofError('invalid-input', message, { file: id, findings: [cause.finding] })
  }
}

/** The keys of a mirror's rows, by their leaves, from the mirror's own log. */
async function readKeys(mirror: string): Promise<Map<string, LogKey>> {
  const keys = new Map<string, LogKey>()
  const all = streamHistory(mirror, (open) => open.logEntries(0, Number.MAX_SAFE_INTEGER))
  for await (const entries of all) {
    for (const { leaf, key } of entries) if (key !== undefined) keys.set(formatHash(leaf), key)
  }
  return keys
}

/**
 * Checks that the first entries of the published log are those of the history.
 * @param beginning - the published root of the same number of entries.
 */
async function assertContinues(
  writer: HistoryWriter,
  before: number,
  beginning: Uint8Array | undefined,
  { origin, size }: PublishedLog,
): Promise<void> {
  if (beginning === undefined) {
    const has = `${size} entries of the log ${origin} are published, and it has ${before}`
    throw new ForeproofError('refused', `${writer.path}: ${has}`, {
      help: 'There is nothing to bring up: it can be sealed on.',
    })
  }
  if (sameHash(await rootAt(writer, before), beginning)) return
  const differs = `its ${before} entries of the log ${origin} are not the first ones that are published`
  throw new ForeproofError('refused', `${writer.path}: ${differs}`, {
    help: 'Rows that came in after a restore are entries too: take the copy again, and bring it up before anything is imported.',
  })
}

async function takeOver(
  entries: readonly LogEntry[],
  reader: HistoryReader,
  writer: HistoryWriter,
  putRow: PutRow,
): Promise<void> {
  const rows = await readRowKeys(entries, reader)
  await writer.expect(entries.flatMap(({ key }) => key ?? []))
  for (const { index, leaf, key } of entries) {
    const row = rows.get(formatHash(leaf))
    // Stores the row as an import does, which also adds its entry to the log.
    const put =
      row &&
      ('status' in row ? await putRow(toSoundAttempt(row)) : await putRow(toForecastRow(row), row))
    if (put?.kind === 'conflict') {
      const name = key === undefined ? `entry ${index} of the log` : leafName(key)
      throw new ForeproofError('refused', `${writer.path}: another row is there of ${name}`, {
        help: 'Take the copy again, and bring it up before anything is written to it.',
      })
    }
    if (put?.kind !== 'added') await writer.appendLeaf({ leaf, key })
  }
}

type Row = StoredResource | Attempt

/** The rows of some entries, by their leaves. A row that differs from what was sealed is left out. */
async function readRowKeys(
  entries: readonly LogEntry[],
  reader: HistoryReader,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const wanted = new Set(entries.map(({ leaf }) => formatHash(leaf)))
  const origins = entries.flatMap(({ key }) => parseInstant(key?.originAt) ?? [])
  if (origins.length === 0) return rows
  const readLeaf = createLeafReader()
  const window = { from: Math.min(...origins), to: Math.max(...origins) }
  for await (const batch of reader.entries(window)) {
    for (const row of rowsIn(batch)) {
      const { leaf } = readLeaf(row) ?? {}
      if (leaf === undefined || !wanted.has(formatHash(leaf))) continue
      rows.set(formatHash(leaf), 'status' in row ? toAttempt(row) : toResource(row))
    }
  }
  return rows
}

/**
 * Copies checkpoints with their stamps. Each checkpoint must match the entries that the history has by then.
 * @returns the number of new ones.
 */
async function copyCheckpoints(
  deployment: Deployment,
  writer: HistoryWriter,
  { origin, checkpoints }: PublishedLog,
): Promise<number> {
  let added = 0
  for (const { size, authorities } of checkpoints) {
    const { bytes, where } = await requireLogFile(deployment, checkpointFile(size))
    const note = decodeUtf8(bytes)
    const checkpoint = parseCheckpoint(bytes)
    const isSameLog = checkpoint?.origin === origin && checkpoint.size === size
    if (!isSameLog || !sameHash(await rootAt(writer, size), checkpoint.root)) {
      throw unreadableLogFault(where, `is not the checkpoint of ${size} entries of ${origin}`)
    }
    if (await keepCheckpoint(writer, size, note)) added++
    for (const authority of authorities) {
      const stamp = await requireLogFile(deployment, stampFile(size, authority))
      const fault = await findTokenFault(stamp.bytes, Buffer.from(checkpoint.body), stamp.where)
      if (fault !== undefined) throw new LogFault(fault)
      await writer.addCheckpointStamp(size, { authority, token: stamp.bytes })
    }
  }
  return added
}
