import type { Instant } from '../../contract/instant.js'
import { requireSqlite } from './sqlite/driver.js'
import { openSqliteReader } from './sqlite/reader.js'
import { openSqliteWriter } from './sqlite/writer.js'
import type { HistoryOptions, HistoryReader, HistoryWriter, LogFile } from './types.js'

/**
 * Looks whether histories can be opened at all, before work that would be in vain without them.
 * @throws {ForeproofError} `unavailable` where SQLite is not installed.
 */
export async function requireStore(): Promise<void> {
  requireSqlite()
}

/**
 * Opens a forecast history for reading; nothing is ever written. It is opened at the first use, so a
 * reader can be made before its history exists.
 * @param path of a SQLite file, the only store so far; another one is to be told by its URL, here.
 */
export function openHistory(path: string, options: HistoryOptions = {}): HistoryReader {
  return openSqliteReader(path, options)
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
 * Opens a forecast history for writing; it is created where there is none.
 * @param now - kept as the time at which an origin was first seen.
 * @throws {ForeproofError} when it cannot be written or is of a layout that is only read.
 */
export function openHistoryWriter(path: string, now: Instant): Promise<HistoryWriter> {
  return openSqliteWriter(path, now, 'rows')
}

/**
 * Opens a history, which exists, for writing its logs; its rows are only read.
 * @throws {ForeproofError} when it is no history or cannot be written.
 */
export async function openLogWriter(path: string): Promise<LogFile> {
  const reader = openHistory(path)
  try {
    await reader.version()
  } finally {
    await reader.close()
  }
  return await openSqliteWriter(path, 0, 'logs')
}
