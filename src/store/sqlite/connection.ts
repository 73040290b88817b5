import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  readSync,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { openRegular, refuseOther } from '../../files/regular.js'
import { pause } from '../../files/waiting.js'
import { type Database, openSqlite, type PreparedStatement } from './driver.js'
import { databaseError, noHistory, sqliteCode, truncatedError } from './faults.js'
import { type HistoryLayout, readLayout } from './layout.js'

/** So long a file must have been left alone that others write to as if it were no database. */
const QUIET_MS = 250
/** So often one answer is begun where the file is overwritten under it. */
const ATTEMPTS = 3

/**
 * How a file is read: under SQLite's locks, under which it may not change (`journal`); beside a `-wal` file, where
 * changes wait; or, where a WAL database has none, as a file that does not change (`quiet`).
 */
type Kind = 'journal' | 'wal' | 'quiet'

/** One opening of a history file. */
export interface Opened {
  readonly db: Database
  readonly layout: HistoryLayout
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
  try {
    const state = openState(path, busyTimeoutMs, 1)
    /** @throws {ForeproofError} `unavailable` where the file was overwritten: what was read may be of two files. */
    const demandWhole = () => {
      if (!isWhole(state)) throw overwritten(path)
    }
    return Object.assign(state as Opened, { demandWhole })
  } catch (cause) {
    throw explained(cause, path)
  }
}

/** A read-only connection that follows its file through replacement, overwriting, loss and recovery. */
export function connect(path: string, busyTimeoutMs: number) {
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
    if (wary && isYounger(statSync(path, { bigint: true }), QUIET_MS)) throw overwritten(path)
    state = openState(path, busyTimeoutMs, ++generation)
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
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const opened = current()
          const answer = read(opened)
          const whole = isWhole(opened)
          opened.commit.run()
          if (whole) return answer
          wary = opened.kind === 'journal'
          drop()
        }
        throw overwritten(path)
      } catch (cause) {
        const code = sqliteCode(cause)
        const busy = code?.startsWith('SQLITE_BUSY') || code?.startsWith('SQLITE_LOCKED')
        if (!busy) drop()
        else if (state?.db.inTransaction) state.commit.run()
        throw explained(cause, path)
      }
    },
    close: drop,
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

function openState(path: string, timeout: number, generation: number): State {
  const { wal, stats } = readFileHeader(path)
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
      return openState(path, timeout, generation)
    }
    if (quiet && touchBetween(stats, seen) !== 'none') throw overwritten(path)
    const layout = readLayout(db, path)
    // Where less than a page is missing, SQLite takes the rest for zeros.
    if (!wal) refuseTruncated(db, path, Number(seen.size))
    const made = { db, path, layout, generation, kind, dataVersion, begin, commit } as const
    return { ...made, seen, counter, revision: 0, schema: schemaOf(db) }
  } catch (cause) {
    db.close()
    throw cause
  }
}

function refuseTruncated(db: Database, path: string, size: number): void {
  const needs =
    Number(db.pragma('page_count', { simple: true })) *
    Number(db.pragma('page_size', { simple: true }))
  if (size < needs) throw truncatedError(path, size, needs)
}

/** Our error for what SQLite threw; damage that is a missing end is called that. */
function explained(cause: unknown, path: string): unknown {
  const code = sqliteCode(cause)
  if (code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_IOERR')) {
    const { stats, needs } = readFileHeader(path)
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

function overwritten(file: string): ForeproofError {
  return new ForeproofError('unavailable', `${file}: it is being overwritten in place`, {
    file,
    help: 'Wait until that has ended. To put another history in its place, use `foreproof history backup`, or a rename.',
  })
}

/** Times of files are no finer: what was written to so shortly before may be written to again and look the same. */
const TICK_MS = 10
const LOOKS = 4

/** A file whose next change will show; one that is written to all the time, as it is now. */
function settledStat(path: string): BigIntStats {
  for (let left = LOOKS; ; left--) {
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

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** Reads the file's header; says what is no database before SQLite says it less well. */
function readFileHeader(path: string) {
  let descriptor: number | undefined
  try {
    refuseOtherKinds(path)
    const stats = statSync(path, { bigint: true })
    const opened = openRegular(path)
    descriptor = opened
    const header = Buffer.alloc(HEADER_BYTES)
    const read = () => readSync(opened, header, 0, HEADER_BYTES, 0)
    const isMarked = (bytes: number) =>
      bytes === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC
    const bytes = read()
    if (bytes === 0) throw noHistory(path, 'the file is empty')
    // The first page of a new database may be written last: SQLite has to judge what is being written, and
    // where the journal has gone by now, that page is there.
    if (!isMarked(bytes) && !existsSync(`${path}-journal`) && !isMarked(read())) {
      throw noHistory(path, 'not an SQLite database')
    }
    const pageSize = header.readUInt16BE(16)
    const counted = header.readUInt32BE(24) === header.readUInt32BE(92)
    const needs = (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
    /** `needs`, the bytes the file should have; undefined where the header does not say. */
    return { stats, wal: header[18] === 2, needs: counted ? needs : undefined }
  } catch (cause) {
    const fault = fileError(cause, path)
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw fault
    const help = 'Name the history (--history), or make one: foreproof history import.'
    throw new ForeproofError(fault.code, fault.message, { file: path, help, cause })
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** What SQLite keeps beside a database, and opens whenever it opens that. */
const BESIDE = ['', '-journal', '-wal', '-shm']

/**
 * Looks at a database and the files beside it before SQLite opens them: a pipe in the place of one would
 * hold it for ever. They are not opened here: closing one would give up the locks of this process on it.
 * @throws {ForeproofError} `invalid-input` naming what is no regular file.
 */
export function refuseOtherKinds(path: string): void {
  for (const name of BESIDE.map((suffix) => `${path}${suffix}`)) {
    try {
      // One look each: a writer makes its journal and takes it away at any time.
      const status = statSync(name, { throwIfNoEntry: false })
      if (status !== undefined) refuseOther(status, name)
    } catch (cause) {
      throw fileError(cause, name)
    }
  }
}
