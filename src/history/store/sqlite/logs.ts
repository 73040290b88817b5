import { HASH_BYTES } from '../../log/merkle.js'
import {
  BEFORE_ALL,
  DamagedLog,
  isHash,
  keptFor,
  MOST_ENTRIES,
  missingHashes,
  NO_LOG,
  namelessLog,
  OWN_LOG,
  soundHash,
  unlistedLog,
} from '../kept-hashes.js'
import type {
  CheckpointStamp,
  LogEntry,
  LogKey,
  StoredCheckpoint,
  StoredLog,
} from '../log-types.js'
import type { Database } from './driver.js'

type EntryValues = readonly [
  index: number,
  leaf: Uint8Array,
  originAt: string | null,
  horizonHours: number | null,
  model: string | null,
  kind: LogKey['kind'] | null,
]
type KeyValues = [string, number, string, LogKey['kind']]

const ENTRY = 'leaf_index, leaf_hash, origin_at, horizon_hours, model_name, kind'

/** What is asked about the logs of an open file that has their tables. */
export type Logs = ReturnType<typeof readLogs>

export function readLogs(db: Database) {
  const numberOf = db
    .prepare<[string], number>('SELECT log FROM foreproof_logs WHERE name = ?')
    .pluck()
  const last = db
    .prepare<[number], number | null>(
      'SELECT max(leaf_index) FROM foreproof_log_entries WHERE log = ?',
    )
    .pluck()
  const leaves = db
    .prepare<[number, number, number], Uint8Array>(
      `SELECT leaf_hash FROM foreproof_log_entries
       WHERE log = ? AND leaf_index >= ? AND leaf_index < ? ORDER BY leaf_index`,
    )
    .pluck()
  const subtrees = db
    .prepare<[number, number, number, number], Uint8Array>(
      `SELECT hash FROM foreproof_log_subtrees
       WHERE log = ? AND level = ? AND subtree_index >= ? AND subtree_index < ?
       ORDER BY subtree_index`,
    )
    .pluck()
  // The plus keeps SQLite, which does not know how long a log is, from walking through all of it.
  const entry = db
    .prepare<[number, ...KeyValues], EntryValues>(
      `SELECT ${ENTRY} FROM foreproof_log_entries
       WHERE +log = ? AND origin_at = ? AND horizon_hours = ? AND model_name = ? AND kind = ?
       ORDER BY leaf_index LIMIT 1`,
    )
    .raw()
  const sealed = db
    .prepare<[number], number | null>(
      'SELECT max(size) FROM foreproof_log_checkpoints WHERE log = ?',
    )
    .pluck()
  const noteOf = db
    .prepare<[number, number], string>(
      'SELECT note FROM foreproof_log_checkpoints WHERE log = ? AND size = ?',
    )
    .pluck()
  const stamps = db.prepare<[number, number], CheckpointStamp>(
    'SELECT authority, token FROM foreproof_log_stamps WHERE log = ? AND size = ? ORDER BY authority',
  )
  const names = db
    .prepare<[], [log: number, name: string | null]>(
      'SELECT log, name FROM foreproof_logs ORDER BY log <> 0, name',
    )
    .raw()

  const countKept = db
    .prepare<[number], number>('SELECT count(*) FROM foreproof_log_subtrees WHERE log = ?')
    .pluck()
  const nextOf = ['foreproof_log_entries', 'foreproof_log_checkpoints'].map((table) =>
    db
      .prepare<[number], number>(`SELECT log FROM ${table} WHERE log > ? ORDER BY log LIMIT 1`)
      .pluck(),
  )
  /** A log that is not in the list of logs would be looked at by nobody. */
  const demandListed = (listed: readonly number[]): void => {
    for (const next of nextOf) {
      for (let at = next.get(BEFORE_ALL); at !== undefined; at = next.get(at)) {
        if (!listed.includes(at)) throw unlistedLog(at)
      }
    }
  }

  const number = (log: string | undefined) => (log === undefined ? OWN_LOG : numberOf.get(log))
  const sizeOf = (at: number) => {
    const size = (last.get(at) ?? -1) + 1
    if (size <= MOST_ENTRIES) return size
    throw new DamagedLog(`it says to have ${size} entries`)
  }
  /** The kept hashes of a level from index `from` to `to`, not included. */
  const kept = (at: number, level: number, from: number, to: number): Uint8Array[] => {
    const hashes = level === 0 ? leaves.all(at, from, to) : subtrees.all(at, level, from, to)
    if (hashes.length === to - from) return hashes.map(soundHash)
    throw missingHashes(sizeOf(at), level, from, to)
  }
  /** See `LogReader.logHashes`. */
  const hashes = (level: number, from: number, to: number, log: string | undefined) => {
    const below = keptFor(level, from, to)
    return below.made(kept(number(log) ?? NO_LOG, below.level, below.from, below.to))
  }
  const checkpointOf = (at: number, size: number): StoredCheckpoint | undefined => {
    const note = noteOf.get(at, size)
    return note === undefined
      ? undefined
      : { size, note, stamps: stamps.all(at, size).map(asBytes) }
  }
  return {
    /** Undefined for a name that no log has. */
    number,
    sizeOf,
    size: (log: string | undefined): number => sizeOf(number(log) ?? NO_LOG),
    entry(key: LogKey, log: string | undefined): LogEntry | undefined {
      const { originAt, horizonHours, model, kind } = key
      const values = entry.get(number(log) ?? NO_LOG, originAt, horizonHours, model, kind)
      return values && entryOf(values)
    },
    kept,
    /** See `LogReader.keptHashes`. */
    keptHashes: (log: string | undefined): number => countKept.get(number(log) ?? NO_LOG) ?? 0,
    hashes,
    /** See `LogState.logHash`. */
    hash: (level: number, index: number, log: string | undefined): Uint8Array =>
      hashes(level, index, index + 1, log)[0] as Uint8Array,
    checkpointOf,
    newestCheckpoint(log: string | undefined): StoredCheckpoint | undefined {
      const at = number(log) ?? NO_LOG
      return checkpointOf(at, sealed.get(at) ?? -1)
    },
    all(): StoredLog[] {
      const listed = names.all()
      demandListed(listed.map(([log]) => log))
      return listed.flatMap(([at, name]) => {
        // In this order: whatever is written meanwhile, no checkpoint has more entries than were counted.
        const newest = sealed.get(at) ?? undefined
        const size = sizeOf(at)
        const own = at === OWN_LOG
        if (own && name === null && size === 0) return []
        if (!own && name === null) throw namelessLog(at)
        return [{ name: name ?? undefined, own, size, sealed: newest }]
      })
    },
  }
}

/** The column can hold anything: what is no token is told where tokens are verified. */
function asBytes({ authority, token }: CheckpointStamp): CheckpointStamp {
  return { authority, token: Buffer.from(token instanceof Uint8Array ? token : String(token)) }
}

/** See `LogReader.logEntries`. */
export function* logEntriesOf(
  db: Database,
  from: number,
  to: number,
  log: string | undefined,
): Generator<LogEntry> {
  const rows = db
    .prepare<[number, number, number], EntryValues>(
      `SELECT ${ENTRY} FROM foreproof_log_entries
       WHERE log = ? AND leaf_index >= ? AND leaf_index < ? ORDER BY leaf_index`,
    )
    .raw()
  const at = readLogs(db).number(log) ?? NO_LOG
  for (const values of rows.iterate(at, from, to)) yield entryOf(values)
}

/** See `LogReader.checkpoints`. */
export function* checkpointsOf(
  db: Database,
  log: string | undefined,
  atLeast: number,
): Generator<StoredCheckpoint> {
  const logs = readLogs(db)
  const at = logs.number(log) ?? NO_LOG
  const sizes = db
    .prepare<[number, number], number>(
      'SELECT size FROM foreproof_log_checkpoints WHERE log = ? AND size >= ? ORDER BY size',
    )
    .pluck()
  for (const size of sizes.iterate(at, atLeast)) {
    const checkpoint = logs.checkpointOf(at, size)
    if (checkpoint !== undefined) yield checkpoint
  }
}

function entryOf([index, leaf, originAt, horizonHours, model, kind]: EntryValues): LogEntry {
  const hasKey = originAt !== null && horizonHours !== null && model !== null && kind !== null
  if (!isHash(leaf)) throw new DamagedLog(`entry ${index} has no hash of ${HASH_BYTES} bytes`)
  return {
    index,
    leaf: Buffer.from(leaf),
    key: hasKey ? { kind, originAt, model, horizonHours } : undefined,
  }
}
