import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import { earliestTimes, parseCheckpoint } from '../../log/checkpoint.js'
import { verifyCosignatures } from '../../log/cosignature.js'
import type { StoredCheckpoint } from '../../log/log-entry.js'
import { isSignedBy } from '../../log/note.js'
import { isOfLog, type Policy, quorumTime, witnessedAt } from '../../log/policy.js'
import { InvalidStamps } from '../../log/unsound-stamps.js'
import type { Anchor } from '../../time/rfc3161/anchors.js'
import { latestTime } from '../../time/rfc3161/time-stamp.js'
import { verifyToken } from '../../time/rfc3161/verify-token.js'
import { linkError } from '../links.js'
import type { LogSource } from './log-source.js'

/** A checkpoint of a log, and when pinned authorities stamped it. */
export interface TimedCheckpoint extends StoredCheckpoint {
  readonly root: Uint8Array
  /** The valid tokens of pinned authorities, by their names in the registration. */
  readonly stamps: readonly (StoredCheckpoint['stamps'][number] & { readonly latest: Instant })[]
  /** When the required number of authorities had stamped it; undefined if there are fewer. */
  readonly at: Instant | undefined
  /**
   * When the quorum of witnesses had cosigned it: infinity if it has not, minus infinity if no witness is required.
   */
  readonly witnessedAt: Instant
  /** The witnesses with valid cosignatures, and when each was made. */
  readonly cosigned: readonly { readonly witness: string; readonly seconds: number }[]
}

export interface TimedCheckpoints {
  /** In the order of their sizes, up to the last that counts; empty if none is stamped. */
  readonly checkpoints: readonly TimedCheckpoint[]
  /** A warning for stamps that do not verify. */
  readonly findings: readonly Finding[]
}

/** Which checkpoints of a log count, and when one counts as stamped. */
export interface CheckpointRange {
  /** The pinned ones, by the names of the registration. */
  readonly anchors: readonly Anchor[]
  /** How many of them must stamp a checkpoint; 1 or more. */
  readonly min: number
  /** Whose cosignatures a checkpoint also needs; undefined if none are required. */
  readonly policy: Policy | undefined
  /** The first entry under the key of an expected forecast. */
  readonly from: number
  readonly firstInputs: Instant
  readonly lastTarget: Instant
  /** Whether the end of the log may still be missing, because nothing is scored. */
  readonly isGoingOn: boolean
}

/** How many checkpoints before the first expected entry to search for one from before the window. */
const MOST_PASSED = 32

/**
 * The checkpoints of a log that hold an expected entry, up to the first stamped one at or after the last target, or
 * the last stamped one there is: what was sealed later can be in time for nothing. Before them comes the last one
 * that was stamped before the first origin, where there is any: it shows what lies behind the window.
 */
export async function readTimedCheckpoints(
  source: LogSource,
  range: CheckpointRange,
): Promise<TimedCheckpoints> {
  const checkpoints: TimedCheckpoint[] = []
  const passed: StoredCheckpoint[] = []
  const timing = { source, range, unsound: new InvalidStamps() }
  for await (const stored of source.checkpoints()) {
    if (stored.size <= range.from) {
      passed.push(stored)
      if (passed.length > MOST_PASSED) passed.shift()
      continue
    }
    const checkpoint = await timed(stored, timing)
    if (checkpoint === undefined) {
      const args = { size: stored.size }
      throw linkError('log', [finding('log-checkpoint-unreadable', args, { file: source.file })])
    }
    checkpoints.push(checkpoint)
    if (isTail(checkpoint, range)) break
  }
  const { file } = source
  const ends = checkpoints.length > 0 && isTail(checkpoints.at(-1)!, range)
  const isCut = range.policy !== undefined && !ends
  const args = { whose: 'the registered', at: formatUtc(range.lastTarget) }
  const severity = range.isGoingOn ? 'warning' : 'error'
  const cut = isCut ? [finding('log-ends-early', args, { file, severity })] : []
  if (isCut && !range.isGoingOn) throw linkError('log', cut)
  const last = ends
    ? checkpoints.length - 1
    : checkpoints.findLastIndex(({ at }) => at !== undefined)
  const before = last < 0 ? [] : await beforeWindow(passed, timing)
  const counted = [...before, ...checkpoints.slice(0, last + 1)]
  return { checkpoints: counted, findings: [...cut, ...timing.unsound.findings({ file })] }
}

/**
 * Whether the log counts up to this checkpoint: it was there at or after the last target, by its stamps, or by
 * cosignatures of a quorum that were all made then.
 */
function isTail(
  { at, cosigned }: TimedCheckpoint,
  { policy, lastTarget }: CheckpointRange,
): boolean {
  if (policy === undefined) return at !== undefined && at >= lastTarget
  const late = cosigned.filter(({ seconds }) => seconds * MICROS_PER_SECOND >= lastTarget)
  return Number.isFinite(
    quorumTime(policy, ({ name }) => (late.some(({ witness }) => witness === name) ? 0 : Infinity)),
  )
}

interface Timing {
  readonly source: LogSource
  readonly range: CheckpointRange
  readonly unsound: InvalidStamps
}

async function beforeWindow(
  passed: readonly StoredCheckpoint[],
  timing: Timing,
): Promise<TimedCheckpoint[]> {
  for (const stored of passed.toReversed()) {
    const checkpoint = await timed(stored, timing)
    if (checkpoint !== undefined && isBefore(checkpoint, timing.range)) return [checkpoint]
  }
  return []
}

/** Whether a checkpoint was stamped before the first origin of a window. */
export function isBefore(
  { at, witnessedAt }: TimedCheckpoint,
  { firstInputs }: Pick<CheckpointRange, 'firstInputs'>,
) {
  return at !== undefined && Math.max(at, witnessedAt) < firstInputs
}

/** Undefined if a checkpoint is invalid. */
async function timed(
  stored: StoredCheckpoint,
  { source: { name }, range: { anchors, min, policy }, unsound }: Timing,
): Promise<TimedCheckpoint | undefined> {
  const read = parseCheckpoint(stored.note)
  if (read?.origin !== name || read.size !== stored.size) return undefined
  const stamps = await soundStamps(stored, read.body, anchors, unsound)
  const times = stamps.map((stamp) => stamp.latest).sort((a, b) => a - b)
  const timed = { ...stored, root: read.root, stamps, at: times[min - 1] }
  if (policy === undefined) return { ...timed, witnessedAt: Number.NEGATIVE_INFINITY, cosigned: [] }
  // Without the signature of the log's key, it is a checkpoint of another log.
  if (!policy.logs.some(({ key }) => isSignedBy(read, name, key))) {
    return { ...timed, at: undefined, witnessedAt: Number.POSITIVE_INFINITY, cosigned: [] }
  }
  const cosigned = policy.witnesses.flatMap(({ name: witness, key }) =>
    verifyCosignatures(read, key, ANY_TIME).sound.map(({ time: seconds }) => ({
      witness,
      seconds,
    })),
  )
  // The cosignatures of a witness are sorted, earliest first.
  const witnessedAt = quorumTime(
    policy,
    ({ name }) => cosigned.find(({ witness }) => witness === name)?.seconds ?? Infinity,
  )
  return { ...timed, witnessedAt: witnessedAt * MICROS_PER_SECOND, cosigned }
}

/**
 * The checkpoints of a log as a reader sees them: each counts from when the quorum of the reader's own policy had
 * cosigned it, too. The link `log` does not hold where the policy is about other logs, or its quorum did not see the end.
 */
export function asSeenBy(
  own: Policy,
  checkpoints: readonly TimedCheckpoint[],
  { name: log, file }: LogSource,
  lastTarget: Instant,
): TimedCheckpoint[] {
  if (checkpoints.length === 0) return []
  const notes = checkpoints.map(({ note }) => parseCheckpoint(note)!)
  const isOwn = notes.map((note) => isOfLog(own, note))
  if (!isOwn.includes(true)) {
    throw linkError('log', [finding('witnesses-of-writer', { fault: 'log', log }, { file })])
  }
  const since = lastTarget / MICROS_PER_SECOND
  if (!isOwn.at(-1) || !Number.isFinite(witnessedAt(own, notes.at(-1)!, ANY_TIME, since))) {
    const args = { whose: 'your', at: formatUtc(lastTarget) }
    throw linkError('log', [finding('log-ends-early', args, { file })])
  }
  return checkpoints.map((each, at) => {
    const seconds = isOwn[at] ? witnessedAt(own, notes[at]!, ANY_TIME) : Number.POSITIVE_INFINITY
    return { ...each, witnessedAt: Math.max(each.witnessedAt, seconds * MICROS_PER_SECOND) }
  })
}

/**
 * A cosignature dated in the future was already detected when it was stored; in an audit, years later, no time is in
 * the future.
 */
const ANY_TIME = Number.MAX_SAFE_INTEGER

/** The earliest valid token of each pinned authority over a checkpoint. */
async function soundStamps(
  { size, stamps }: StoredCheckpoint,
  body: string,
  anchors: readonly Anchor[],
  unsound: InvalidStamps,
): Promise<TimedCheckpoint['stamps']> {
  const sound = new Map<string, TimedCheckpoint['stamps'][number]>()
  for (const { authority, token } of stamps) {
    const file = `checkpoint ${size}, ${authority}`
    const verified = await verifyToken(token, Buffer.from(body), anchors, { file })
    if (!verified.ok) {
      const [fault] = verified.findings
      // A token of an unregistered authority does not belong to any of them.
      if (fault && fault.code !== 'stamp-untrusted') unsound.add(size, authority, fault)
      continue
    }
    const name = verified.stamp.authority
    const time = latestTime(verified.stamp)
    if (time < (sound.get(name)?.latest ?? Number.POSITIVE_INFINITY)) {
      sound.set(name, { authority: name, token, latest: time })
    }
  }
  return [...sound.values()]
}

/** When a checkpoint that counts first held each entry of a log. */
export class CommittedTimes {
  readonly #sizes: readonly number[]
  /** By checkpoint: the earliest stamp of it and all larger ones, and the earliest quorum of witnesses. */
  readonly #stamped: Float64Array
  readonly #witnessed: Float64Array

  constructor(checkpoints: readonly TimedCheckpoint[]) {
    this.#sizes = checkpoints.map(({ size }) => size)
    this.#stamped = earliestTimes(checkpoints.map(({ at }) => at ?? Number.POSITIVE_INFINITY))
    this.#witnessed = earliestTimes(checkpoints.map(({ witnessedAt }) => witnessedAt))
  }

  /** Undefined if no stamped checkpoint holds the entry, or no witnessed one if that is required. */
  of(index: number): Instant | undefined {
    let low = 0
    let high = this.#sizes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sizes[middle] as number) > index) high = middle
      else low = middle + 1
    }
    if (low === this.#sizes.length) return undefined
    const at = Math.max(this.#stamped[low]!, this.#witnessed[low]!)
    return Number.isFinite(at) ? at : undefined
  }
}
