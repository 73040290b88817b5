import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { assertRegularTarget } from '../../files/atomic.js'
import type { RowVersion } from '../history-reader.js'
import { migrateToSeries, versionError } from '../series-rows.js'
import { openOnce } from './connection.js'
import { createRunner, sqliteDialect } from './dialect.js'
import { type Database, openSqlite } from './driver.js'
import { databaseError, invalidFileError, sqliteCode } from './faults.js'
import { assertRegularFiles, HeldFile } from './held-file.js'
import { type HistoryLayout, readLayout } from './layout.js'
import { assertStoredOrder, assertUtf8 } from './order.js'
import {
  FILTER_INDEXES,
  HISTORY_TABLES,
  LOG_KEY_INDEX,
  OWN_TABLES,
  READING_ORDER_INDEX,
  SERIES_TABLES,
  WRITTEN_COLUMNS,
} from './tables.js'

/**
 * Page cache in kibibytes. With it, an import of up to about 100,000 rows locks readers out only while it commits.
 */
const CACHE_KIB = 32_768
const BUSY_TIMEOUT_MS = 10_000

/**
 * What will be written: rows of either version, or only logs (then the other tables need not be writable).
 */
export type WritingPurpose = RowVersion | 'logs'

/**
 * Opens a history for writing, or creates it. The caller begins a transaction before it prepares statements.
 * @throws {ForeproofError} as the reader does, and `invalid-input` for a producer's file whose tables lack columns,
 * or have origins that are not in the stored form: foreproof never changes those tables.
 */
export function openWritable(path: string, purpose: WritingPurpose = 1) {
  const existed = existsSync(path)
  assertRegularFiles(path)
  // A reader of this process that closes the file must not release the writer's locks.
  const file = new HeldFile(path)
  let db: Database
  let removeFolder = () => {}
  try {
    if (!existed) removeFolder = createFolder(dirname(path))
    // A full path, because to SQLite some names (`:memory:`) are not files.
    db = openSqlite(resolve(path), { timeout: BUSY_TIMEOUT_MS })
    file.hold()
  } catch (cause) {
    removeFolder()
    throw writingError(cause, path)
  }
  let layout: HistoryLayout | undefined
  let fresh = false
  /** Whether anything of this run was committed. */
  let kept = false
  const withFileErrors = <T>(act: () => T): T => {
    try {
      return act()
    } catch (cause) {
      throw writingError(cause, path)
    }
  }
  const prepareTables = (): HistoryLayout => {
    fresh = db.prepare('SELECT 1 FROM sqlite_master').get() === undefined
    if (fresh) db.exec(HISTORY_TABLES)
    if (purpose === 1) assertWritableTables(db, readLayout(db, path), path)
    else readLayout(db, path)
    db.exec(OWN_TABLES)
    if (!fresh) db.exec(LOG_KEY_INDEX)
    let layout = assertUtf8(readLayout(db, path), path)
    if (purpose === 1 && layout.version === 2) throw versionError(2, path)
    if (purpose === 2 && layout.version === 1) {
      createRunner(db)(migrateToSeries(sqliteDialect(layout, path), SERIES_TABLES, path))
      layout = readLayout(db, path)
    }
    return layout
  }
  return {
    get db() {
      return db
    },
    get layout(): HistoryLayout {
      if (layout === undefined) throw new Error('no transaction has begun')
      return layout
    },
    /** Missing tables are created in the first transaction, and vanish if it is rolled back. */
    begin() {
      withFileErrors(() => {
        db.pragma(`cache_size = -${CACHE_KIB}`)
        db.exec('BEGIN IMMEDIATE')
        layout ??= prepareTables()
      })
    },
    commit() {
      withFileErrors(() => {
        // Sorting once is faster than keeping the order while a new file is filled.
        if (fresh) db.exec(READING_ORDER_INDEX + FILTER_INDEXES + LOG_KEY_INDEX)
        db.exec('COMMIT')
        kept = true
        fresh = false
      })
    },
    /** Rolls back to `begin`, including created tables. */
    rollback() {
      if (!db.inTransaction) return
      withFileErrors(() => db.exec('ROLLBACK'))
      layout = undefined
      fresh = false
    },
    /** Rolls back, and removes a new file that got nothing, with its folder. */
    close() {
      const undone = rollBackAndClose(db)
      file.release()
      // Commits of others stay. If the rollback failed, the rest of the file is not a history.
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (existed || kept || (undone && size > 0)) return
      for (const name of [path, `${path}-journal`]) rmSync(name, { force: true })
      removeFolder()
    },
  }
}

/**
 * Rolls back the transaction of a killed writer. A reader may not do this, so it must happen before reading a file
 * that will be written. Does nothing if there is nothing to roll back.
 * @throws {ForeproofError} as `openWritable`.
 */
export function rollBackUnfinished(path: string): void {
  if (!existsSync(path) || !existsSync(`${path}-journal`)) return
  assertRegularFiles(path)
  try {
    const db = openSqlite(resolve(path), { timeout: BUSY_TIMEOUT_MS })
    try {
      // SQLite rolls back before the first read.
      db.pragma('user_version')
    } finally {
      db.close()
    }
  } catch (cause) {
    throw writingError(cause, path)
  }
}

/** @returns false if SQLite could not roll back; the caller reports the earlier error. */
function rollBackAndClose(db: Database): boolean {
  try {
    if (db.inTransaction) db.exec('ROLLBACK')
    return true
  } catch {
    return false
  } finally {
    db.close()
  }
}

/** If the file is readable, the folder is the one that is not writable. */
function writingError(cause: unknown, file: string): unknown {
  if (sqliteCode(cause)?.startsWith('SQLITE_CANTOPEN') !== true) return databaseError(cause, file)
  return new ForeproofError('io', `${file}: the file or its folder cannot be written`, {
    file,
    help: 'Give this user write access to both: SQLite keeps a journal in the folder while it writes.',
    cause,
  })
}

/**
 * Creates the last folder of a path, such as `.state`; a longer missing path is probably a typo.
 * @returns a function that removes a created folder if it is empty.
 */
function createFolder(folder: string): () => void {
  if (existsSync(folder)) return () => {}
  try {
    mkdirSync(folder)
  } catch (cause) {
    throw fileError(cause, folder)
  }
  return () => {
    try {
      rmdirSync(folder)
    } catch {
      // The folder is not empty, or another process removed it first.
    }
  }
}

/**
 * @throws {ForeproofError} `invalid-input` if tables lack columns or have timestamps in another form, so that rows
 * cannot be written.
 */
function assertWritableTables(db: Database, layout: HistoryLayout, file: string): void {
  const absent = (['origins', 'predictions'] as const).flatMap((table) =>
    WRITTEN_COLUMNS[table].filter((column) => !layout[table].has(column)),
  )
  if (absent.length > 0) {
    throw invalidFileError(
      file,
      `the layout is an old one without ${absent.join(', ')}: the history can be read, but not written`,
      'Import into a new file; `foreproof history export` gives what this one holds.',
    )
  }
  createRunner(db)(assertStoredOrder(layout, file))
}

/**
 * Copies one file to another, as of one moment and in one transaction of the target: readers of the target see it
 * before or after.
 * @throws {ForeproofError} as readers and writers do; if the target is not a history; `refused` if the target is a
 * device or a pipe.
 */
export async function backupSqlite(from: string, to: string): Promise<void> {
  assertRegularTarget(to)
  const source = openOnce(from, BUSY_TIMEOUT_MS)
  const isNew =
    (statSync(to, { throwIfNoEntry: false })?.size ?? 0) === 0 && !existsSync(`${to}-journal`)
  try {
    if (!isNew) assertLockableHistory(to)
    await source.db.backup(resolve(to))
    source.assertWhole()
  } catch (cause) {
    if (isNew) for (const name of [to, `${to}-journal`]) rmSync(name, { force: true })
    throw writingError(cause, to)
  } finally {
    source.close()
  }
}

/**
 * Checks that the target is a history and can be locked, because the backup itself would wait forever.
 */
function assertLockableHistory(to: string): void {
  rollBackUnfinished(to)
  if (statSync(to).size > 0) openOnce(to, BUSY_TIMEOUT_MS).close()
  const target = openSqlite(resolve(to), { timeout: BUSY_TIMEOUT_MS })
  try {
    target.exec('BEGIN EXCLUSIVE; COMMIT')
  } finally {
    target.close()
  }
}
