import { accessSync, type BigIntStats, constants, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { pause } from '../../files/waiting.js'
import { type Database, openSqlite, type PreparedStatement } from './driver.js'
import { databaseError, sqliteCode, truncatedError } from './faults.js'
import { HeldFile } from './held-file.js'
import { type HistoryLayout, readLayout } from './layout.js'

/** How long a file that is overwritten in place must be quiet before we read it. */
const QUIET_MS = 250
/** How often a read is tried while the file is being overwritten. */
const MAX_ATTEMPTS = 3

/**
 * How a file is read. `journal`: under SQLite's locks, so it cannot change. `wal`: with a `-wal` file, which collects
 * changes. `quiet`: a WAL database without that file, read as one that does not change.
 */
type Kind = 'journal' | 'wal' | 'quiet'

/** One opening of a history file. */
export interface Opened {
  readonly db: Database
  readonly layout: HistoryLayout
  /**
   * Whether the file is in WAL mode. SQLite itself reports "delete" for a file opened as immutable.
   */
  readonly wal: boolean
  /** Counts the openings. */
  readonly generation: number
  /** Counts the changes noticed since it was opened. */
  readonly revision: number
}

interface State extends Opened {
  readonly path: string
  readonly kind: Kind
  /** SQLite's counter of commits by other connections. */
  readonly dataVersion: PreparedStatement<[], number>
  readonly begin: PreparedStatement<[]>
  readonly commit: PreparedStatement<[]>
  /** The file as it was when the transaction began. */
  seen: BigIntStats
  counter: number
  revision: number
  schema: string
}

/** Opens the file once, for reading, inside a transaction; it is not looked at again. The caller closes it. */
export function openOnce(path: string, busyTimeoutMs: number) {
  const file = new HeldFile(path)
  try {
    const state = openState(file, path, busyTimeoutMs, 1)
    const close = () => {
      state.db.close()
      file.release()
    }
    /**
     * Converts an error of a read. If the file changed meanwhile, that is reported, whatever SQLite threw.
     */
    const toFault = (cause: unknown) =>
      isWhole(state) ? databaseError(cause, path) : changedWhileReadError(state)
    /**
     * @throws {ForeproofError} `unavailable` if the file was written to, because the rows may be of two states.
     */
    const assertWhole = () => {
      if (!isWhole(state)) throw changedWhileReadError(state)
    }
    return Object.assign(state as Opened, { close, assertWhole, toFault })
  } catch (cause) {
    const fault = explained(cause, file, path)
    file.release()
    throw fault
  }
}

/** A read-only connection that follows its file through replacement, overwriting, loss and recovery. */
export function connect(path: string, busyTimeoutMs: number) {
  const file = new HeldFile(path)
  let state: State | undefined
  let generation = 0
  let wary = false

  const drop = () => {
    state?.db.close()
    state = undefined
  }
  /** Opens the current file, in a transaction. */
  const current = (): State => {
    const change = state === undefined ? 'anew' : resume(state)
    if (change === 'same' && state !== undefined) return state
    if (change === 'overwritten') wary = true
    drop()
    if (wary && isYounger(statSync(path, { bigint: true }), QUIET_MS)) throw overwrittenError(path)
    state = openState(file, path, busyTimeoutMs, ++generation)
    wary = false
    return state
  }
  return {
    /**
     * Runs a read on the current file in one transaction. Reopens a replaced or overwritten file, converts errors,
     * and runs again if the file is overwritten meanwhile. Each opening is a new object.
     */
    use<T>(read: (opened: Opened) => T): T {
      try {
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const opened = current()
          const answer = read(opened)
          const isUnchanged = isWhole(opened)
          opened.commit.run()
          if (isUnchanged) return answer
          wary = opened.kind === 'journal'
          drop()
        }
        throw wary ? overwrittenError(path) : transientError(path)
      } catch (cause) {
        const code = sqliteCode(cause)
        const busy = code?.startsWith('SQLITE_BUSY') || code?.startsWith('SQLITE_LOCKED')
        if (!busy) drop()
        else if (state?.db.inTransaction) state.commit.run()
        throw explained(cause, file, path)
      }
    },
    close() {
      drop()
      file.release()
    },
  }
}

/** Begins a transaction on the open file, and tells what others have done to it since. */
function resume(state: State): 'same' | 'anew' | 'overwritten' {
  const { path, kind } = state
  const before = state.seen
  if (!isSameInode(statSync(path, { bigint: true }), before)) return 'anew'
  state.begin.run()
  // Read the counter first: this takes the lock under which the file is then checked.
  const counter = state.dataVersion.get() ?? 0
  const stats = settledStat(path)
  if (!isSameInode(stats, before)) return 'anew'
  state.seen = stats
  // An open file stays readable after its permissions are removed, so check them again.
  if (stats.ctimeNs !== before.ctimeNs) accessSync(path, constants.R_OK)
  const touch = touchBetween(before, stats)
  if (kind === 'quiet') return touch === 'none' && !existsSync(`${path}-wal`) ? 'same' : 'anew'
  if (counter === state.counter) {
    if (touch === 'none') return 'same'
    // SQLite's counter did not change, so this was no commit. With a WAL, SQLite copies pages later. A new size may
    // mean an incomplete file.
    return kind === 'journal' && touch === 'content' && stats.size === before.size
      ? 'overwritten'
      : 'anew'
  }
  state.counter = counter
  state.revision++
  // SQLite may answer for a truncated file from its cache, so reopen it.
  return stats.size >= before.size && readSchema(state.db) === state.schema ? 'same' : 'anew'
}

/**
 * Whether the file is unchanged since the transaction began. With a WAL, SQLite may change it under readers.
 */
function isWhole({ kind, path, seen }: State): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (kind === 'wal' || now === undefined || !isSameInode(now, seen)) return true
  return touchBetween(seen, now) === 'none'
}

function openState(file: HeldFile, path: string, timeout: number, generation: number): State {
  const { wal, stats } = file.header()
  // SQLite creates two files beside a WAL database, even to read it. Without a writer, the main file is complete.
  const quiet = wal && !existsSync(`${path}-wal`)
  const kind = quiet ? 'quiet' : wal ? 'wal' : 'journal'
  const db = openSqlite(resolve(path), { readonly: true, timeout, immutable: quiet })
  try {
    db.pragma('temp_store = MEMORY')
    const [begin, commit] = [db.prepare<[]>('BEGIN'), db.prepare<[]>('COMMIT')]
    const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
    begin.run()
    const counter = dataVersion.get() ?? 0
    const seen = settledStat(path)
    if (!isSameInode(stats, seen)) {
      db.close()
      return openState(file, path, timeout, generation)
    }
    if (quiet && touchBetween(stats, seen) !== 'none') throw transientError(path)
    const layout = readLayout(db, path)
    // If less than a page is missing, SQLite reads the rest as zeros.
    if (!wal) assertComplete(db, path, Number(seen.size))
    const made = { db, path, layout, wal, generation, kind, dataVersion, begin, commit } as const
    return { ...made, seen, counter, revision: 0, schema: readSchema(db) }
  } catch (cause) {
    db.close()
    throw cause
  }
}

function assertComplete(db: Database, path: string, size: number): void {
  const needs =
    Number(db.pragma('page_count', { simple: true })) *
    Number(db.pragma('page_size', { simple: true }))
  if (size < needs) throw truncatedError(path, size, needs)
}

/** Converts an error of SQLite; damage by a missing end is reported as such. */
function explained(cause: unknown, file: HeldFile, path: string): unknown {
  const code = sqliteCode(cause)
  if (code !== undefined && TRANSIENT.test(code) && isInUse(file, path))
    return transientError(path, cause)
  if (code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_IOERR')) {
    const { stats, needs } = file.header()
    const size = Number(stats.size)
    if (needs !== undefined && size < needs) return truncatedError(path, size, needs)
  }
  return databaseError(cause, path)
}

/** The schema, which SQLite caches: definitions and root pages of tables and indexes. */
function readSchema(db: Database): string {
  const parts = db.prepare<[], unknown[]>('SELECT type, name, rootpage, sql FROM sqlite_master')
  return JSON.stringify(parts.raw().all())
}

/** The error for a file that changed while it was read. */
function changedWhileReadError({ kind, path }: State): ForeproofError {
  return kind === 'journal' ? overwrittenError(path) : transientError(path)
}

/** A writer created or deleted the write-ahead log during the read. A retry usually succeeds. */
export class TransientReadError extends ForeproofError {}

function transientError(file: string, cause?: unknown): TransientReadError {
  const message = `${file}: a writer creates and deletes its write-ahead log all the time`
  const help =
    'Run again. A writer that keeps its connection open, or leaves out wal_checkpoint(TRUNCATE), disturbs no reader.'
  return new TransientReadError('unavailable', message, { file, help, cause })
}

/** Errors that SQLite may report while a writer creates or deletes the write-ahead log. */
const TRANSIENT = /^SQLITE_(?:CORRUPT|CANTOPEN|IOERR_SHORT_READ|NOTADB|PROTOCOL)/
/** How long after the last write such an error counts as transient: longer than a reader retries. */
const RECENT_MS = 2000

/**
 * Whether a writer used the write-ahead log recently. A truncated file without a log is being overwritten by a copy.
 */
function isInUse(file: HeldFile, path: string): boolean {
  const { wal, stats, needs = 0 } = file.header()
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
  if (!wal || (log === undefined && Number(stats.size) < needs)) return false
  return [stats, log].some((each) => each !== undefined && isYounger(each, RECENT_MS))
}

function overwrittenError(file: string): ForeproofError {
  return new ForeproofError('unavailable', `${file}: it is being overwritten in place`, {
    file,
    help: 'Wait until that has ended. To put another history in its place, use `foreproof history backup`, or a rename.',
  })
}

/** Resolution of file times. A file written this recently can change again without a new time. */
const TICK_MS = 10
const MAX_STAT_CALLS = 4

/**
 * The stat of a file once its next change will show in it. A file written to all the time is taken as it is.
 */
function settledStat(path: string): BigIntStats {
  for (let left = MAX_STAT_CALLS; ; left--) {
    const stats = statSync(path, { bigint: true })
    if (left === 1 || !isYounger(stats, TICK_MS)) return stats
    pause(TICK_MS)
  }
}

/** Whether the file changed within the last milliseconds. */
function isYounger({ ctimeNs }: BigIntStats, milliseconds: number): boolean {
  return Date.now() - Number(ctimeNs) / 1e6 < milliseconds
}

function isSameInode(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/**
 * How a file changed between two stats. A copy that preserves the source's time ends with a change of attributes.
 */
function touchBetween(a: BigIntStats, b: BigIntStats): 'none' | 'attributes' | 'content' {
  if (a.size !== b.size || a.mtimeNs !== b.mtimeNs) return 'content'
  return a.ctimeNs === b.ctimeNs ? 'none' : 'attributes'
}
