import { ForeproofError } from '../contract/error.js'
import { type Instant, instantOf } from '../contract/instant.js'
import type { Attempt } from '../contract/types.js'
import { yieldToEventLoop } from '../files/waiting.js'
import {
  attemptOf,
  attemptRowOf,
  resourceOf,
  rowOf,
  type StoredResource,
} from '../forecast/resource.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { sameHash } from '../log/merkle.js'
import { addRegistrations, registrationsIn, registrationsNote } from '../log/registrations.js'
import type { LogEntry } from '../log/types.js'
import { openHistoryWriter, prepareHistory, readHistory, streamed } from '../store/open.js'
import { type HistoryReader, type HistoryWriter, rowsIn } from '../store/types.js'
import { createRowWriter, type PutRow } from './import/put.js'
import { leafReader, nameOfLeaf } from './leaf.js'
import { keepCheckpoint, logNameOf, rootAt } from './seal.js'

export interface ResumeOptions {
  /** Name of the log; needed where the history is new. */
  readonly log?: string | undefined
  /** Kept as the time at which an origin was first seen. */
  readonly now: Instant
  /** Ends it between two batches. */
  readonly signal?: AbortSignal | undefined
}

export interface ResumeResult {
  readonly log: string
  /** Entries of the log. */
  readonly size: number
  readonly new_entries: number
  readonly new_checkpoints: number
}

/**
 * Takes over what a mirror has of a history's own log and the history has not: entries in their order, each with its row where
 * that is there, checkpoints and stamps. All or nothing. The history can then be sealed on.
 * @throws {ForeproofError} `refused` where the log of the mirror does not go on from that of the history; as `logNameOf` of a
 * seal, readers and writers.
 */
export async function resumeHistory(
  path: string,
  mirror: string,
  { log: given, now, signal }: ResumeOptions,
): Promise<ResumeResult> {
  return await readHistory(mirror, async (reader) => {
    await reader.version()
    await prepareHistory(path)
    const writer = await openHistoryWriter(path, now)
    try {
      await writer.begin()
      const log = await logNameOf(writer, given)
      const before = await writer.logSize()
      const size = await demandGoesOn(writer, before, reader, log)
      const putRow = createRowWriter(writer)
      for await (const entries of streamed(mirror, (open) => open.logEntries(before, size, log))) {
        await yieldToEventLoop(signal)
        await takeOver(entries, reader, writer, putRow)
      }
      const checkpoints = await takeOverCheckpoints(reader, writer, log, size)
      const notes = await reader.notes()
      await addRegistrations(writer, registrationsIn(notes.get(registrationsNote(log))))
      await writer.commit()
      return { log, size, new_entries: size - before, new_checkpoints: checkpoints }
    } finally {
      await writer.close()
    }
  })
}

/** How many entries the mirror has of the log, the first of which have to be those of the history. */
async function demandGoesOn(
  writer: HistoryWriter,
  before: number,
  reader: HistoryReader,
  log: string,
): Promise<number> {
  const mirrored = (await reader.logs()).find(({ own, name }) => !own && name === log)
  const size = mirrored?.size ?? 0
  if (size < before || size === 0) {
    const has = `it mirrors ${size} entries of the log ${log}, and ${writer.path} has ${before}`
    throw new ForeproofError('refused', `${reader.path}: ${has}`, {
      help: 'Name a history that the newest state of the log was pulled into: foreproof history pull.',
    })
  }
  if (sameHash(await rootAt(writer, before), await rootAt(reader, before, log))) return size
  const differs = `its ${before} entries of the log ${log} are not the first ones that ${reader.path} has`
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
  const known = await rowsOf(entries, reader)
  await writer.expect(entries.flatMap(({ key }) => key ?? []))
  for (const { index, leaf, key } of entries) {
    const row = known.get(textOf(leaf))
    // A row is put as an import does; what is added brings its entry with it.
    const put =
      row && ('status' in row ? await putRow(attemptRowOf(row)) : await putRow(rowOf(row), row))
    if (put?.kind === 'conflict') {
      const name = key === undefined ? `entry ${index} of the log` : nameOfLeaf(key)
      throw new ForeproofError('refused', `${writer.path}: another row is there of ${name}`, {
        help: 'Take the copy again, and bring it up before anything is written to it.',
      })
    }
    if (put?.kind !== 'added') await writer.appendLeaf({ leaf, key })
  }
}

type Row = StoredResource | Attempt

/** The rows of some entries, by their leaves: a row that is not as it was sealed is none. */
async function rowsOf(
  entries: readonly LogEntry[],
  reader: HistoryReader,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const wanted = new Set(entries.map(({ leaf }) => textOf(leaf)))
  const origins = entries.flatMap(({ key }) => instantOf(key?.originAt) ?? [])
  // Where a mirror does not know what an entry is of, a row that came into it otherwise may be the one.
  const isAny = entries.some(({ key }) => key === undefined)
  const window = isAny ? {} : { from: Math.min(...origins), to: Math.max(...origins) }
  const leafOf = leafReader()
  for await (const batch of reader.entries(window)) {
    for (const row of rowsIn(batch)) {
      const { leaf } = leafOf(row) ?? {}
      if (leaf === undefined || !wanted.has(textOf(leaf))) continue
      rows.set(textOf(leaf), 'status' in row ? attemptOf(row) : resourceOf(row))
    }
  }
  return rows
}

const textOf = (leaf: Uint8Array): string => Buffer.from(leaf).toString('latin1')

/**
 * Takes over checkpoints, each of which has to be of the entries that are there by then, and the last one of all.
 * @returns how many of them are new.
 */
async function takeOverCheckpoints(
  reader: HistoryReader,
  writer: HistoryWriter,
  log: string,
  entries: number,
): Promise<number> {
  let added = 0
  let last = 0
  for await (const { size, note, stamps } of reader.checkpoints(log)) {
    const root = await rootAt(writer, size)
    if (!sameHash(root, readCheckpoint(note)?.root ?? Buffer.alloc(0)))
      throw notSealed(reader, size)
    if (await keepCheckpoint(writer, size, note)) added++
    for (const stamp of stamps) await writer.addCheckpointStamp(size, stamp)
    last = size
  }
  if (last !== entries) throw notSealed(reader, entries)
  return added
}

const notSealed = ({ path }: HistoryReader, size: number): ForeproofError =>
  new ForeproofError('refused', `${path}: no checkpoint is of the ${size} entries that it has`, {
    help: 'The mirror was changed since it was pulled, or its last pull failed: pull the log into a new one.',
  })
