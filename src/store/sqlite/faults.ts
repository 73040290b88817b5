import { ForeproofError, fileError } from '../../contract/error.js'
import { failed, type StoreFault, unavailable, unusable } from '../faults.js'
import { DamagedLog, damagedLogError } from '../logs.js'

const NAME_A_HISTORY = 'Name the database that the producer or `foreproof history import` writes.'

const DAMAGED = unusable(
  'damaged: SQLite cannot read part of it',
  'Restore it from a copy, or save what can be read with: sqlite3 FILE .recover',
)

const BUSY = unavailable(
  'locked by another process',
  'Wait until its writer has finished, then run again.',
)

const UNFINISHED = unavailable(
  'a writer was killed and left a journal beside it, which only a writer can undo',
  "Any program that writes repairs it: run the producer, the command that was killed, or: sqlite3 FILE 'PRAGMA user_version'",
)

const CLOSED = failed(
  'SQLite cannot open it, or a file it needs beside it',
  'Check the access rights of the file and its folder (a database in WAL mode needs both).',
)

/** By SQLite's result code. An extended code without an entry uses its first two parts. */
const FAULTS: Readonly<Record<string, StoreFault>> = {
  SQLITE_LOCKED: BUSY,
  SQLITE_PROTOCOL: BUSY,
  SQLITE_IOERR_SHORT_READ: DAMAGED,
  SQLITE_READONLY_RECOVERY: UNFINISHED,
  SQLITE_READONLY_CANTINIT: CLOSED,
  SQLITE_NOTADB: unusable('not an SQLite database', NAME_A_HISTORY),
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_BUSY: BUSY,
  SQLITE_READONLY_ROLLBACK: UNFINISHED,
  SQLITE_READONLY: failed(
    'the file or its folder cannot be written',
    'Give this user write access to both, or work on a copy.',
  ),
  SQLITE_CANTOPEN: CLOSED,
  SQLITE_FULL: failed(
    'no space left on the device',
    'Free some space and run again: nothing of the unfinished part was kept.',
  ),
  SQLITE_IOERR_WRITE: failed(
    'the device or file system takes no more of it',
    'Free some space or raise the limit (ulimit -f), then run again: nothing of the unfinished part was kept.',
  ),
  SQLITE_IOERR: failed(
    'the device or file system reported an error',
    'Check the disk, then run again.',
  ),
}

/** Known result codes: number, name, and message, since some errors have only a message. */
const CODES: readonly (readonly [code: number, name: string, says?: string])[] = [
  [5, 'SQLITE_BUSY', 'database is locked'],
  [6, 'SQLITE_LOCKED', 'database table is locked'],
  [8, 'SQLITE_READONLY', 'attempt to write a readonly database'],
  [10, 'SQLITE_IOERR', 'disk I/O error'],
  [11, 'SQLITE_CORRUPT', 'database disk image is malformed'],
  [13, 'SQLITE_FULL', 'database or disk is full'],
  [14, 'SQLITE_CANTOPEN', 'unable to open database file'],
  [15, 'SQLITE_PROTOCOL', 'locking protocol'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB', 'file is not a database'],
  [264, 'SQLITE_READONLY_RECOVERY'],
  [522, 'SQLITE_IOERR_SHORT_READ'],
  [776, 'SQLITE_READONLY_ROLLBACK'],
  [778, 'SQLITE_IOERR_WRITE'],
  [1288, 'SQLITE_READONLY_CANTINIT'],
]

interface Thrown {
  readonly code?: unknown
  readonly message?: string
  readonly errcode?: number
  readonly sqliteExtendedCode?: number
}

/** SQLite's name of an error's result code, or undefined for anything else. */
export function sqliteCode(cause: unknown): string | undefined {
  const { code, message, errcode = 1, sqliteExtendedCode = errcode } = (cause ?? {}) as Thrown
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return code
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  const findName = (number: number) => CODES.find(([known]) => known === number)?.[1]
  const named = CODES.find(([, , text]) => text !== undefined && text === message)?.[1]
  return (
    findName(sqliteExtendedCode) ?? findName(sqliteExtendedCode & 0xff) ?? named ?? 'SQLITE_ERROR'
  )
}

/** About an integer; the error code differs between methods. */
const TOO_WIDE = /is too large to be represented as a JavaScript number/

/**
 * Converts an error of SQLite or node:fs into a ForeproofError that names the file and says what to do.
 */
export function databaseError(cause: unknown, file: string): unknown {
  if (cause instanceof ForeproofError) return cause
  if (cause instanceof DamagedLog) return damagedLogError(cause, file)
  const code = sqliteCode(cause)
  if (cause instanceof Error && TOO_WIDE.test(cause.message)) {
    return invalidFileError(
      file,
      `an integer beyond 2^53 (${cause.message})`,
      'No column has use for one: correct the row.',
    )
  }
  if (code === undefined) {
    return typeof (cause as { errno?: unknown })?.errno === 'number'
      ? fileError(cause, file)
      : cause
  }
  const family = code.split('_').slice(0, 2).join('_')
  const fault = FAULTS[code] ?? FAULTS[family]
  if (fault === undefined) {
    const message = (cause as Error).message
    return new ForeproofError('io', `${file}: ${message} (${code})`, { file, cause })
  }
  const [kind, message, help] = fault
  return new ForeproofError(kind, `${file}: ${message}`, { file, help, cause })
}

/** The error for a file that cannot be used. @param why - the message after its name. */
export function invalidFileError(file: string, why: string, help: string): ForeproofError {
  return new ForeproofError('invalid-input', `${file}: ${why}`, { file, help })
}

/** The error for a file that is not a history. */
export function notAHistoryError(file: string, why: string): ForeproofError {
  return invalidFileError(file, why, NAME_A_HISTORY)
}

/** The file ends before its last page. */
export function truncatedError(file: string, has: number, needs: number): ForeproofError {
  const why = `truncated: ${has} of ${needs} bytes`
  return invalidFileError(file, why, 'Copy it again, or restore it from a copy.')
}
