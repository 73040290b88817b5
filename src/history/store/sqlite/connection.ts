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
import { ForeproofError, fileError } from '../../../contract/error.js'
import { openRegular } from '../../../files/regular.js'
import { type Database, openSqlite, type Statement } from './driver.js'
import { databaseError, sqliteCode, truncatedError } from './faults.js'
import { type HistoryLayout, readLayout } from './layout.js'
import { refuseOtherKinds } from './neighbours.js'

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** One opening of a history file. */
export interface Opened {
  readonly db: Database
  readonly layout: HistoryLayout
  /** Counts the openings. */
  readonly generation: number
  /** SQLite's counter of commits by others. */
  readonly revision: number
}

interface State {
  readonly db: Database
  readonly layout: HistoryLayout
  readonly generation: number
  readonly dataVersion: Statement<[], number>
  /** A WAL database that no writer had open: it is read as a file that does not change. */
  readonly quiet: boolean
  seen: BigIntStats
  revision: number
  schemaVersion: number
}

export interface Connection {
  /** Runs on the file as it is now: reopened if replaced, its errors turned into ours. One opening is one object. */
  use<T>(read: (opened: Opened) => T): T
  close(): void
}

/** Opens the file once, for reading, without looking at it again. The caller closes it. */
export function openOnce(path: string, busyTimeoutMs: number): Opened {
  try {
    return openState(path, busyTimeoutMs, 1)
  } catch (cause) {
    throw explained(cause, path)
  }
}

/** A read-only connection that follows its file through replacement, loss and recovery. */
export function connect(path: string, busyTimeoutMs: number): Connection {
  let state: State | undefined
  let generation = 0

  const drop = () => {
    state?.db.close()
    state = undefined
  }
  const current = (): State => {
    if (state !== undefined && !stillValid(state, path)) drop()
    if (state === undefined) state = openState(path, busyTimeoutMs, ++generation)
    return state
  }
  return {
    use(read) {
      try {
        return read(current())
      } catch (cause) {
        const code = sqliteCode(cause)
        const busy = code?.startsWith('SQLITE_BUSY') || code?.startsWith('SQLITE_LOCKED')
        if (!busy) drop()
        throw explained(cause, path)
      }
    },
    close: drop,
  }
}

/** Looks whether the name still stands for the file that is open, and what others have committed. */
function stillValid(state: State, path: string): boolean {
  const now = statSync(path, { bigint: true })
  const before = state.seen
  if (now.ino !== before.ino || now.dev !== before.dev) return false
  // An open file stays readable when its rights are taken away; whoever took them meant it.
  if (now.ctimeNs !== before.ctimeNs) accessSync(path, constants.R_OK)
  const touched = now.size !== before.size || now.mtimeNs !== before.mtimeNs
  if (state.quiet) return !touched && !existsSync(`${path}-wal`)
  // A file that was cut off may still be answered for from SQLite's memory: ask anew.
  if (now.size < before.size) return false
  state.seen = now
  const revision = state.dataVersion.get() ?? 0
  if (revision === state.revision) return true
  state.revision = revision
  return schemaVersionOf(state.db) === state.schemaVersion
}

function openState(path: string, timeout: number, generation: number): State {
  const { wal, stats, needs } = readHeader(path)
  // SQLite makes two files beside a WAL database, even to read. Where no writer has it open, its file is complete.
  const quiet = wal && !existsSync(`${path}-wal`)
  const db = openSqlite(resolve(path), { readonly: true, timeout, immutable: quiet })
  try {
    db.pragma('temp_store = MEMORY')
    const layout = readLayout(db, path)
    // Where less than a page is missing, SQLite takes the rest for zeros.
    if (!wal && needs !== undefined && stats.size < needs) refuseTruncated(db, path)
    const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
    return {
      db,
      layout,
      generation,
      dataVersion,
      quiet,
      seen: stats,
      revision: dataVersion.get() ?? 0,
      schemaVersion: schemaVersionOf(db),
    }
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** Asks once more: a header read without a lock may be ahead of a file that a writer makes longer. */
function refuseTruncated(db: Database, path: string): void {
  const needs =
    Number(db.pragma('page_count', { simple: true })) *
    Number(db.pragma('page_size', { simple: true }))
  const { size } = statSync(path)
  if (size < needs) throw truncatedError(path, size, needs)
}

interface Header {
  readonly stats: BigIntStats
  readonly wal: boolean
  /** Bytes the file should have; undefined where the header does not say. */
  readonly needs: number | undefined
}

/** Reads the file's header; says what is no database before SQLite says it less well. */
function readHeader(path: string): Header {
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
    if (bytes === 0) throw notSqlite(path, 'the file is empty')
    // The first page of a new database may be written last: of what is being written SQLite has to tell, and
    // where the journal has gone by now, that page is there.
    if (!isMarked(bytes) && !existsSync(`${path}-journal`) && !isMarked(read())) {
      throw notSqlite(path, 'not an SQLite database')
    }
    const pageSize = header.readUInt16BE(16)
    const counted = header.readUInt32BE(24) === header.readUInt32BE(92)
    const needs = (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
    return { stats, wal: header[18] === 2, needs: counted ? needs : undefined }
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Our error for what SQLite threw; damage that is a missing end is called that. */
function explained(cause: unknown, path: string): unknown {
  const code = sqliteCode(cause)
  if (code?.startsWith('SQLITE_CORRUPT') || code?.startsWith('SQLITE_IOERR')) {
    const { stats, needs } = readHeader(path)
    const size = Number(stats.size)
    if (needs !== undefined && size < needs) return truncatedError(path, size, needs)
  }
  return databaseError(cause, path)
}

function schemaVersionOf(db: Database): number {
  return Number(db.pragma('schema_version', { simple: true }))
}

function notSqlite(file: string, why: string): ForeproofError {
  return new ForeproofError('invalid-input', `${file}: ${why}`, {
    file,
    help: 'Name the database that the producer or `foreproof history import` writes.',
  })
}
