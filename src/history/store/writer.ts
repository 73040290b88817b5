import type { Instant } from '../../contract/instant.js'
import { createPutter, type Putter } from '../import/put.js'
import { databaseError, sqliteCode } from './faults.js'
import { openStore } from './store.js'
import type { HistoryWriter, NewRow, PutResult } from './types.js'

/**
 * Opens a history for writing; the first transaction makes one where there is none.
 * @param now what is entered as the time at which new origins were seen.
 * @throws {ForeproofError} when the file cannot be written or is of a layout that is only read.
 */
export async function openHistoryWriter(path: string, now: Instant): Promise<HistoryWriter> {
  const store = openStore(path)
  let putter: Putter | undefined

  const putOne = (row: NewRow): PutResult => {
    if (putter === undefined) throw new Error('no transaction has begun')
    try {
      return 'forecast' in row ? putter.forecast(row.forecast) : putter.attempt(row.attempt)
    } catch (cause) {
      if (sqliteCode(cause)?.startsWith('SQLITE_CONSTRAINT') !== true) {
        throw databaseError(cause, path)
      }
      return { kind: 'refused', detail: (cause as Error).message }
    }
  }
  return {
    path,
    async begin() {
      store.begin()
      putter ??= createPutter(store, now)
    },
    put: async (rows) => rows.map(putOne),
    async note(key, text) {
      const sql = 'INSERT OR REPLACE INTO foreproof_meta (key, value) VALUES (?, ?)'
      store.db.prepare(sql).run(key, text)
    },
    async noted(key) {
      const sql = 'SELECT value FROM foreproof_meta WHERE key = ?'
      return store.db.prepare<[string], string>(sql).pluck().get(key)
    },
    commit: async () => store.commit(),
    rollback: async () => store.rollback(),
    close: async () => store.close(),
  }
}
