import { statSync } from 'node:fs'
import { ForeproofError } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import { computeRoot, sameHash } from '../log/merkle.js'
import { isExported, type RowsReader, readExportedRows } from './exported.js'
import type { HistoryOptions, HistoryReader, RowVersion } from './history-reader.js'
import type { HistoryWriter, LogFile } from './history-writer.js'
import { isPostgres } from './postgres/address.js'
import { initPostgres } from './postgres/layout.js'
import { openPostgresReader } from './postgres/reader.js'
import { openPostgresWriter } from './postgres/writer.js'
import { versionError } from './series-rows.js'
import { historyFiles, historyName, isUnknownAddress } from './shown.js'
import { openSqliteReader } from './sqlite/reader.js'
import { backupSqlite, rollBackUnfinished } from './sqlite/writable.js'
import { openSqliteWriter } from './sqlite/writer.js'

/**
 * Opens a forecast history for reading only. The connection opens on first use, so a reader can exist before its
 * history.
 * @param path of a SQLite file, or `postgres://…` for tables that `foreproof history init` has made.
 * @throws {ForeproofError} `usage` for a URL that is not of a PostgreSQL history.
 */
export function openHistory(path: string, options: HistoryOptions = {}): HistoryReader {
  assertKnownScheme(path)
  return isPostgres(path) ? openPostgresReader(path, options) : openSqliteReader(path, options)
}

/** Runs a query on a history over its own connection. */
export async function readHistory<T>(
  path: string,
  ask: (reader: HistoryReader) => Promise<T>,
): Promise<T> {
  const reader = openHistory(path)
  try {
    return await ask(reader)
  } finally {
    await reader.close()
  }
}

/**
 * For commands of the hourly API (version 1). A missing history is reported later, when it is read.
 * @param what - the command.
 * @throws {ForeproofError} `invalid-input` if the history has rows of any series.
 */
export async function assertHourly(path: string, what: string): Promise<void> {
  const reader = openHistory(path, { serving: true })
  const version = await reader.rowVersion().catch(() => 1)
  await reader.close()
  if (version === 1) return
  throw versionError(
    2,
    historyName(path),
    `${what} is of the API of version 1, which has hourly forecasts only.`,
  )
}

/** Streams from a history over its own connection. */
export async function* streamHistory<T>(
  path: string,
  open: (reader: HistoryReader) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const reader = openHistory(path)
  try {
    yield* open(reader)
  } finally {
    await reader.close()
  }
}

/** The same for rows only, which the lines of an export contain too. */
export function streamRows<T>(
  path: string,
  open: (reader: RowsReader) => AsyncIterable<T>,
): AsyncIterable<T> {
  return isExported(path) ? open(readExportedRows(path)) : streamHistory(path, open)
}

/**
 * Opens a forecast history for writing; a missing SQLite file is created.
 * @param now - stored as the time at which an origin was first seen.
 * @param version - of the rows: an empty history is converted to it.
 * @throws {ForeproofError} if it cannot be written or has a read-only layout.
 */
export async function openHistoryWriter(
  path: string,
  now: Instant,
  version: RowVersion = 1,
): Promise<HistoryWriter> {
  assertKnownScheme(path)
  if (isPostgres(path)) return await openPostgresWriter(path, now, version)
  return await openSqliteWriter(path, now, version)
}

/**
 * Opens an existing history for writing its logs; its rows are only read.
 * @throws {ForeproofError} if it is not a history or cannot be written.
 */
export async function openLogWriter(path: string): Promise<LogFile> {
  if (isPostgres(path)) return await openPostgresWriter(path, 0, 'logs')
  assertKnownScheme(path)
  rollBackUnfinished(path)
  await readHistory(path, (reader) => reader.version())
  return await openSqliteWriter(path, 0, 'logs')
}

/**
 * Creates the tables of a history in PostgreSQL. A SQLite file needs no such step, because the first import creates it.
 * @returns false if they exist already.
 * @throws {ForeproofError} `usage` unless it is such a URL; otherwise if the tables cannot be created, or existing ones
 * differ.
 */
export async function initHistory(url: string): Promise<boolean> {
  if (isPostgres(url)) return await initPostgres(url)
  throw new ForeproofError('usage', `${historyName(url)}: no URL of a PostgreSQL history`, {
    help: 'Name it as postgres://user@host/database. A SQLite file is made by the first import.',
  })
}

/**
 * Prepares a history for writing: creates tables in PostgreSQL, and rolls back what a killed writer left in a file.
 * @returns false if the history is certainly empty: a killed import may leave an empty file.
 */
export async function prepareHistory(path: string): Promise<boolean> {
  if (isPostgres(path)) return !(await initPostgres(path))
  rollBackUnfinished(path)
  return statSync(path, { throwIfNoEntry: false })?.size !== 0
}

/**
 * Copies a history from one SQLite file to another, while both may be in use.
 * @param options - `replace`: even if the target has another log.
 * @returns the size of the copy, in bytes.
 * @throws {ForeproofError} `usage` for a history that is not a file, and if the copy would replace another log;
 * otherwise as readers and writers do.
 */
export async function backupHistory(
  from: string,
  to: string,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<number> {
  const elsewhere = [from, to].find((name) => historyFiles(name).length === 0)
  if (elsewhere !== undefined) {
    throw new ForeproofError('usage', `${historyName(elsewhere)}: no SQLite file`, {
      help: 'Back up PostgreSQL with pg_dump; `foreproof history copy` makes a SQLite file of it.',
    })
  }
  if (!replace && (await hasOtherLog(from, to))) {
    throw new ForeproofError('usage', `${to}: holds another log than ${from}`, {
      file: to,
      help: 'Choose another file. With --replace the copy takes its place, and that log is lost.',
    })
  }
  await backupSqlite(from, to)
  return statSync(to).size
}

/** Whether a file has a log that is neither a prefix nor a continuation of the other log. */
async function hasOtherLog(from: string, to: string): Promise<boolean> {
  if ((statSync(to, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  rollBackUnfinished(to)
  const readLog = (path: string) =>
    readHistory(path, async (reader) => {
      const log = await reader.log()
      return log?.size === 0 ? undefined : log
    })
  const target = await readLog(to)
  if (target === undefined) return false
  const source = await readLog(from)
  if (source === undefined) return true
  const isNamed = source.name !== undefined && target.name !== undefined
  if (isNamed && source.name !== target.name) return true
  const size = Math.min(source.size, target.size)
  const root = (path: string) =>
    readHistory(path, (reader) => computeRoot(size, (level, index) => reader.logHash(level, index)))
  return !sameHash(await root(from), await root(to))
}

function assertKnownScheme(path: string): void {
  if (!isUnknownAddress(path)) return
  throw new ForeproofError('usage', `${historyName(path)}: no kind of history`, {
    help: 'Name a SQLite file, or PostgreSQL as postgres://user@host/database.',
  })
}
