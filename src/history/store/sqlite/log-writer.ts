import type { Database } from 'better-sqlite3'
import { ForeproofError } from '../../../contract/error.js'
import { subtreeRoot } from '../../log/merkle.js'
import type { CheckpointStamp, NewLeaf } from '../log-types.js'
import { OWN_LOG } from './log-tables.js'
import { KEPT_LEVELS, readLogs } from './logs.js'

/** The end of a log: its size, and the leaves that are in no whole subtree of 256 yet. */
interface LogEnd {
  size: number
  readonly leaves: Uint8Array[]
}

/** What is asked of and written to the logs of a file that is open for writing. */
export function writeLogs(db: Database, path: string) {
  const logs = readLogs(db)
  const ownName = db
    .prepare<[number], string | null>('SELECT name FROM foreproof_logs WHERE log = ?')
    .pluck()
  const setName = db.prepare('UPDATE foreproof_logs SET name = ? WHERE log = ?')
  const addLog = db.prepare('INSERT INTO foreproof_logs (name) VALUES (?)')
  const addEntry = db.prepare('INSERT INTO foreproof_log_entries VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addSubtree = db.prepare('INSERT INTO foreproof_log_subtrees VALUES (?, ?, ?, ?)')
  const addCheckpoint = db.prepare(
    'INSERT OR IGNORE INTO foreproof_log_checkpoints VALUES (?, ?, ?)',
  )
  const addStamp = db.prepare('INSERT OR IGNORE INTO foreproof_log_stamps VALUES (?, ?, ?, ?)')
  const dropStamp = db.prepare(
    'DELETE FROM foreproof_log_stamps WHERE log = ? AND size = ? AND authority = ?',
  )

  /** The number of a log to write to; one of that name is made where there is none. */
  const numberOf = (log: string | undefined): number => {
    const found = logs.number(log)
    if (found === undefined) return Number(addLog.run(log).lastInsertRowid)
    if (log === undefined || found !== OWN_LOG) return found
    throw new ForeproofError('invalid-input', `${path}: ${log} is the log of this very history`, {
      help: 'Mirror it into another history.',
    })
  }
  /** By number of the log: reading them again for each entry would cost as much as writing it. */
  const ends = new Map<number, LogEnd>()
  const endOf = (at: number): LogEnd => {
    const known = ends.get(at)
    if (known !== undefined) return known
    const size = logs.sizeOf(at)
    const end = { size, leaves: logs.lastLeaves(at, size) }
    ends.set(at, end)
    return end
  }
  /** Keeps the hash of each subtree that the last leaf has made whole. */
  const keepSubtrees = (at: number, end: LogEnd): void => {
    if (end.leaves.length < 2 ** KEPT_LEVELS) return
    let hashes: readonly Uint8Array[] = end.leaves.splice(0)
    for (let level = KEPT_LEVELS; end.size % 2 ** level === 0; level += KEPT_LEVELS) {
      const index = end.size / 2 ** level - 1
      addSubtree.run(at, level, index, subtreeRoot(Buffer.concat(hashes)))
      const above = level + KEPT_LEVELS
      if (end.size % 2 ** above === 0) hashes = logs.keptBelow(at, above, end.size / 2 ** above - 1)
    }
  }
  return {
    ...logs,
    name: (): string | undefined => ownName.get(OWN_LOG) ?? undefined,
    setName(name: string): void {
      if (logs.number(name) !== undefined) {
        throw new ForeproofError('invalid-input', `${path}: ${name} is a log that it mirrors`, {
          help: "Give this history's own log another name.",
        })
      }
      setName.run(name, OWN_LOG)
    },
    /** To be called when a transaction begins: others may have written since the last one, or it was undone. */
    begin: (): void => ends.clear(),
    append({ leaf, key }: NewLeaf, log: string | undefined): number {
      const at = numberOf(log)
      const end = endOf(at)
      const { originAt = null, horizonHours = null, model = null, kind = null } = key ?? {}
      addEntry.run(at, end.size, leaf, originAt, horizonHours, model, kind)
      end.leaves.push(leaf)
      end.size++
      keepSubtrees(at, end)
      return end.size - 1
    },
    addCheckpoint: (size: number, note: string, log: string | undefined): boolean =>
      addCheckpoint.run(numberOf(log), size, note).changes > 0,
    addStamp: (size: number, stamp: CheckpointStamp, log: string | undefined): boolean =>
      addStamp.run(numberOf(log), size, stamp.authority, stamp.token).changes > 0,
    dropStamp: (size: number, authority: string, log: string | undefined): void => {
      dropStamp.run(numberOf(log), size, authority)
    },
  }
}
