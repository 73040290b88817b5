import { type Finding, finding } from '../../contract/findings/finding.js'
import type { Deployment } from '../../remote/deployment.js'
import { checkpointFile, type ListedCheckpoint, stampFile } from '../../remote/log.js'
import type { HistoryImport } from '../import/import.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { rootOf, sameHash } from '../log/merkle.js'
import { openHistory } from '../store/open.js'
import { demandLogFile, LogFault, type PublishedLog, textOf, unreadable } from './log-source.js'

/** Answers of authorities are some thousand bytes long. */
const LARGEST_TOKEN = 1_048_576

interface CheckpointPull {
  readonly deployment: Deployment
  readonly run: HistoryImport
  readonly path: string
}

/**
 * Adds the checkpoints and stamps that a mirror does not have, each held against the entries, which it has by
 * now; the newest one comes first, together with them.
 */
export async function pullCheckpoints(
  pull: CheckpointPull,
  log: PublishedLog,
): Promise<{ added: number; findings: Finding[] }> {
  const { run } = pull
  let added = 0
  await run.logs(async (logs) => {
    if (await logs.addCheckpoint(log.size, log.note, log.origin)) added++
  })
  await run.commit()
  const known = await knownStamps(pull.path, log.origin)
  const findings: Finding[] = []
  for (const listed of log.checkpoints) {
    const stamps = known.get(listed.size)
    try {
      if (stamps === undefined && (await addCheckpoint(pull, log.origin, listed.size))) added++
      await addStamps(pull, log.origin, listed, stamps ?? new Set())
    } catch (cause) {
      if (!(cause instanceof LogFault)) throw cause
      findings.push(cause.finding)
    }
    // One that is wrong says enough.
    if (findings.length > 0) break
  }
  return { added, findings }
}

/** @returns false where another has added it meanwhile */
async function addCheckpoint(
  { deployment, run }: CheckpointPull,
  log: string,
  size: number,
): Promise<boolean> {
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
  const added = await run.logs((logs) => logs.addCheckpoint(size, textOf(bytes), log))
  await run.commit()
  return added
}

async function addStamps(
  { deployment, run }: CheckpointPull,
  log: string,
  { size, authorities }: ListedCheckpoint,
  known: ReadonlySet<string>,
): Promise<void> {
  for (const authority of authorities) {
    if (known.has(authority)) continue
    const { bytes: token, where } = await demandLogFile(deployment, stampFile(size, authority))
    if (token.length > LARGEST_TOKEN) throw unreadable(where, 'is too long for a stamp')
    await run.logs((logs) => logs.addCheckpointStamp(size, { authority, token }, log))
    await run.commit()
  }
}

/** The authorities of each checkpoint that a mirror has. */
async function knownStamps(path: string, log: string): Promise<Map<number, ReadonlySet<string>>> {
  const known = new Map<number, ReadonlySet<string>>()
  const reader = openHistory(path)
  for await (const { size, stamps } of reader.checkpoints(log)) {
    known.set(size, new Set(stamps.map(({ authority }) => authority)))
  }
  await reader.close()
  return known
}
