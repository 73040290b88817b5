import { type Finding, finding } from '../../contract/findings/finding.js'
import type { Attempt, ForecastResource } from '../../contract/types.js'
import { attemptOf, attemptRowOf, storedForm } from '../../forecast/resource.js'
import type { Deployment } from '../../remote/deployment.js'
import type { HistoryImport } from '../import/import.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf } from '../leaf.js'
import { HASH_BYTES, type HashAt, nodeHash, rootOf, sameHash } from '../log/merkle.js'
import { streamed } from '../store/open.js'
import { pullCheckpoints } from './log-checkpoints.js'
import { LogMatches, rewritten } from './log-matches.js'
import { LogFault, type PublishedLog, readLeaves, readPublishedLog } from './log-source.js'

/** What is asked of a pull of a log. */
interface LogPull {
  readonly deployment: Deployment
  readonly run: HistoryImport
  /** The mirror. */
  readonly path: string
}

/** What a pull took over of a log. */
export interface PulledLog {
  readonly origin: string
  readonly entries: number
  readonly newEntries: number
  readonly newCheckpoints: number
}

/**
 * Looks at the sealed log of a deployment before any row is read: so every row that it covers is published
 * by then. Where it goes on from what was known, `mirror` takes it over when the rows have been read.
 * @param full whether every row will be read
 * @param isFirst whether nothing was pulled from there before
 */
export async function beginLog(
  pull: LogPull,
  full: boolean,
  isFirst: boolean,
): Promise<{ readonly mirror?: LogMirror; readonly findings: Finding[] }> {
  const { deployment, run } = pull
  if (deployment.log === undefined) return { findings: [] }
  try {
    const file = deployment.log
    const known = await run.noted(noteOf(deployment))
    const log = await readPublishedLog(deployment, known !== undefined)
    if (log === undefined) {
      const gone = known === undefined ? [] : [finding('log-gone', { log: known }, { file })]
      return { findings: isFirst ? await unknownHere(pull, null) : gone }
    }
    if (known !== undefined && known !== log.origin) {
      const args = { before: known, found: log.origin }
      return { findings: [finding('log-renamed', args, { file })] }
    }
    // A history that is filled from its own site has the log itself.
    if (log.origin === (await run.ask((writer) => writer.logName()))) return { findings: [] }
    const before = await run.ask((writer) => writer.logSize(log.origin))
    const leaves = await readLeaves(deployment, Math.min(before, log.size), log.size)
    if (!(await isOf(log, before, leaves, run))) return { findings: [await firstChange(pull, log)] }
    if (log.size < before) {
      const args = { before, found: log.size }
      return { findings: [finding('log-shorter', args, { file })] }
    }
    const matches = await LogMatches.create(pull.path, log.origin, before, leaves, full)
    const findings = isFirst ? await moved(pull, log, before) : []
    return { mirror: new LogMirror(pull, log, before, leaves, matches), findings }
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

/** A log under way into a mirror. */
export class LogMirror {
  constructor(
    private readonly pull: LogPull,
    private readonly log: PublishedLog,
    private readonly before: number,
    private readonly leaves: Buffer,
    private readonly matches: LogMatches,
  ) {}

  /** A forecast that is published. */
  forecast(resource: ForecastResource): Promise<void> {
    return this.#met(forecastLeaf(storedForm(resource)))
  }

  /** A recorded attempt that is published. */
  attempt(attempt: Attempt): Promise<void> {
    return this.#met(attemptLeaf(attemptOf(attemptRowOf(attempt))))
  }

  /**
   * Takes the log over, once what was read is committed.
   * @param whole whether every forecast that is published was read in this run
   * @param withAttempts whether every attempt that is published was
   */
  async finish(
    whole: boolean,
    withAttempts: boolean,
  ): Promise<{ pulled: PulledLog; findings: Finding[] }> {
    const { pull, log, before, leaves, matches } = this
    await matches.findInMirror(pull.path)
    const everyAttempt = withAttempts && !log.attemptsWithheld
    const findings = matches.findings(whole, everyAttempt, pull.deployment.log)
    // Asked for while nothing waits to be committed.
    const known = (await addresses(pull.run)).set(log.origin, pull.deployment.id)
    await pull.run.logs(async (logs) => {
      for (let index = before; index < log.size; index++) {
        const leaf = hashIn(leaves, index - before)
        await logs.appendLeaf({ leaf, key: matches.keyOf(index) }, log.origin)
      }
    })
    await pull.run.note(noteOf(pull.deployment), log.origin)
    await pull.run.note(ADDRESSES, JSON.stringify([...known]))
    const checkpoints = await pullCheckpoints(pull, log)
    const { origin, size: entries } = log
    const pulled = {
      origin,
      entries,
      newEntries: entries - before,
      newCheckpoints: checkpoints.added,
    }
    return { pulled, findings: [...findings, ...checkpoints.findings] }
  }

  async #met({ leaf, key }: KeyedLeaf): Promise<void> {
    if (this.matches.met(leaf, key)) return
    const known = await this.pull.run.logs((logs) => logs.logEntry(key, this.log.origin))
    if (known !== undefined && !sameHash(known.leaf, leaf)) this.matches.changed(known.index, key)
  }
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

/** The first entry that is another than before; where none is, the log is at odds with itself. */
async function firstChange({ deployment, path }: LogPull, log: PublishedLog): Promise<Finding> {
  const now = await readLeaves(deployment, 0, log.size)
  const known = streamed(path, (reader) => reader.logEntries(0, log.size, log.origin))
  for await (const entries of known) {
    for (const { index, leaf, key } of entries) {
      if (sameHash(leaf, hashIn(now, index))) continue
      return rewritten({ entry: index, key, change: 'replaced' }, deployment.log)
    }
  }
  return finding('log-root', { size: log.size }, { file: deployment.log })
}

/** Where a mirror keeps the name of the log that it has of a deployment. */
function noteOf({ id }: Deployment): string {
  return `pull ${id} log`
}

/** Where it keeps the addresses of its logs. */
const ADDRESSES = 'pulled logs'

function hashIn(hashes: Buffer, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
}
