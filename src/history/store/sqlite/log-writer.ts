import { earlyHash, OWN_LOG } from '../kept-hashes.js'
import { edgeRanges, LogEdge } from '../log-edge.js'
import { mirroredNameRefused, ownLogRefused } from '../log-names.js'
import type { CheckpointStamp, NewLeaf } from '../log-types.js'
import type { Database } from './driver.js'
import { readLogs } from './logs.js'

/** What is asked of and written to the logs of a file that is open for writing. */
export function writeLogs(db: Database, path: string) {
  const logs = readLogs(db)
  const ownName = db
    .prepare<[number], string | null>('SELECT name FROM foreproof_logs WHERE log = ?')
    .pluck()
  const setName = db.prepare('UPDATE foreproof_logs SET name = ? WHERE log = ?')
  const addLog = db.prepare('INSERT INTO foreproof_logs (name) VALUES (?)')
  const addEntry = db.prepare('INSERT INTO foreproof_log_entries VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addSubtree = db.prepare(
    'INSERT INTO foreproof_log_subtrees VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
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
    throw ownLogRefused(path, log)
  }
  /** By number of the log: reading them again for each entry would cost as much as writing it. */
  const edges = new Map<number, LogEdge>()
  const edgeOf = (at: number): LogEdge => {
    const known = edges.get(at)
    if (known !== undefined) return known
    const size = logs.sizeOf(at)
    const waiting = edgeRanges(size).map(({ level, from, to }) => logs.kept(at, level, from, to))
    const edge = new LogEdge(size, waiting)
    edges.set(at, edge)
    return edge
  }
  return {
    ...logs,
    name: (): string | undefined => ownName.get(OWN_LOG) ?? undefined,
    setName(name: string): void {
      if (logs.number(name) !== undefined) throw mirroredNameRefused(path, name)
      setName.run(name, OWN_LOG)
    },
    /** To be called when a transaction begins: others may have written since the last one, or it was undone. */
    begin: (): void => edges.clear(),
    append({ leaf, key }: NewLeaf, log: string | undefined): number {
      const at = numberOf(log)
      const edge = edgeOf(at)
      const index = edge.size
      const { originAt = null, horizonHours = null, model = null, kind = null } = key ?? {}
      addEntry.run(at, index, leaf, originAt, horizonHours, model, kind)
      for (const whole of edge.append(leaf)) {
        const { changes } = addSubtree.run(at, whole.level, whole.index, whole.hash)
        if (changes === 0) throw earlyHash(whole)
      }
      return index
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
