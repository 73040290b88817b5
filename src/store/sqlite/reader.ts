import { setTimeout as pause } from 'node:timers/promises'
import type { HistoryOptions, HistoryReader } from '../history-reader.js'
import { createReader } from '../reader.js'
import { connect, type Opened, TransientReadError } from './connection.js'
import { createRunner, sqliteDialect } from './dialect.js'
import { assertUtf8 } from './order.js'
import { openSnapshot } from './snapshot.js'

const BUSY_TIMEOUT_MS = 5000
/**
 * How long to retry a read while a writer creates or deletes the write-ahead log, and the pause between tries.
 */
const RETRY_MS = 1000
const PAUSE_MS = 10

/** The prepared parts of one opening of the file. */
function prepared(opened: Opened, path: string, serving: boolean | undefined) {
  assertUtf8(opened.layout, path)
  return {
    opened,
    dialect: sqliteDialect(opened.layout, path, serving),
    answer: createRunner(opened.db),
  }
}

/** See `openHistory`. */
export function openSqliteReader(path: string, options: HistoryOptions): HistoryReader {
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS
  const connection = connect(path, busyTimeoutMs)
  let last: ReturnType<typeof prepared> | undefined
  const retrying = async <T>(read: (opened: Opened) => T): Promise<T> => {
    const until = performance.now() + RETRY_MS
    for (;;) {
      try {
        return connection.use(read)
      } catch (cause) {
        if (!(cause instanceof TransientReadError) || performance.now() > until) throw cause
        await pause(PAUSE_MS)
      }
    }
  }
  return createReader({
    path,
    location: path,
    version: () => retrying(({ generation, revision }) => ({ generation, revision })),
    run: (work) =>
      retrying((opened) => {
        if (last?.opened !== opened) last = prepared(opened, path, options.serving)
        return last.answer(work(last.dialect))
      }),
    snapshot: async () => openSnapshot(path, busyTimeoutMs),
    async close() {
      last = undefined
      connection.close()
    },
  })
}
