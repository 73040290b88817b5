import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { assertRegularTarget } from '../../files/atomic.js'
import { migrateToSeries, versionError } from '../series-rows.js'
import type { RowVersion } from '../types.js'
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

/** Kibibytes of pages kept in memory: an import up to about 100,000 rows locks readers out only while it commits. */
const CACHE_KIB = 32_768
const BUSY_TIMEOUT_MS = 10_000

/** What is to be written: rows of either version, or only the logs, beside tables that rows could not be put into. */
export type WritingPurpose = RowVersion | 'logs'

/**
 * Opens a history for writing and creates it where there is none. The caller begins a transaction
 * before it prepares statements.
 * @throws {ForeproofError} as the reader does, and `invalid-input` for a producer's file whose tables lack columns, or have
 * origins that are not in the stored form: foreproof never changes those tables.
 */
export function openWritable(path: string, purpose: WritingPurpose = 1) {
  const existed = existsSync(path)
  assertRegularFiles(path)
  // A reader of this process that closes the file must not release the writer's locks.
  const file = new HeldFile(path)
  let db: Database
  let removeFolder = () => {}
  try {
    if (!existed) removeFolder = makeFolder(dirname(path))
    // A full path, for some names (`:memory:`) mean no file to SQLite.
    db = openSqlite(resolve(path), { timeout: BUSY_TIMEOUT_MS })
    file.hold()
  } catch (cause) {
    removeFolder()
    throw writingError(cause, path)
  }
  let layout: HistoryLayout | undefined
  let fresh = false
  /** Whether anything of this run is in the file for good. */
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
    /** Tables foreproof needs are made in the first transaction, and vanish with it. */
    begin() {
      withFileErrors(() => {
        db.pragma(`cache_size = -${CACHE_KIB}`)
        db.exec('BEGIN IMMEDIATE')
        layout ??= prepareTables()
      })
    },
    commit() {
      withFileErrors(() => {
        // Sorting once is quicker than keeping order while a new file is filled.
        if (fresh) db.exec(READING_ORDER_INDEX + FILTER_INDEXES + LOG_KEY_INDEX)
        db.exec('COMMIT')
        kept = true
        fresh = false
      })
    },
    /** Undoes what came since `begin`, also tables that were made. */
    rollback() {
      if (!db.inTransaction) return
      withFileErrors(() => db.exec('ROLLBACK'))
      layout = undefined
      fresh = false
    },
    /** Undoes what is not committed; a file that did not exist before, and got nothing, is removed again with its folder. */
    close() {
      const undone = rollBackAndClose(db)
      file.release()
      // What others have committed meanwhile stays; a rest that could not be undone is no history.
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (existed || kept || (undone && size > 0)) return
      for (const name of [path, `${path}-journal`]) rmSync(name, { force: true })
      removeFolder()
    },
  }
}

/**
 * Undoes what a writer had begun that was killed. A reader may not, so it has to be done before anything is read of a
 * file that is to be written. Does nothing where nothing is to be undone.
 * @throws {ForeproofError} as `openWritable`.
 */
export function rollBackUnfinished(path: string): void {
  if (!existsSync(path) || !existsSync(`${path}-journal`)) return
  assertRegularFiles(path)
  try {
    const db = openSqlite(resolve(path), { timeout: BUSY_TIMEOUT_MS })
    try {
      // SQLite does it before it reads anything.
      db.pragma('user_version')
    } finally {
      db.close()
    }
  } catch (cause) {
    throw writingError(cause, path)
  }
}

/** @returns false where SQLite could not undo the open transaction; what went wrong before is what has to be reported. */
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

/** Where a file may be read, it is the folder that takes no journal. */
function writingError(cause: unknown, file: string): unknown {
  if (sqliteCode(cause)?.startsWith('SQLITE_CANTOPEN') !== true) return databaseError(cause, file)
  return new ForeproofError('io', `${file}: the file or its folder cannot be written`, {
    file,
    help: 'Give this user write access to both: SQLite keeps a journal in the folder while it writes.',
    cause,
  })
}

/**
 * Makes the last folder of a path, as `.state`; a longer missing path is more likely a mistake.
 * @returns what takes a folder that was made away again, unless there is something in it.
 */
function makeFolder(folder: string): () => void {
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
      // Something is in it, or another process was faster.
    }
  }
}

/**
 * Refuses tables that rows cannot be put into.
 * @throws {ForeproofError} `invalid-input` where they lack columns, or spell timestamps otherwise.
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
 * Makes one file a copy of another as that is at one moment, in one transaction of the file that is written: who has
 * it open reads what it was or what it becomes.
 * @throws {ForeproofError} as readers and writers do; where the other file holds something else than a history;
 * `refused` where its name is that of a device or a pipe.
 */
export async function backupSqlite(from: string, to: string): Promise<void> {
  assertRegularTarget(to)
  const source = openOnce(from, BUSY_TIMEOUT_MS)
  const isNew =
    (statSync(to, { throwIfNoEntry: false })?.size ?? 0) === 0 && !existsSync(`${to}-journal`)
  try {
    if (!isNew) assertLockableHistory(to)
    await source.db.backup(resolve(to))
    source.demandWhole()
  } catch (cause) {
    if (isNew) for (const name of [to, `${to}-journal`]) rmSync(name, { force: true })
    throw writingError(cause, to)
  } finally {
    source.close()
  }
}

/** Looks whether it is a history that can be locked: the backup itself would wait for ever. */
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
