import { type Finding, finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { rootAt } from '../history/seal.js'
import { firstSeen } from '../history/seen.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { sameHash } from '../log/merkle.js'
import { checkpointFile, type ListedCheckpoint, stampFile } from '../remote/log.js'
import { streamed } from '../store/open.js'
import { faultOfToken } from '../time/rfc3161/verify-token.js'
import type { LogPull } from './log-mirror.js'
import { demandLogFile, LogFault, type PublishedLog, unreadable, utf8Text } from './log-source.js'

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
export async function pullCheckpoints(
  pull: LogPull,
  log: PublishedLog,
): Promise<{ added: number; findings: Finding[] }> {
  const { run } = pull
  const newest = await run.logs(async (logs) => {
    if (await logs.addCheckpoint(log.size, log.note, log.origin)) return log.size
    await logs.addSignatures(log.size, log.note, log.origin)
    return undefined
  })
  if (newest !== undefined) await run.note(...firstSeen(log.origin, newest, pull.now))
  await run.commit()
  let added = newest === undefined ? 0 : 1
  const known = await knownCheckpoints(pull.path, log.origin)
  const last = [...known.keys()].findLast((size) => size !== newest)
  const findings: Finding[] = []
  try {
    for (const listed of log.checkpoints) {
      let checkpoint = known.get(listed.size)
      known.delete(listed.size)
      const isKnown = checkpoint !== undefined && listed.size !== newest
      const isRead = isKnown && (pull.full || listed.size === last)
      if (checkpoint === undefined) {
        checkpoint = await addCheckpoint(pull, log.origin, listed.size)
        added++
      }
      const fault =
        (isRead ? await changedSince(pull, log.origin, listed, checkpoint) : undefined) ??
        (await addStamps(pull, log.origin, listed, checkpoint))
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
