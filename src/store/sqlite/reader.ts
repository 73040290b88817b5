import { createReader } from '../reader.js'
import type { HistoryOptions, HistoryReader } from '../types.js'
import { connect, type Opened } from './connection.js'
import { answering, sqliteDialect } from './dialect.js'
import { openSnapshot } from './snapshot.js'

const BUSY_TIMEOUT_MS = 5000

/** What is prepared for one opening of the file. */
function prepared(opened: Opened, path: string) {
  return { opened, dialect: sqliteDialect(opened.layout, path), answer: answering(opened.db) }
}

/** See `openHistory`. */
export function openSqliteReader(path: string, options: HistoryOptions): HistoryReader {
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS
  const connection = connect(path, busyTimeoutMs)
  let last: ReturnType<typeof prepared> | undefined
  return createReader({
    path,
    location: path,
    version: async () => connection.use(({ generation, revision }) => ({ generation, revision })),
    run: async (work) =>
      connection.use((opened) => {
        if (last?.opened !== opened) last = prepared(opened, path)
        return last.answer(work(last.dialect))
      }),
    snapshot: async () => openSnapshot(path, busyTimeoutMs),
    async close() {
      last = undefined
      connection.close()
    },
  })
}
