import { accessSync, type BigIntStats, constants, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { pause } from '../../files/waiting.js'
import { type Database, openSqlite, type PreparedStatement } from './driver.js'
import { databaseError, sqliteCode, truncatedError } from './faults.js'
import { HeldFile } from './held-file.js'
import { type HistoryLayout, readLayout } from './layout.js'

/** So long a file must have been left alone that others write to as if it were no database. */
const QUIET_MS = 250
/** So often one answer is begun where the file is overwritten under it. */
const MAX_ATTEMPTS = 3

/**
 * How a file is read: under SQLite's locks, under which it may not change (`journal`); beside a `-wal` file, where
 * changes wait; or, where a WAL database has none, as a file that does not change (`quiet`).
 */
type Kind = 'journal' | 'wal' | 'quiet'

/** One opening of a history file. */
export interface Opened {
  readonly db: Database
  readonly layout: HistoryLayout
  /** Whether the file is in WAL mode; SQLite says "delete" of one that it takes to be immutable. */
  readonly wal: boolean
  /** Counts the openings. */
  readonly generation: number
  /** Counts the changes that were noticed since. */
  readonly revision: number
}

interface State extends Opened {
  readonly path: string
  readonly kind: Kind
  /** SQLite's counter of commits by others. */
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
    /** Our error for a failed read. Where the file changed meanwhile, that is the error, whatever SQLite threw. */
    const faultOf = (cause: unknown) =>
      isWhole(state) ? databaseError(cause, path) : changedWhileReadError(state)
    /** @throws {ForeproofError} `unavailable` where the file was written to: what was read may be of two states. */
    const demandWhole = () => {
      if (!isWhole(state)) throw changedWhileReadError(state)
    }
    return Object.assign(state as Opened, { close, demandWhole, faultOf })
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
  /** The file as it is now, in a transaction. */
  const current = (): State => {
    const found = state === undefined ? 'anew' : resume(state)
    if (found === 'same' && state !== undefined) return state
    if (found === 'overwritten') wary = true
    drop()
    if (wary && isYounger(statSync(path, { bigint: true }), QUIET_MS)) throw overwrittenError(path)
    state = openState(file, path, busyTimeoutMs, ++generation)
    wary = false
    return state
  }
  return {
    /**
     * Runs on the file as it is now, in one transaction: reopened if replaced or overwritten, its errors turned into
     * ours. One opening is one object. Where the file is overwritten meanwhile, it runs once more.
     */
    use<T>(read: (opened: Opened) => T): T {
      try {
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const opened = current()
          const answer = read(opened)
          const whole = isWhole(opened)
          opened.commit.run()
          if (whole) return answer
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

/** Begins a transaction on the file that is open, and says what others have done to it since. */
function resume(state: State): 'same' | 'anew' | 'overwritten' {
  const { path, kind } = state
  const before = state.seen
  if (!isSameInode(statSync(path, { bigint: true }), before)) return 'anew'
  state.begin.run()
  // The counter first: it takes the lock under which the file is then looked at.
  const counter = state.dataVersion.get() ?? 0
  const stats = settledStat(path)
  if (!isSameInode(stats, before)) return 'anew'
  state.seen = stats
  // An open file stays readable when its rights are taken away: whether it may be read is asked again.
  if (stats.ctimeNs !== before.ctimeNs) accessSync(path, constants.R_OK)
  const touch = touchBetween(before, stats)
  if (kind === 'quiet') return touch === 'none' && !existsSync(`${path}-wal`) ? 'same' : 'anew'
  if (counter === state.counter) {
    if (touch === 'none') return 'same'
    // SQLite counts its commits, so this was none; beside a WAL it moves them over later. Where the size is another
    // one, a file that is not complete shows.
    return kind === 'journal' && touch === 'content' && stats.size === before.size
      ? 'overwritten'
      : 'anew'
  }
  state.counter = counter
  state.revision++
  // A file that was cut off may still be answered for from SQLite's memory: ask anew.
  return stats.size >= before.size && schemaOf(state.db) === state.schema ? 'same' : 'anew'
}

/** Whether the file is as it was when the transaction began; beside a WAL SQLite changes it under readers by right. */
function isWhole({ kind, path, seen }: State): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (kind === 'wal' || now === undefined || !isSameInode(now, seen)) return true
  return touchBetween(seen, now) === 'none'
}

function openState(file: HeldFile, path: string, timeout: number, generation: number): State {
  const { wal, stats } = file.header()
  // SQLite makes two files beside a WAL database, even to read. Where no writer has it open, its file is complete.
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
    // Where less than a page is missing, SQLite takes the rest for zeros.
    if (!wal) assertComplete(db, path, Number(seen.size))
    const made = { db, path, layout, wal, generation, kind, dataVersion, begin, commit } as const
    return { ...made, seen, counter, revision: 0, schema: schemaOf(db) }
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

/** Our error for what SQLite threw; damage that is a missing end is called that. */
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

/** What SQLite goes by in a file, which it reads once: definitions and places of tables and indexes. */
function schemaOf(db: Database): string {
  const parts = db.prepare<[], unknown[]>('SELECT type, name, rootpage, sql FROM sqlite_master')
  return JSON.stringify(parts.raw().all())
}

/** The error for a file that changed while it was read. */
function changedWhileReadError({ kind, path }: State): ForeproofError {
  return kind === 'journal' ? overwrittenError(path) : transientError(path)
}

/** A writer created or deleted the write-ahead log during the read. The next read usually succeeds. */
export class TransientReadError extends ForeproofError {}

function transientError(file: string, cause?: unknown): TransientReadError {
  const says = `${file}: a writer creates and deletes its write-ahead log all the time`
  const help =
    'Run again. A writer that keeps its connection open, or leaves out wal_checkpoint(TRUNCATE), disturbs no reader.'
  return new TransientReadError('unavailable', says, { file, help, cause })
}

/** Errors that SQLite also reports while a writer creates or deletes the write-ahead log. */
const TRANSIENT = /^SQLITE_(?:CORRUPT|CANTOPEN|IOERR_SHORT_READ|NOTADB|PROTOCOL)/
/** How long after the last write such an error counts as transient: longer than a reader retries. */
const RECENT_MS = 2000

/** Whether a writer used the write-ahead log a moment ago. A file that is cut off, without a log, is being copied over. */
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

/** Times of files are no finer: what was written to so shortly before may be written to again and look the same. */
const TICK_MS = 10
const MAX_STAT_CALLS = 4

/** A file whose next change will show; one that is written to all the time, as it is now. */
function settledStat(path: string): BigIntStats {
  for (let left = MAX_STAT_CALLS; ; left--) {
    const stats = statSync(path, { bigint: true })
    if (left === 1 || !isYounger(stats, TICK_MS)) return stats
    pause(TICK_MS)
  }
}

/** Whether anything of it changed within so many milliseconds. */
function isYounger({ ctimeNs }: BigIntStats, milliseconds: number): boolean {
  return Date.now() - Number(ctimeNs) / 1e6 < milliseconds
}

function isSameInode(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/** What others did to a file between two looks; a copy that keeps the time of its source ends as a change of attributes. */
function touchBetween(a: BigIntStats, b: BigIntStats): 'none' | 'attributes' | 'content' {
  if (a.size !== b.size || a.mtimeNs !== b.mtimeNs) return 'content'
  return a.ctimeNs === b.ctimeNs ? 'none' : 'attributes'
}
