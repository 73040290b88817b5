import { ForeproofError } from '../../contract/error.js'
import type { Instant } from '../../contract/instant.js'
import { isPostgres } from './postgres/address.js'
import { openPostgresReader } from './postgres/reader.js'
import { openPostgresWriter } from './postgres/writer.js'
import { otherScheme, shownHistory } from './shown.js'
import { openSqliteReader } from './sqlite/reader.js'
import { undoUnfinished } from './sqlite/writable.js'
import { openSqliteWriter } from './sqlite/writer.js'
import type { HistoryOptions, HistoryReader, HistoryWriter, LogFile } from './types.js'

/**
 * Opens a forecast history for reading; nothing is ever written. It is opened at the first use, so a
 * reader can be made before its history exists.
 * @param path of a SQLite file, or `postgres://…` for tables that `foreproof history init` has made.
 * @throws {ForeproofError} `usage` where it is a URL, but none of a PostgreSQL history.
 */
export function openHistory(path: string, options: HistoryOptions = {}): HistoryReader {
  refuseOtherSchemes(path)
  return isPostgres(path) ? openPostgresReader(path, options) : openSqliteReader(path, options)
}

/** What a history streams, over a connection of its own. */
export async function* streamed<T>(
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

/**
 * Opens a forecast history for writing; a SQLite file is created where there is none.
 * @param now - kept as the time at which an origin was first seen.
 * @throws {ForeproofError} when it cannot be written or is of a layout that is only read.
 */
export async function openHistoryWriter(path: string, now: Instant): Promise<HistoryWriter> {
  refuseOtherSchemes(path)
  if (isPostgres(path)) return await openPostgresWriter(path, now)
  return await openSqliteWriter(path, now, 'rows')
}

/**
 * Opens a history, which exists, for writing its logs; its rows are only read.
 * @throws {ForeproofError} when it is no history or cannot be written.
 */
export async function openLogWriter(path: string): Promise<LogFile> {
  if (isPostgres(path)) return await openPostgresWriter(path, 0)
  refuseOtherSchemes(path)
  undoUnfinished(path)
  const reader = openHistory(path)
  try {
    await reader.version()
  } finally {
    await reader.close()
  }
  return await openSqliteWriter(path, 0, 'logs')
}

function refuseOtherSchemes(path: string): void {
  if (otherScheme(path) === undefined) return
  throw new ForeproofError('usage', `${shownHistory(path)}: no kind of history`, {
    help: 'Name a SQLite file, or PostgreSQL as postgres://user@host/database.',
  })
}
