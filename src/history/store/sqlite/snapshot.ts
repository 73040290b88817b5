import { type Opened, openOnce } from './connection.js'
import { databaseError } from './faults.js'

/** Reads from one snapshot of the file, whatever others write meanwhile, over a connection of its own. */
export function inSnapshot<T>(path: string, busyTimeoutMs: number, read: (opened: Opened) => T): T {
  const opened = openOnce(path, busyTimeoutMs)
  try {
    const answer = read(opened)
    opened.demandWhole()
    return answer
  } catch (cause) {
    throw databaseError(cause, path)
  } finally {
    opened.db.close()
  }
}

/** The same for many rows, so many at a time: a promise for each would cost more than reading it. */
export async function* batchesInSnapshot<T>(
  path: string,
  busyTimeoutMs: number,
  size: number,
  read: (opened: Opened) => Iterable<T>,
): AsyncGenerator<readonly T[], void, undefined> {
  const opened = openOnce(path, busyTimeoutMs)
  try {
    let batch: T[] = []
    for (const row of read(opened)) {
      batch.push(row)
      if (batch.length < size) continue
      opened.demandWhole()
      yield batch
      batch = []
    }
    opened.demandWhole()
    if (batch.length > 0) yield batch
  } catch (cause) {
    throw databaseError(cause, path)
  } finally {
    opened.db.close()
  }
}
