import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { briefly } from '../../document/difference.js'
import { sha256Hex } from '../../document/digest.js'
import { listFileNames, readRegular } from '../../files/regular.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { leafName } from '../../history/leaf.js'
import { mergeNotes } from '../../log/cosignature.js'
import type { LogEntry } from '../../log/log-entry.js'
import { parseNote } from '../../log/note.js'
import { logNamed } from '../../registration/time-rules.js'
import type { RegistrationTime } from '../../time/registration-time.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { MAX_TOKEN_BYTES } from '../../time/rfc3161/time-stamp.js'
import { anchorFolder, stampFolder, TOKEN_SUFFIX } from '../../time/token-file.js'
import { assertReadable, assertSound, linkError } from '../links.js'
import type { Documents } from '../load.js'
import {
  forecastsIn,
  isCommitted,
  isOfWindow,
  logMember,
  notCommitted,
  type VerifiedForecasts,
  type VerifiedLog,
  verifyRegisteredLog,
} from '../proof/committed.js'
import type { ExpectedForecasts } from '../proof/expected.js'
import { historyLog, holdsLog, type LogSource } from '../proof/log-source.js'
import { verifyTime } from '../proof/time.js'
import type { Result } from '../result/result.js'
import { assertSame, type RecomputeOptions } from './audit-recompute.js'
import { FILES, foreign, TIME } from './folder.js'
import { evidenceLog, inTime } from './time-files.js'

/** Stamps beside a result that names none. */
export function strayTime(folder: string, { time }: Result): Finding[] {
  const stray = time === null && existsSync(join(folder, TIME))
  return stray ? [foreign(folder, [TIME])] : []
}

/**
 * Checks the tokens and anchors of the evidence: what they prove is compared with the result and with the stamps that
 * are beside the ledger now.
 */
export async function verifyFolderTime(
  result: Result,
  documents: Documents,
  folder: string,
): Promise<RegistrationTime | undefined> {
  const time = await verifyTime(documents, inTime(folder))
  const { commitment: _, ...stored } = result.time ?? { commitment: null }
  assertSame('time', folder, result.time && stored, time?.member ?? null, '/time')
  const gone = () =>
    time === undefined
      ? []
      : [...goneStamps(time.stamps, documents.folder), ...goneAnchors(time, documents.folder)]
  assertSound('time', await assertReadable('time', gone))
  return time
}

/** Stamps that were counted and are no longer beside the ledger, byte for byte. */
function goneStamps(stamps: RegistrationTime['stamps'], ledgerFolder: string): Finding[] {
  return stamps.flatMap(({ authority, seq, entrySha256, tokenSha256 }) => {
    const folder = join(stampFolder(ledgerFolder), entrySha256)
    const hasToken = listFileNames(folder)
      .filter((name) => name.endsWith(TOKEN_SUFFIX))
      .some((name) => sha256Hex(readRegular(join(folder, name), MAX_TOKEN_BYTES)) === tokenSha256)
    const args = { fault: 'stamp', authority, entry: seq } as const
    return hasToken ? [] : [finding('evidence-stamp-gone', args, { file: folder })]
  })
}

/** Anchors that were trusted and are no longer beside the ledger. */
function goneAnchors({ anchors }: RegistrationTime, ledgerFolder: string): Finding[] {
  const file = anchorFolder(ledgerFolder)
  const there = new Set(readAnchors(file).map(({ sha256 }) => sha256))
  return anchors
    .filter(({ sha256 }) => !there.has(sha256))
    .map(({ name: authority }) =>
      finding('evidence-stamp-gone', { fault: 'anchor', authority }, { file }),
    )
}

/**
 * Checks the log of the evidence: its roots are recomputed from its entries, its times from its tokens, and both are
 * compared with the current log of the history. Which rows were committed is also recomputed.
 */
export async function verifyFolderLog(
  request: RecomputeOptions,
  result: Result,
  documents: Documents,
  time: RegistrationTime | undefined,
  history: string,
): Promise<VerifiedForecasts> {
  const { signal } = request
  const log = await verifyEvidenceLog(request, result, documents, time)
  if (log === undefined || time === undefined) return notCommitted(time)
  if (!(await assertReadable('log', () => holdsLog(history, log.source.name))))
    return believing(result, await forecastsIn(log, documents, time, history, signal))
  const live = () => historyLog(history, log.source.name)
  const parted = async () => partedFrom(documents.expected, log, log.source, await live(), signal)
  assertSound('log', await assertReadable('log', parted))
  return await forecastsIn(log, documents, time, history, signal)
}

/** What of a log only the notes of a history explain is as the result says it, where the history does not hold the log. */
function believing({ time: recorded }: Result, proved: VerifiedForecasts): VerifiedForecasts {
  const [made, stored] = [proved.member?.commitment, recorded?.commitment]
  if (!proved.member || !made || !stored) return proved
  const { unexplained, holds } = stored
  const commitment = { ...made, unexplained, ...(holds && { holds }) }
  return { ...proved, member: { ...proved.member, commitment } }
}

/** Checks the log of the evidence without the history. Counts of forecasts are taken from the result. */
export async function verifyOwnLog(
  request: RecomputeOptions,
  result: Result,
  documents: Documents,
  time: RegistrationTime | undefined,
): Promise<{ readonly member: Result['time']; readonly log: VerifiedLog | undefined }> {
  const log = await verifyEvidenceLog(request, result, documents, time)
  return { log, member: log === undefined ? notCommitted(time).member : result.time }
}

/** Proves the log in the evidence from its own content; undefined if none is required. */
async function verifyEvidenceLog(
  { folder, signal }: RecomputeOptions,
  result: Result,
  documents: Documents,
  time: RegistrationTime | undefined,
): Promise<VerifiedLog | undefined> {
  const { registration } = documents
  const commitment = result.time?.commitment ?? null
  const asked = time !== undefined && isCommitted(registration)
  if (asked !== (commitment !== null)) {
    const [stored, found] = [briefly(commitment), asked ? 'what the log shows' : 'null']
    const at = { file: join(folder, FILES.result), pointer: AT }
    throw linkError('log', [finding('result-not-recomputed', { stored, found }, at)])
  }
  if (!asked || commitment === null) return undefined
  const registered = logNamed(registration) ?? commitment.log
  assertSame('log', folder, commitment.log, registered, `${AT}/log`)
  const source = evidenceLog(folder, commitment.log)
  const asFinding = { signal, absent: 'is-a-finding' } as const
  const log = await verifyRegisteredLog(documents, time, () => source, asFinding)
  const made = logMember(log, registration)
  const stored = Object.fromEntries(
    Object.keys(made).map((key) => [key, commitment[key as keyof typeof made]]),
  )
  assertSame('log', folder, stored, made, AT)
  return log
}

const AT = '/time/commitment'

/** The first entry of a log that differs from the one used for scoring, then the first checkpoint, then a stamp. */
async function partedFrom(
  expected: ExpectedForecasts,
  { checkpoints, read }: VerifiedLog,
  ours: LogSource,
  live: LogSource,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const { file } = live
  const theirs = each(live.entries(read.size))
  try {
    for await (const stored of each(ours.entries(read.size))) {
      const entry = stored.index
      if (entry % 1024 === 0) await yieldToEventLoop(signal)
      const { value: other } = await theirs.next()
      const same = other !== undefined && Buffer.compare(stored.leaf, other.leaf) === 0
      if (same && describeKey(other, expected) === rowName(stored)) continue
      const change = same ? 'relabelled' : other === undefined ? 'gone' : 'replaced'
      const row = rowName(stored) ?? rowName(other)
      return [finding('log-rewritten', { entry, row, change }, { file })]
    }
  } finally {
    await theirs.return(undefined)
  }
  return await partedCheckpoint(checkpoints, live)
}

/** The first checkpoint that counted and that a log no longer has unchanged, or whose stamp it lacks. */
async function partedCheckpoint(
  checkpoints: VerifiedLog['checkpoints'],
  { file, checkpoints: live }: LogSource,
): Promise<Finding[]> {
  const wanted = new Map(checkpoints.map((each) => [each.size, each]))
  const gone = (size: number, authority: string | null = null) =>
    finding('log-checkpoint-gone', { size, authority }, { file })
  let stamp: Finding | undefined
  for await (const { size, note, stamps } of live()) {
    const counted = wanted.get(size)
    if (counted === undefined || !holds(note, counted.note)) continue
    wanted.delete(size)
    const there = new Set(stamps.map(({ token }) => sha256Hex(token)))
    const missing = counted.stamps.find(({ token }) => !there.has(sha256Hex(token)))
    if (missing !== undefined) stamp ??= gone(size, missing.authority)
  }
  const [first] = wanted.keys()
  const fault = first === undefined ? stamp : gone(first)
  return fault === undefined ? [] : [fault]
}

/** Whether a note has the text and the signatures of an earlier one; witnesses may have added signatures. */
function holds(note: string, earlier: string): boolean {
  return parseNote(note)?.body === parseNote(earlier)?.body && mergeNotes(note, earlier) === note
}

async function* each(batches: AsyncIterable<readonly LogEntry[]>): AsyncGenerator<LogEntry> {
  for await (const entries of batches) yield* entries
}

/** The key of an entry as the evidence states it: only for entries of the window. */
function describeKey(entry: LogEntry, expected: ExpectedForecasts): string | undefined {
  return isOfWindow(expected, entry) ? rowName(entry) : undefined
}

const rowName = (entry: LogEntry | undefined): string | undefined =>
  entry?.key && leafName(entry.key)
