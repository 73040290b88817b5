import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import { parseCheckpoint } from '../log/checkpoint.js'
import { Frontier } from '../log/frontier.js'
import type { LogEntry } from '../log/log-entry.js'
import { sameHash } from '../log/merkle.js'
import { parseRegistrations, REGISTRATIONS_NOTE, registrationLeaf } from '../log/registrations.js'
import { findInvalidStamps } from '../log/unsound-stamps.js'
import type { HistoryReader, StoreVerifyResult } from '../store/history-reader.js'
import { KEPT_LEVELS, keptCount } from '../store/logs.js'
import { readHistory } from '../store/open.js'
import { historyName } from '../store/shown.js'
import type { StoredLog } from '../store/stored-log.js'
import { type Anchor, readAnchors } from '../time/rfc3161/anchors.js'
import { createLeafReader, leafName, storedRows } from './leaf.js'

export interface HistoryVerifyResult extends StoreVerifyResult {
  /** Findings; a `more-findings` counts those of a kind that were not kept. */
  readonly findings: readonly Finding[]
  /** How many findings were counted and not kept. */
  readonly withheld: number
}

export interface HistoryVerifyOptions {
  /**
   * Folder with the trusted certificates (`*.pem`) of stamps; without it, the authority of a stamp is not checked.
   */
  readonly anchors?: string | undefined
  /** Called with the rows looked at so far, every few thousand. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/**
 * Checks a history in one snapshot, without writing: the store's integrity, the keys, timestamps, numbers and
 * quantiles of every row, orphans, foreproof's own tables, and the log with its checkpoints and stamps.
 * @throws {ForeproofError} when the history cannot be read to its end.
 */
export async function verifyHistory(
  path: string,
  { anchors, onProgress }: HistoryVerifyOptions = {},
): Promise<HistoryVerifyResult> {
  const trusted = anchors === undefined ? [] : readAnchors(anchors)
  const list = new FindingList()
  const report = (finding: Finding): void => list.add({ ...finding, file: historyName(path) })
  return await readHistory(path, async (reader) => {
    const verified = await reader.verify(report, onProgress)
    await verifyLog(reader, report, trusted)
    return { findings: list.all(), withheld: list.withheld, ...verified }
  })
}

/** The log under verification. */
interface Verified extends StoredLog {
  /** For each entry: nothing yet, its row, or a row that is another now. */
  readonly seen: Uint8Array
  /** Leaves that are registrations. */
  readonly registrations: ReadonlySet<string>
}

/**
 * Verifies the rows of a history against its log, the log against its checkpoints, and these against their stamps.
 * Reports the first fault of the log.
 * @param anchors - trusted authorities; without any, the authority of a stamp is not checked.
 */
export async function verifyLog(
  reader: HistoryReader,
  report: (finding: Finding) => void,
  anchors: readonly Anchor[] = [],
): Promise<void> {
  const digests = parseRegistrations((await reader.notes()).get(REGISTRATIONS_NOTE))
  const registrations = new Set(digests.map((digest) => toHex(registrationLeaf(digest))))
  const stored = await reader.log()
  if (stored === undefined) return
  const log: Verified = { ...stored, seen: new Uint8Array(stored.size), registrations }
  const missing = await markRows(reader, log)
  if (missing !== undefined) report(finding('log-row-without-entry', missing))
  const roots = new KeptRoots()
  // Wrong entries imply wrong hashes, so report only the entries.
  const wrong = (await walkEntries(reader, log, roots, report)) ?? (await roots.differing(reader))
  if (wrong !== undefined) report(wrong)
  for (const each of await findInvalidStamps(reader.checkpoints(), log.name, anchors)) report(each)
}

const toHex = (leaf: Uint8Array): string => Buffer.from(leaf).toString('hex')

const SAME = 1
const CHANGED = 2

/** Marks the entry of each row. @returns the first row without an entry, and how many there are. */
async function markRows(reader: HistoryReader, { seen }: Verified) {
  const readLeaf = createLeafReader()
  let missing: { row: string; count: number } | undefined
  for await (const batch of storedRows(reader, { anyOrder: true })) {
    const leaves = batch.flatMap((row) => readLeaf(row) ?? [])
    const entries = await reader.entriesOfKeys(leaves.map(({ key }) => key))
    for (const [at, { key, leaf }] of leaves.entries()) {
      const entry = entries[at]
      if (entry !== undefined) seen[entry.index] = sameHash(entry.leaf, leaf) ? SAME : CHANGED
      else {
        const count = (missing?.count ?? 0) + 1
        missing = { row: missing?.row ?? leafName(key), count }
      }
    }
  }
  return missing
}

/**
 * Reports the first entry whose row changed or is missing.
 * @returns the fault of the entries themselves: the first checkpoint that does not match, or a gap.
 */
async function walkEntries(
  reader: HistoryReader,
  log: Verified,
  roots: KeptRoots,
  report: (finding: Finding) => void,
): Promise<Finding | undefined> {
  const { seen } = log
  const sealed = await readSealedRoots(reader, log, report)
  const last = sealed.at(-1)?.size ?? 0
  const reported = new Set<boolean>()
  const tree = new Frontier()
  let at = 0
  const wrongRoot = () => {
    const size = sealed[at]?.size
    return size === undefined ? undefined : finding('log-root', { size })
  }
  for await (const batch of reader.logEntries(0, seen.length)) {
    for (const entry of batch) {
      // The root of a checkpoint shows a gap below it.
      if (entry.index !== tree.size && entry.index >= last) {
        return wrongRoot() ?? keptFault('gap', tree.size, tree.size)
      }
      tree.append(entry.leaf, roots.add)
      const isSealed = entry.index < last
      const isOpen = seen[entry.index] !== SAME && !reported.has(isSealed)
      if (isOpen && belongsToRow(entry, log) && !(await isRepeated(reader, entry, log))) {
        reported.add(isSealed)
        report(changedEntryFinding(entry, seen[entry.index] === CHANGED, isSealed))
      }
      const checkpoint = sealed[at]
      if (checkpoint?.size !== entry.index + 1) continue
      if (!sameHash(checkpoint.root, tree.root())) return wrongRoot()
      at++
    }
  }
  return wrongRoot()
}

/** Whether an entry must have a row. */
function belongsToRow({ key, leaf }: LogEntry, { registrations }: Verified): boolean {
  return key !== undefined || !registrations.has(toHex(leaf))
}

/**
 * Whether the row of an entry was deleted and restored, and so has an earlier entry with the same leaf.
 */
async function isRepeated(
  reader: HistoryReader,
  { index, key, leaf }: LogEntry,
  { seen }: Verified,
): Promise<boolean> {
  const first = key && (await reader.logEntry(key))
  if (first === undefined || first.index === index) return false
  return seen[first.index] === SAME && sameHash(first.leaf, leaf)
}

/** Reports stored hashes that do not match the entries. */
const keptFault = (fault: ArgsOf<'log-kept'>['fault'], first: number, last: number): Finding =>
  finding('log-kept', { fault, first, last })

/**
 * The roots of the checkpoints, smallest first. Reports the first that is of another log or size.
 */
async function readSealedRoots(
  reader: HistoryReader,
  { name, sealed: newest = 0 }: Verified,
  report: (finding: Finding) => void,
) {
  const sealed: { size: number; root: Uint8Array }[] = []
  let reported = false
  for await (const { size, note } of reader.checkpoints()) {
    // A checkpoint written meanwhile; its entries are not in this pass.
    if (size > newest) break
    const read = parseCheckpoint(note)
    if (read?.origin === name && read?.size === size) sealed.push({ size, root: read.root })
    else if (!reported) {
      reported = true
      report(finding('log-checkpoint-unreadable', { size }))
    }
  }
  return sealed
}

function changedEntryFinding(
  { index: entry, key }: LogEntry,
  changed: boolean,
  isSealed: boolean,
): Finding {
  const row = key && leafName(key)
  if (!isSealed) return finding('log-entry-unsealed', { entry, row: row ?? '' })
  const change = changed ? 'changed' : 'gone'
  return finding('log-rewritten', { entry, row, change })
}

/** The roots of the subtrees whose hashes a store keeps, computed from the entries. */
class KeptRoots {
  /** By level, from left to right. */
  readonly #made = new Map<number, Uint8Array[]>()

  /** Takes a root as `Frontier.append` gives it. */
  readonly add = (root: Uint8Array, level: number): void => {
    if (level % KEPT_LEVELS !== 0) return
    const before = this.#made.get(level)
    if (before === undefined) this.#made.set(level, [root])
    else before.push(root)
  }

  /**
   * Compares the stored hashes with these roots.
   * @returns the first hash that does not match, or how many have no entries; undefined if all match.
   */
  async differing(reader: HistoryReader): Promise<Finding | undefined> {
    for (const [level, roots] of this.#made) {
      const kept = await reader.logHashes(level, 0, roots.length)
      const at = roots.findIndex((root, index) => !sameHash(root, kept[index] as Uint8Array))
      if (at < 0) continue
      const each = 2 ** level
      return keptFault('hash', at * each, (at + 1) * each - 1)
    }
    // Read the hashes first, so that the entries of hashes written meanwhile are counted, too.
    const count = await reader.keptHashes()
    const more = count - keptCount(await reader.logSize())
    return more > 0 ? keptFault('more', 0, more) : undefined
  }
}
