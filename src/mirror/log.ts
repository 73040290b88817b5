import { ForeproofError } from '../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import type { HistoryImport } from '../history/import/import.js'
import { keepCheckpoint, rootAt } from '../history/seal.js'
import { firstSeen } from '../history/seen.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { HASH_BYTES, type HashAt, nodeHash, rootOf, sameHash } from '../log/merkle.js'
import { addRegistrations } from '../log/registrations.js'
import { TILE_HASHES } from '../log/tiles.js'
import type { Deployment } from '../remote/deployment.js'
import { checkpointFile, type ListedCheckpoint, stampFile } from '../remote/log.js'
import { streamed } from '../store/open.js'
import { shownHistory } from '../store/shown.js'
import { faultOfToken } from '../time/rfc3161/verify-token.js'
import { hashIn, LogMirror, type LogPull, rewritten } from './log-mirror.js'
import {
  demandLogFile,
  LogFault,
  type PublishedLog,
  readLeaves,
  readPublishedLog,
  unreadable,
  utf8Text,
} from './log-source.js'

/** What a pull took over of a log. */
export interface PulledLog {
  readonly origin: string
  readonly entries: number
  readonly newEntries: number
  readonly newCheckpoints: number
}

/** A log that is not the one that was mirrored, or less of it. */
function shrunk(
  fault: ArgsOf<'log-shrunk'>['fault'],
  before: string | number,
  found: string | number,
  file: string,
): Finding {
  const args = { fault, before: String(before), found: String(found) }
  return finding('log-shrunk', args, { file })
}

/** Rows that are added in the order of pages would make another log of a history that its own site is ahead of. */
function behind(path: string, { origin, size }: PublishedLog, before: number): ForeproofError {
  const has = `it has ${before} entries of its own log ${origin}, of which ${size} are published`
  return new ForeproofError('refused', `${shownHistory(path)}: ${has}`, {
    help: 'Pull into a new history, and bring this one up from it: foreproof history resume MIRROR --history HISTORY.',
  })
}

/**
 * Looks at the sealed log of a deployment before any row is read: so every row that it covers is published
 * by then. Where it goes on from what was known, `takeOverLog` takes it over when the rows have been read.
 * @param isFirst whether nothing was pulled from there before
 */
export async function beginLog(
  pull: LogPull,
  isFirst: boolean,
): Promise<{ readonly mirror?: LogMirror; readonly findings: Finding[] }> {
  const { deployment, run } = pull
  if (deployment.log === undefined) return { findings: [] }
  try {
    const file = deployment.log
    const known = await run.noted(noteOf(deployment))
    const log = await readPublishedLog(deployment, known !== undefined)
    if (log === undefined) {
      const gone = known === undefined ? [] : [shrunk('gone', known, '', file)]
      return { findings: isFirst ? await unknownHere(pull, null) : gone }
    }
    if (known !== undefined && known !== log.origin) {
      return { findings: [shrunk('renamed', known, log.origin, file)] }
    }
    const before = await run.ask((writer) => writer.logSize(log.origin))
    if (log.origin === (await run.ask((writer) => writer.logName()))) {
      if (log.size > before) throw behind(pull.path, log, before)
      return { findings: [] }
    }
    const both = Math.min(before, log.size)
    // Of what is known the last tile may have changed: it was a partial one.
    const from = pull.full ? 0 : both - (both % TILE_HASHES)
    const read = await readLeaves(deployment, from, log.size)
    const leaves = read.subarray((both - from) * HASH_BYTES)
    if (!(await isOf(log, before, leaves, run))) {
      const found = await firstChange(pull, log, 0, await readLeaves(deployment, 0, log.size))
      return { findings: [found ?? finding('log-root', { size: log.size }, { file })] }
    }
    const changed = from < both ? await firstChange(pull, log, from, read) : undefined
    if (changed !== undefined) return { findings: [changed] }
    if (log.size < before) return { findings: [shrunk('shorter', before, log.size, file)] }
    const mirror = new LogMirror(pull, log, before, leaves)
    if ((pull.full || isFirst) && before > 0) await mirror.expectAll()
    const findings = isFirst ? await moved(pull, log, before) : []
    return { mirror, findings }
  } catch (cause) {
    if (!(cause instanceof LogFault)) throw cause
    return { findings: [cause.finding] }
  }
}

/** Who pulls from an address for the first time may have a log already: of this name, or of none that is here. */
async function moved(pull: LogPull, { origin }: PublishedLog, before: number): Promise<Finding[]> {
  if (before === 0) return await unknownHere(pull, origin)
  const { deployment, run } = pull
  const address = (await addresses(run)).get(origin) ?? 'another address'
  if (address === deployment.id) return []
  return [finding('log-elsewhere', { log: origin, before: address }, { file: deployment.log })]
}

async function unknownHere({ deployment, run }: LogPull, found: string | null): Promise<Finding[]> {
  const there = [...(await addresses(run)).keys()]
  if (there.length === 0) return []
  return [finding('log-unknown-here', { there, found }, { file: deployment.log })]
}

/** The logs that a mirror has, and the address that it had each of last. */
async function addresses(run: HistoryImport): Promise<Map<string, string>> {
  return new Map(JSON.parse((await run.noted(ADDRESSES)) ?? '[]') as [string, string][])
}

/**
 * Takes a log over, once what was read is committed.
 * @param whole whether every forecast that is published was read in this run
 * @param withAttempts whether every attempt that is published was
 */
export async function takeOverLog(
  mirror: LogMirror,
  whole: boolean,
  withAttempts: boolean,
): Promise<{ pulled: PulledLog; findings: Finding[] }> {
  const { pull, log, before } = mirror
  const { origin, size: entries } = log
  const findings = await mirror.findings(whole, withAttempts)
  // Asked for while nothing waits to be committed.
  const known = (await addresses(pull.run)).set(origin, pull.deployment.id)
  await addRegistrations(pull.run, log.registrations, origin)
  await mirror.append()
  await pull.run.note(noteOf(pull.deployment), origin)
  await pull.run.note(ADDRESSES, JSON.stringify([...known]))
  const { added: newCheckpoints, findings: others } = await pullCheckpoints(pull, log)
  const pulled = { origin, entries, newEntries: entries - before, newCheckpoints }
  return { pulled, findings: [...findings, ...others] }
}

/** Whether a checkpoint is that of the leaves that are known with the new ones after them. */
async function isOf(
  log: PublishedLog,
  before: number,
  leaves: Buffer,
  run: HistoryImport,
): Promise<boolean> {
  const root = await run.ask((writer) => {
    const hashAt: HashAt = async (level, index) => {
      const span = 2 ** level
      if ((index + 1) * span <= before) return writer.logHash(level, index, log.origin)
      if (level === 0) return hashIn(leaves, index - before)
      return nodeHash(await hashAt(level - 1, index * 2), await hashAt(level - 1, index * 2 + 1))
    }
    return rootOf(log.size, hashAt)
  })
  return sameHash(root, log.root)
}

/** The first entry that the mirror has and that is another now. @param leaves - those that are published, from an index on. */
async function firstChange(
  { deployment, path }: LogPull,
  { size, origin }: PublishedLog,
  from: number,
  leaves: Buffer,
): Promise<Finding | undefined> {
  for await (const entries of streamed(path, (open) => open.logEntries(from, size, origin))) {
    for (const { index, leaf, key } of entries) {
      if (sameHash(leaf, hashIn(leaves, index - from))) continue
      return rewritten({ entry: index, key, change: 'replaced' }, deployment.log)
    }
  }
  return undefined
}

/** Where a mirror keeps the name of the log that it has of a deployment. */
function noteOf({ id }: Deployment): string {
  return `pull ${id} log`
}

/** Where it keeps the addresses of its logs. */
const ADDRESSES = 'pulled logs'

/** A checkpoint that a mirror has, and the digest of each stamp by its authority. */
interface KnownCheckpoint {
  readonly body: string
  readonly stamps: ReadonlyMap<string, string>
}

/**
 * Adds the checkpoints and stamps that a mirror does not have, each held against the entries, which it has by
 * now; the newest one comes first, together with them. Of those that it has, the last is read again, or all in a
 * full pull: what is gone or another now is a warning, and stays here as it was.
 */
async function pullCheckpoints(
  pull: LogPull,
  log: PublishedLog,
): Promise<{ added: number; findings: Finding[] }> {
  const { run } = pull
  const { note, origin } = log
  const isNew = await run.logs((logs) => keepCheckpoint(logs, log.size, note, origin))
  const newest = isNew ? log.size : undefined
  if (newest !== undefined) await run.note(...firstSeen(origin, newest, pull.now))
  await run.commit()
  let added = newest === undefined ? 0 : 1
  const known = await knownCheckpoints(pull.path, origin)
  const last = [...known.keys()].findLast((size) => size !== newest)
  const findings: Finding[] = []
  try {
    for (const listed of log.checkpoints) {
      let checkpoint = known.get(listed.size)
      known.delete(listed.size)
      const isKnown = checkpoint !== undefined && listed.size !== newest
      const isRead = isKnown && (pull.full || listed.size === last)
      if (checkpoint === undefined) {
        checkpoint = await addCheckpoint(pull, origin, listed.size)
        added++
      }
      const fault =
        (isRead ? await changedSince(pull, origin, listed, checkpoint) : undefined) ??
        (await addStamps(pull, origin, listed, checkpoint))
      // Where one is wrong, many may be.
      if (fault !== undefined && findings.length === 0) findings.push(fault)
    }
    const [size] = known.keys()
    if (size !== undefined) findings.push(gone(size, null, pull))
  } catch (cause) {
    if (!(cause instanceof LogFault)) throw cause
    findings.push(cause.finding)
  }
  return { added, findings }
}

const gone = (size: number, authority: string | null, { deployment: { log: file } }: LogPull) =>
  finding('log-checkpoint-gone', { size, authority }, { file, severity: 'warning' })

/**
 * Whether a checkpoint or a stamp of it that the mirror has is published as it was, the first that is not. What
 * witnesses have cosigned since is added.
 */
async function changedSince(
  pull: LogPull,
  log: string,
  { size, authorities }: ListedCheckpoint,
  { body, stamps }: KnownCheckpoint,
): Promise<Finding | undefined> {
  const { bytes } = await demandLogFile(pull.deployment, checkpointFile(size))
  if (readCheckpoint(bytes)?.body !== body) return gone(size, null, pull)
  await pull.run.logs((logs) => logs.addSignatures(size, utf8Text(bytes), log))
  await pull.run.commit()
  for (const [authority, sha256] of stamps) {
    if (!authorities.includes(authority)) return gone(size, authority, pull)
    const token = await demandLogFile(pull.deployment, stampFile(size, authority))
    if (sha256Hex(token.bytes) !== sha256) return gone(size, authority, pull)
  }
  return undefined
}

async function addCheckpoint(
  { deployment, run, now }: LogPull,
  log: string,
  size: number,
): Promise<KnownCheckpoint> {
  const { bytes, where } = await demandLogFile(deployment, checkpointFile(size))
  const checkpoint = readCheckpoint(bytes)
  if (checkpoint?.origin !== log || checkpoint.size !== size) {
    throw unreadable(where, `is not the checkpoint of ${size} entries of ${log}`)
  }
  const root = await run.ask((writer) => rootAt(writer, size, log))
  if (!sameHash(root, checkpoint.root)) {
    throw new LogFault(finding('log-root', { size }, { file: where }))
  }
  await run.logs((logs) => logs.addCheckpoint(size, utf8Text(bytes), log))
  await run.note(...firstSeen(log, size, now))
  await run.commit()
  return { body: checkpoint.body, stamps: new Map() }
}

/**
 * Adds the stamps that are stamps of the checkpoint, of any authority: what is kept once stays. One that is
 * none is looked at again in each pull.
 * @returns what is wrong with the first that is none
 */
async function addStamps(
  { deployment, run }: LogPull,
  log: string,
  { size, authorities }: ListedCheckpoint,
  known: KnownCheckpoint,
): Promise<Finding | undefined> {
  let first: Finding | undefined
  for (const authority of authorities) {
    if (known.stamps.has(authority)) continue
    const { bytes: token, where } = await demandLogFile(deployment, stampFile(size, authority))
    const fault = await faultOfToken(token, Buffer.from(known.body), where)
    if (fault === undefined) {
      await run.logs((logs) => logs.addCheckpointStamp(size, { authority, token }, log))
      await run.commit()
    }
    first ??= fault
  }
  return first
}

/** The checkpoints that a mirror has, by their sizes. */
async function knownCheckpoints(path: string, log: string): Promise<Map<number, KnownCheckpoint>> {
  const known = new Map<number, KnownCheckpoint>()
  for await (const { size, note, stamps } of streamed(path, (open) => open.checkpoints(log))) {
    const digests = stamps.map(({ authority, token }) => [authority, sha256Hex(token)] as const)
    known.set(size, { body: readCheckpoint(note)?.body ?? '', stamps: new Map(digests) })
  }
  return known
}
