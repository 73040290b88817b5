import { ForeproofError } from '../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { objectIn } from '../contract/is-object.js'
import type { HistoryImport } from '../history/import/import.js'
import { parseCheckpoint } from '../log/checkpoint.js'
import { consistencyProof, verifyConsistency } from '../log/merkle.js'
import { TILE_HASHES } from '../log/tiles.js'
import { historyName } from '../store/shown.js'
import {
  LogFault,
  type LogPull,
  type PublishedLog,
  parseHashes,
  readPublishedLog,
} from './log-source.js'
import { RowMatcher } from './rows-in-log.js'

/** What a pull saw of a log. */
export interface PulledLog {
  readonly origin: string
  readonly entries: number
  readonly newEntries: number
}

/** A log that was seen earlier: its address, and its newest checkpoint with signatures. */
interface SeenLog {
  readonly address: string
  readonly checkpoint: string
}

/** The note in which a mirror keeps the logs that it has seen, by name. */
const SEEN = 'pulled logs'

/** The fault of a log that differs from the one seen before, or has fewer entries. */
function shrunkFault(
  fault: ArgsOf<'log-shrunk'>['fault'],
  before: string | number,
  found: string | number,
  file: string,
): Finding {
  const args = { fault, before: String(before), found: String(found) }
  return finding('log-shrunk', args, { file })
}

/**
 * The error if the site is ahead of a history that has its own log. Adding rows in page order would give that history
 * another log than the site's.
 */
function behindFinding(
  path: string,
  { origin, size }: PublishedLog,
  before: number,
): ForeproofError {
  const has = `it has ${before} entries of its own log ${origin}, of which ${size} are published`
  return new ForeproofError('refused', `${historyName(path)}: ${has}`, {
    help: 'Pull into a new history, and bring this one up from it: foreproof history resume MIRROR SITE --history HISTORY.',
  })
}

/**
 * Reads the sealed log of a deployment before any row, so that every row it covers is already published. The tiles must
 * show that the log extends the checkpoint seen last. After the rows are read, `endLog` stores the new checkpoint.
 * @param isFirst whether this is the first pull from the deployment
 */
export async function beginLog(
  pull: LogPull,
  isFirst: boolean,
): Promise<{ readonly rows?: RowMatcher; readonly findings: Finding[] }> {
  const { deployment, run } = pull
  if (deployment.log === undefined) return { findings: [] }
  try {
    const file = deployment.log
    const seen = await readSeenLogs(run)
    const seenOrigin = [...seen].find(([, { address }]) => address === deployment.id)?.[0]
    const log = await readPublishedLog(deployment, seenOrigin !== undefined)
    if (log === undefined) {
      const gone = seenOrigin === undefined ? [] : [shrunkFault('gone', seenOrigin, '', file)]
      return { findings: isFirst ? unknownHere(pull, seen, null) : gone }
    }
    if (seenOrigin !== undefined && seenOrigin !== log.origin) {
      return { findings: [shrunkFault('renamed', seenOrigin, log.origin, file)] }
    }
    if (log.origin === (await run.ask((writer) => writer.logName()))) {
      const copied = await run.ask((writer) => writer.logSize())
      if (log.size > copied) throw behindFinding(pull.path, log, copied)
      return { findings: [] }
    }
    const last = seen.get(log.origin)
    const before = last && parseCheckpoint(last.checkpoint)
    const size = before?.size ?? 0
    if (log.size < size) return { findings: [shrunkFault('shorter', size, log.size, file)] }
    // The last known tile may have changed, because it was partial.
    const first = pull.full || isFirst ? 0 : size
    const from = first - (first % TILE_HASHES)
    const { leaves, hashAt } = await parseHashes(deployment, log, from)
    const proof = await consistencyProof(size, log.size, hashAt)
    const goesOn =
      before === undefined || verifyConsistency(size, log.size, proof, before.root, log.root)
    if (!goesOn) return { findings: [shrunkFault('parted', size, log.size, file)] }
    const isElsewhere = isFirst && last !== undefined && last.address !== deployment.id
    const moved = { log: log.origin, before: last?.address ?? '' }
    const findings: Finding[] = isElsewhere ? [finding('log-elsewhere', moved, { file })] : []
    if (isFirst && last === undefined) findings.push(...unknownHere(pull, seen, log.origin))
    return { rows: new RowMatcher(pull, log, { seen: size, first, from, leaves }), findings }
  } catch (cause) {
    if (!(cause instanceof LogFault)) throw cause
    return { findings: [cause.finding] }
  }
}

/** On the first pull from an address, warns if the mirror has seen logs, but not this one. */
function unknownHere(
  { deployment }: LogPull,
  seen: ReadonlyMap<string, SeenLog>,
  found: string | null,
): Finding[] {
  const there = [...seen.keys()]
  if (there.length === 0) return []
  return [finding('log-unknown-here', { there, found }, { file: deployment.log })]
}

async function readSeenLogs(run: HistoryImport): Promise<Map<string, SeenLog>> {
  const logs = objectIn((await run.noted(SEEN)) ?? '{}') ?? {}
  return new Map(Object.entries(logs as Readonly<Record<string, SeenLog>>))
}

/**
 * Compares a log with the rows that were read, and stores its checkpoint as the one seen last.
 * @param isComplete whether this run read every published forecast
 * @param withAttempts whether it read every published attempt
 */
export async function endLog(
  rows: RowMatcher,
  isComplete: boolean,
  withAttempts: boolean,
): Promise<{ pulled: PulledLog; findings: Finding[] }> {
  const { pull, log, newEntries } = rows
  const { origin, size: entries, note } = log
  const findings = await rows.findings(isComplete, withAttempts)
  // Read at a moment when no rows wait to be committed.
  const seen = await readSeenLogs(pull.run)
  seen.set(origin, { address: pull.deployment.id, checkpoint: note })
  await pull.run.note(SEEN, JSON.stringify(Object.fromEntries(seen)))
  await pull.run.commit()
  return { pulled: { origin, entries, newEntries }, findings }
}
