import { type Finding, finding } from '../../contract/findings/finding.js'
import type { HistoryEntry } from '../store/entry-types.js'
import type { LogEntry } from '../store/log-types.js'
import type { HistoryReader } from '../store/types.js'
import { readCheckpoint } from './checkpoint.js'
import { Frontier } from './frontier.js'
import { nameOfLeaf } from './leaf.js'
import { sameHash } from './merkle.js'
import { leafReader } from './row-leaf.js'

/**
 * Holds the rows of a history and its own log against each other, and the log against its checkpoints. Of what is
 * wrong the first is named.
 */
export async function verifyLog(
  reader: HistoryReader,
  report: (finding: Finding) => void,
): Promise<void> {
  const size = await reader.logSize()
  if (size === 0 && (await reader.newestCheckpoint()) === undefined) return
  /** For each entry: nothing yet, its row, or a row that is another now. */
  const seen = new Uint8Array(size)
  const missing = await markRows(reader, seen)
  if (missing !== undefined) report(finding('log-row-without-entry', missing))
  const wrongSize = await walkEntries(reader, seen, report)
  if (wrongSize !== undefined) report(finding('log-root', { size: wrongSize }))
}

const SAME = 1
const CHANGED = 2

/** Marks the entry of each row; the first row that has none, and how many there are. */
async function markRows(reader: HistoryReader, seen: Uint8Array) {
  const leafOf = leafReader()
  let missing: { row: string; count: number } | undefined
  for await (const batch of reader.entries()) {
    for (const row of batch.flatMap(apart)) {
      const leaf = leafOf(row)
      if (leaf === undefined) continue
      const entry = await reader.logEntry(leaf.key)
      if (entry !== undefined) seen[entry.index] = sameHash(entry.leaf, leaf.leaf) ? SAME : CHANGED
      else missing = { row: missing?.row ?? nameOfLeaf(leaf.key), count: (missing?.count ?? 0) + 1 }
    }
  }
  return missing
}

function apart({ forecast, attempt }: HistoryEntry): HistoryEntry[] {
  if (forecast === undefined || attempt === undefined) return [{ forecast, attempt }]
  return [
    { forecast, attempt: undefined },
    { forecast: undefined, attempt },
  ]
}

/** Names the first entry whose row is another or gone; returns the size of the first checkpoint that is not that of the entries. */
async function walkEntries(
  reader: HistoryReader,
  seen: Uint8Array,
  report: (finding: Finding) => void,
): Promise<number | undefined> {
  const sealed = await sealedRoots(reader, report)
  const last = sealed.at(-1)?.size ?? 0
  const told = new Set<boolean>()
  const tree = new Frontier()
  let at = 0
  for await (const batch of reader.logEntries(0, seen.length)) {
    for (const entry of batch) {
      tree.append(entry.leaf)
      const isSealed = entry.index < last
      if (seen[entry.index] !== SAME && !told.has(isSealed)) {
        told.add(isSealed)
        report(differing(entry, seen[entry.index] === CHANGED, isSealed))
      }
      const checkpoint = sealed[at]
      if (checkpoint?.size !== entry.index + 1) continue
      if (!sameHash(checkpoint.root, tree.root())) return checkpoint.size
      at++
    }
  }
  return sealed[at]?.size
}

/** What the checkpoints of the log say, smallest first; names the first that is none of this log or size. */
async function sealedRoots(reader: HistoryReader, report: (finding: Finding) => void) {
  const name = (await reader.logs()).find(({ own }) => own)?.name
  const sealed: { size: number; root: Uint8Array }[] = []
  let told = false
  for await (const { size, note } of reader.checkpoints()) {
    const read = readCheckpoint(note)
    if (read?.origin === name && read?.size === size) sealed.push({ size, root: read.root })
    else if (!told) {
      told = true
      report(finding('log-checkpoint-unreadable', { size }))
    }
  }
  return sealed
}

function differing(entry: LogEntry, changed: boolean, isSealed: boolean): Finding {
  const { index, key } = entry
  const row = key && nameOfLeaf(key)
  return isSealed
    ? finding('log-rewritten', { entry: index, row, change: changed ? 'changed' : 'gone' })
    : finding('log-entry-unsealed', { entry: index, row: row ?? '' })
}
