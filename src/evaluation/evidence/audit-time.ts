import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { sha256Hex } from '../../document/digest.js'
import { breathe } from '../../files/breathe.js'
import { readRegular } from '../../files/regular.js'
import { nameOfLeaf } from '../../history/log/leaf.js'
import type { LogEntry } from '../../history/store/log-types.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { LARGEST_TOKEN } from '../../time/rfc3161/types.js'
import { anchorFolder, stampFolder, TOKEN_SUFFIX } from '../../time/token-file.js'
import { type Broken, broken, guarded } from '../links.js'
import type { Documents } from '../load.js'
import {
  isCommitted,
  isOfWindow,
  logMember,
  type ProvedLog,
  provedLog,
} from '../proof/committed.js'
import { historyLog, type LogSource } from '../proof/log-source.js'
import {
  forecastsIn,
  type ProvedForecasts,
  type ProvedTime,
  proveForecasts,
  proveTime,
} from '../proof/prove.js'
import type { RegistrationTime } from '../proof/registration-time.js'
import type { EvaluationResult } from '../result/types.js'
import type { RecomputeOptions } from './audit-recompute.js'
import { briefly, firstDifference } from './differences.js'
import { FILES, TIME } from './folder.js'
import { foreign } from './folder-entries.js'
import { inTime } from './time-files.js'
import { evidenceLog } from './time-log.js'

/** Stamps beside a result that has none belong to nothing. */
export function strayTime(folder: string, { time }: EvaluationResult): Finding[] {
  const stray = time === undefined && existsSync(join(folder, TIME))
  return stray ? [foreign(folder, [TIME])] : []
}

/**
 * The tokens and anchors of the evidence: what they show, held against the result and against the stamps
 * that lie beside the ledger now.
 */
export async function timeFaults(
  result: EvaluationResult,
  documents: Documents,
  folder: string,
): Promise<ProvedTime | Broken> {
  const proved = await proveTime(documents, inTime(folder))
  if (!proved.ok) return proved
  const { time } = proved
  const { commitment: _, ...stored } = result.time ?? { commitment: null }
  const differs = memberFindings(folder, result.time && stored, time?.member, '/time')
  if (differs.length > 0) return broken('time', differs)
  const gone = await guarded('time', () =>
    time === undefined
      ? []
      : [...goneStamps(time.stamps, documents.folder), ...goneAnchors(time, documents.folder)],
  )
  if (!gone.ok) return gone
  return gone.value.length > 0 ? broken('time', gone.value) : proved
}

function memberFindings(folder: string, stored: unknown, found: unknown, at: string): Finding[] {
  const difference = firstDifference(stored, found, at)
  if (difference === undefined) return []
  const { pointer, stored: was, computed } = difference
  const file = join(folder, FILES.result)
  return [finding('result-not-recomputed', { stored: was, found: computed }, { file, pointer })]
}

/** Stamps that were counted and are not beside the ledger any more, byte for byte. */
function goneStamps(stamps: RegistrationTime['stamps'], ledgerFolder: string): Finding[] {
  return stamps.flatMap(({ authority, seq, entrySha256, tokenSha256 }) => {
    const folder = join(stampFolder(ledgerFolder), entrySha256)
    const names = existsSync(folder) ? readdirSync(folder) : []
    const found = names
      .filter((name) => name.endsWith(TOKEN_SUFFIX))
      .some((name) => sha256Hex(readRegular(join(folder, name), LARGEST_TOKEN)) === tokenSha256)
    return found
      ? []
      : [finding('evidence-stamp-gone', { authority, entry: seq }, { file: folder })]
  })
}

/** Anchors that were believed and are not beside the ledger any more. */
function goneAnchors({ anchors }: RegistrationTime, ledgerFolder: string): Finding[] {
  const file = anchorFolder(ledgerFolder)
  const there = new Set(readAnchors(file).map(({ sha256 }) => sha256))
  return anchors
    .filter(({ sha256 }) => !there.has(sha256))
    .map(({ name: authority }) => finding('evidence-anchor-gone', { authority }, { file }))
}

/**
 * The log of the evidence: its roots made again from its entries, its times from its tokens, and both held
 * against the log of the history as it is now. What rows were committed is made again too.
 */
export async function logFaults(
  { folder, signal }: RecomputeOptions,
  result: EvaluationResult,
  documents: Documents,
  time: RegistrationTime | undefined,
  history: string,
): Promise<ProvedForecasts | Broken> {
  const commitment = result.time?.commitment ?? null
  const asked = time !== undefined && isCommitted(documents.registration)
  if (asked !== (commitment !== null)) {
    const [stored, found] = [briefly(commitment), asked ? 'what the log shows' : 'null']
    const at = { file: join(folder, FILES.result), pointer: AT }
    return broken('log', [finding('result-not-recomputed', { stored, found }, at)])
  }
  if (!asked || commitment === null) return await proveForecasts(documents, time, history)
  const { commitment_log: registered = commitment.log } = documents.registration
  const other = memberFindings(folder, commitment.log, registered, `${AT}/log`)
  if (other.length > 0) return broken('log', other)
  const source = evidenceLog(folder, commitment.log)
  const asFinding = { signal, absent: 'is-a-finding' } as const
  const log = await provedLog(documents.registration, time, () => source, asFinding)
  if (!log.ok) return log
  const said = logMember(log)
  const same = Object.fromEntries(
    Object.keys(said).map((key) => [key, commitment[key as keyof typeof said]]),
  )
  const differs = memberFindings(folder, same, said, AT)
  if (differs.length > 0) return broken('log', differs)
  const live = await guarded('log', async () =>
    partedFrom(documents, log, source, await historyLog(history, commitment.log), signal),
  )
  if (!live.ok) return live
  if (live.value.length > 0) return broken('log', live.value)
  return await forecastsIn(log, documents, time, history, { signal })
}

const AT = '/time/commitment'

/** The first entry of a log that is not the one that was scored with, then the first checkpoint, then a stamp. */
async function partedFrom(
  { registration }: Documents,
  { checkpoints, read }: ProvedLog,
  ours: LogSource,
  live: LogSource,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const { file } = live
  const theirs = each(live.entries(read.size))
  try {
    for await (const stored of each(ours.entries(read.size))) {
      const entry = stored.index
      if (entry % 1024 === 0) await breathe(signal)
      const { value: found } = await theirs.next()
      const same = found !== undefined && Buffer.compare(stored.leaf, found.leaf) === 0
      if (same && sayKey(found, registration) === rowOf(stored)) continue
      const change = same ? 'relabelled' : found === undefined ? 'gone' : 'replaced'
      const row = rowOf(stored) ?? rowOf(found)
      return [finding('log-rewritten', { entry, row, change }, { file })]
    }
  } finally {
    await theirs.return(undefined)
  }
  return await partedCheckpoint(checkpoints, live)
}

/** The first checkpoint that counted and is not in a log any more as it was, or whose stamp is not. */
async function partedCheckpoint(
  checkpoints: ProvedLog['checkpoints'],
  { file, checkpoints: live }: LogSource,
): Promise<Finding[]> {
  const wanted = new Map(checkpoints.map((each) => [each.size, each]))
  const stamp: Finding[] = []
  for await (const { size, note, stamps } of live()) {
    const counted = wanted.get(size)
    if (counted?.note !== note) continue
    wanted.delete(size)
    const there = new Set(stamps.map(({ token }) => sha256Hex(token)))
    const gone = counted.stamps.find(({ token }) => !there.has(sha256Hex(token)))
    if (gone === undefined || stamp.length > 0) continue
    stamp.push(finding('log-stamp-gone', { size, authority: gone.authority }, { file }))
  }
  const [gone] = wanted.keys()
  return gone === undefined ? stamp : [finding('log-checkpoint-gone', { size: gone }, { file })]
}

async function* each(batches: AsyncIterable<readonly LogEntry[]>): AsyncGenerator<LogEntry> {
  for await (const entries of batches) yield* entries
}

/** The key of an entry as the evidence says it, which has those of the window only. */
function sayKey(entry: LogEntry, registration: Documents['registration']): string | undefined {
  return isOfWindow(registration, entry) ? rowOf(entry) : undefined
}

const rowOf = (entry: LogEntry | undefined): string | undefined =>
  entry?.key && nameOfLeaf(entry.key)
