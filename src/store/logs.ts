import { ForeproofError } from '../contract/error.js'
import type { LogEntry, LogKey, StoredCheckpoint } from '../log/log-entry.js'
import { HASH_BYTES, subtreeRoot } from '../log/merkle.js'
import {
  type Dialect,
  entryColumns,
  keyFromColumns,
  queryRows,
  queryValue,
  type SqlTask,
  type Values,
} from './dialect.js'
import { LOG_NAME, readStoredNote } from './notes.js'
import type { StoredLog } from './stored-log.js'

/** Queries about the log of a history, for readers and writers; see `LogReader`. */
export class LogQueries {
  constructor(protected readonly dialect: Dialect) {}

  *name(): SqlTask<string | undefined> {
    return yield* readStoredNote(this.dialect, LOG_NAME)
  }

  *size(): SqlTask<number> {
    const last = yield* queryValue(
      `SELECT leaf_index FROM ${this.dialect.table('log_entries')} ORDER BY leaf_index DESC LIMIT 1`,
    )
    const size = Number(last ?? -1) + 1
    if (size <= MAX_ENTRIES) return size
    throw new DamagedLog(`it says to have ${size} entries`)
  }

  *entry(key: LogKey): SqlTask<LogEntry | undefined> {
    return (yield* this.entriesOfKeys([key]))[0]
  }

  *entriesOfKeys(keys: readonly LogKey[]): SqlTask<(LogEntry | undefined)[]> {
    const { dialect } = this
    const rows = yield* dialect.firstRows({
      table: dialect.table('log_entries'),
      columns: entryColumns(dialect),
      by: [...dialect.key, 'kind'],
      keys: keys.map((key) => [...dialect.keyColumns(key), key.kind]),
      order: 'ORDER BY leaf_index',
    })
    return rows.map((values) => values && this.toEntry(values))
  }

  /** The kept hashes of a level from index `from` to `to`, not included. */
  *kept(level: number, from: number, to: number): SqlTask<Uint8Array[]> {
    const [table, hash, place] =
      level === 0
        ? (['log_entries', 'leaf_hash', 'leaf_index'] as const)
        : (['log_subtrees', 'hash', 'subtree_index'] as const)
    const rows = yield* queryRows(
      `SELECT ${hash} FROM ${this.dialect.table(table)}
       WHERE ${place} >= $1 AND ${place} < $2 ${level === 0 ? '' : 'AND level = $3'} ORDER BY ${place}`,
      level === 0 ? [from, to] : [from, to, level],
    )
    if (rows.length !== to - from) throw missingHashesError(yield* this.size(), level, from, to)
    return rows.map(([hash]) => toHash(hash))
  }

  *hash(level: number, index: number): SqlTask<Uint8Array> {
    return (yield* this.hashes(level, index, index + 1))[0] as Uint8Array
  }

  *hashes(level: number, from: number, to: number): SqlTask<Uint8Array[]> {
    const above = level % KEPT_LEVELS
    const each = 2 ** above
    const kept = yield* this.kept(level - above, from * each, to * each)
    return Array.from({ length: to - from }, (_, n) =>
      subtreeRoot(Buffer.concat(kept.slice(n * each, (n + 1) * each))),
    )
  }

  *keptHashes(): SqlTask<number> {
    return Number(yield* queryValue(`SELECT count(*) FROM ${this.dialect.table('log_subtrees')}`))
  }

  *newestCheckpoint(): SqlTask<StoredCheckpoint | undefined> {
    return yield* this.checkpoint((yield* this.#sealed()) ?? -1)
  }

  *checkpoint(size: number): SqlTask<StoredCheckpoint | undefined> {
    const { dialect } = this
    const note = yield* queryValue(
      `SELECT note FROM ${dialect.table('log_checkpoints')} WHERE size = $1`,
      [size],
    )
    if (note === undefined) return undefined
    const stamps = yield* queryRows(
      `SELECT authority, token FROM ${dialect.table('log_stamps')} WHERE size = $1 ORDER BY authority`,
      [size],
    )
    return { size, note: String(note), stamps: stamps.map(toStamp) }
  }

  /** Sizes of the checkpoints from a size on. */
  *sizes(atLeast: number): SqlTask<number[]> {
    const rows = yield* queryRows(
      `SELECT size FROM ${this.dialect.table('log_checkpoints')} WHERE size >= $1 ORDER BY size`,
      [atLeast],
    )
    return rows.map(([size]) => Number(size))
  }

  *log(): SqlTask<StoredLog | undefined> {
    const name = yield* this.name()
    // In this order, so that no checkpoint covers more entries than were counted, even if others write meanwhile.
    const sealed = yield* this.#sealed()
    const size = yield* this.size()
    return name === undefined && size === 0 ? undefined : { name, size, sealed }
  }

  toEntry([index, leaf, ...columns]: Values): LogEntry {
    if (!isHash(leaf)) throw new DamagedLog(`entry ${index} has no hash of ${HASH_BYTES} bytes`)
    const kind = columns.pop() as LogKey['kind'] | null
    const hasKey = kind !== null && !columns.includes(null)
    const key = hasKey ? { ...keyFromColumns(this.dialect, columns), kind } : undefined
    return { index: Number(index), leaf: Buffer.from(leaf), key }
  }

  /** Size of the newest checkpoint. */
  *#sealed(): SqlTask<number | undefined> {
    const sql = `SELECT max(size) FROM ${this.dialect.table('log_checkpoints')}`
    // A size that is not a number is reported as a checkpoint of another log.
    return ((yield* queryValue(sql)) ?? undefined) as number | undefined
  }
}

/** The column may hold anything. The verification of tokens reports what is not a token. */
function toStamp([authority, token]: Values) {
  const bytes = Buffer.from(token instanceof Uint8Array ? token : String(token))
  return { authority: String(authority), token: bytes }
}

/**
 * More entries than any history has. A larger count is damage, and we must not allocate memory for it.
 */
const MAX_ENTRIES = 2 ** 31

/**
 * Stored data of foreproof is not in the form that it writes.
 * @param says - the message after the name of the history.
 */
export class DamagedLog extends Error {
  constructor(
    message: string,
    readonly help = 'Restore it from a copy, or bring it up from what was published (foreproof history resume).',
  ) {
    super(`its log is damaged: ${message}`)
  }
}

/** The error for a damaged log. @param history - what messages call it. */
export function damagedLogError(cause: DamagedLog, history: string): ForeproofError {
  const message = `${history}: ${cause.message}`
  return new ForeproofError('invalid-input', message, { file: history, help: cause.help, cause })
}

/** Levels of a tree from one kept hash to the next; 2^8 of them make one. */
export const KEPT_LEVELS = 8
const FAN_OUT = 2 ** KEPT_LEVELS

/** The hash of a whole subtree of 256^n leaves, which a store keeps beside the entries. */
export interface KeptSubtree {
  /** Of its root: 8, 16, …; leaves have level 0. */
  readonly level: number
  readonly index: number
  readonly hash: Uint8Array
}

/** How many hashes a store keeps beside the entries of a log of some size. */
export function keptCount(size: number): number {
  let count = 0
  for (let above = Math.floor(size / FAN_OUT); above > 0; above = Math.floor(above / FAN_OUT)) {
    count += above
  }
  return count
}

/** The error for stored hashes that a log of this size should have. */
function missingHashesError(size: number, level: number, from: number, to: number): Error {
  const each = 2 ** level
  const range = `${from * each} to ${to * each - 1}`
  if (size < to * each) return new RangeError(`the log has no entries ${range}`)
  if (level === 0) return new DamagedLog(`some of the entries ${range} are missing`, LOOK)
  return new DamagedLog(`a hash that is kept for entries ${range} is missing`, MAKE_ANEW)
}

/** A hash is stored for a subtree that the log does not have yet. */
export function prematureHashError({ level, index }: KeptSubtree): DamagedLog {
  const [from, to] = [index * 2 ** level, (index + 1) * 2 ** level - 1]
  const message = `a hash is kept for entries ${from} to ${to}, which it did not have`
  return new DamagedLog(message, MAKE_ANEW)
}

const LOOK = 'Run `foreproof history verify`: it says what is wrong, and what to do.'
const MAKE_ANEW = 'Run `foreproof history copy` into a new history: it makes these hashes anew.'

/** @throws {DamagedLog} if the column holds something else. */
function toHash(hash: unknown): Uint8Array {
  if (isHash(hash)) return hash
  throw new DamagedLog(`a hash has not ${HASH_BYTES} bytes`)
}

function isHash(hash: unknown): hash is Uint8Array {
  return hash instanceof Uint8Array && hash.length === HASH_BYTES
}
