import type { Database } from 'better-sqlite3'
import { ForeproofError } from '../../../contract/error.js'
import type { CheckpointStamp, NewLeaf } from '../log-types.js'
import { OWN_LOG } from './log-tables.js'
import { KEPT_LEVELS, readLogs, subtreeRoot } from './logs.js'

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

  /** The number of a log to write to; one of that name is made where there is none. */
  const numberOf = (log: string | undefined): number => {
    const found = logs.number(log)
    if (found === undefined) return Number(addLog.run(log).lastInsertRowid)
    if (log === undefined || found !== OWN_LOG) return found
    throw new ForeproofError('invalid-input', `${path}: ${log} is the log of this very history`, {
      help: 'Mirror it into another history.',
    })
  }
  /** Keeps the hash of each subtree that the last leaf has made whole. */
  const keepSubtrees = (log: number, size: number): void => {
    for (let level = KEPT_LEVELS; size % 2 ** level === 0; level += KEPT_LEVELS) {
      const index = size / 2 ** level - 1
      addSubtree.run(log, level, index, subtreeRoot(logs.kept(log, level - KEPT_LEVELS, index)))
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
    append({ leaf, key }: NewLeaf, log: string | undefined): number {
      const at = numberOf(log)
      const index = logs.sizeOf(at)
      const { originAt = null, horizonHours = null, model = null, kind = null } = key ?? {}
      addEntry.run(at, index, leaf, originAt, horizonHours, model, kind)
      keepSubtrees(at, index + 1)
      return index
    },
    addCheckpoint: (size: number, note: string, log: string | undefined): boolean =>
      addCheckpoint.run(numberOf(log), size, note).changes > 0,
    addStamp: (size: number, stamp: CheckpointStamp, log: string | undefined): boolean =>
      addStamp.run(numberOf(log), size, stamp.authority, stamp.token).changes > 0,
  }
}
