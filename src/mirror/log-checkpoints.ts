import { type Finding, finding } from '../contract/findings/finding.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { rootOf, sameHash } from '../log/merkle.js'
import { checkpointFile, type ListedCheckpoint, stampFile } from '../remote/log.js'
import { streamed } from '../store/open.js'
import { faultOfToken } from '../time/rfc3161/verify-token.js'
import type { LogPull } from './log-mirror.js'
import { demandLogFile, LogFault, type PublishedLog, unreadable, utf8Text } from './log-source.js'

/** A checkpoint that a mirror has, and whose stamps. */
interface KnownCheckpoint {
  readonly body: string
  readonly authorities: ReadonlySet<string>
}

/**
 * Adds the checkpoints and stamps that a mirror does not have, each held against the entries, which it has by
 * now; the newest one comes first, together with them.
 */
export async function pullCheckpoints(
  pull: LogPull,
  log: PublishedLog,
): Promise<{ added: number; findings: Finding[] }> {
  const { run } = pull
  let added = 0
  await run.logs(async (logs) => {
    if (await logs.addCheckpoint(log.size, log.note, log.origin)) added++
  })
  await run.commit()
  const known = await knownCheckpoints(pull.path, log.origin)
  const findings: Finding[] = []
  try {
    for (const listed of log.checkpoints) {
      let checkpoint = known.get(listed.size)
      if (checkpoint === undefined) {
        checkpoint = await addCheckpoint(pull, log.origin, listed.size)
        added++
      }
      const fault = await addStamps(pull, log.origin, listed, checkpoint)
      // Where one is wrong, many may be.
      if (fault !== undefined && findings.length === 0) findings.push(fault)
    }
  } catch (cause) {
    if (!(cause instanceof LogFault)) throw cause
    findings.push(cause.finding)
  }
  return { added, findings }
}

async function addCheckpoint(
  { deployment, run }: LogPull,
  log: string,
  size: number,
): Promise<KnownCheckpoint> {
  const { bytes, where } = await demandLogFile(deployment, checkpointFile(size))
  const checkpoint = readCheckpoint(bytes)
  if (checkpoint?.origin !== log || checkpoint.size !== size) {
    throw unreadable(where, `is not the checkpoint of ${size} entries of ${log}`)
  }
  const root = await run.ask((writer) =>
    rootOf(size, (level, index) => writer.logHash(level, index, log)),
  )
  if (!sameHash(root, checkpoint.root)) {
    throw new LogFault(finding('log-root', { size }, { file: where }))
  }
  await run.logs((logs) => logs.addCheckpoint(size, utf8Text(bytes), log))
  await run.commit()
  return { body: checkpoint.body, authorities: new Set() }
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
    if (known.authorities.has(authority)) continue
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
    const authorities = new Set(stamps.map(({ authority }) => authority))
    known.set(size, { body: readCheckpoint(note)?.body ?? '', authorities })
  }
  return known
}
