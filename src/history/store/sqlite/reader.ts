import type { Instant } from '../../../contract/instant.js'
import { instantOf, NO_INSTANT } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import { writersNotes } from '../notes.js'
import type { HistoryExtent, HistoryOptions, HistoryReader } from '../types.js'
import { attemptMark, attemptMonths } from './attempt-months.js'
import { connect, type Opened } from './connection.js'
import { checkpointsOf, type Logs, logEntriesOf, readLogs } from './logs.js'
import { allNotes, storedOrigins } from './origins.js'
import { createPages, type Pages } from './pages.js'
import { regimesOf } from './regimes.js'
import { entriesOf, pairingRowsOf } from './scan.js'
import { batchesInSnapshot, inSnapshot } from './snapshot.js'
import { statsOf } from './stats.js'
import { type Tracking, trackRows } from './tracking.js'
import { verifyAll } from './verify.js'

const BUSY_TIMEOUT_MS = 5000
/** Rows of one batch; entries may hold long texts. */
const PAIRING_BATCH = 1000
const ENTRY_BATCH = 100

/** What is prepared for one opening of the file. */
interface Prepared {
  readonly opened: Opened
  readonly pages: Pages
  readonly tracking: Tracking
  /** Undefined where the file has no log. */
  readonly logs: Logs | undefined
}

/** See `openHistory`. */
export function openSqliteReader(path: string, options: HistoryOptions): HistoryReader {
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS
  const connection = connect(path, busyTimeoutMs)
  let prepared: Prepared | undefined

  const prepare = (opened: Opened): Prepared => {
    if (prepared?.opened !== opened) {
      const tracking = trackRows(opened)
      const logs = opened.layout.logs ? readLogs(opened.db) : undefined
      prepared = { opened, tracking, pages: createPages(opened, tracking), logs }
    }
    return prepared
  }
  const use = async <T>(read: (prepared: Prepared, opened: Opened) => T): Promise<T> =>
    connection.use((opened) => read(prepare(opened), opened))

  return {
    path,
    location: path,
    version: () => use((_, { generation, revision }) => ({ generation, revision })),
    latest: () => use(({ pages }) => pages.page({ limit: 1 })[0]),
    page: (query) => use(({ pages }) => pages.page(query)),
    newestOrigin: (filters = {}) =>
      use(({ pages }) => instantOf(pages.page({ filters, limit: 1 })[0]?.originAt)),
    find: (key) => use(({ pages }) => pages.find(key)),
    count: () => use(({ pages }) => pages.count()),
    mark: () => use(({ tracking }) => tracking.mark()),
    rowsSince: (mark) => use(({ tracking }) => tracking.rowsSince(mark)),
    keysAt: (offset, count, of) => use(({ pages }) => pages.keysAt(offset, count, of)),
    attemptMark: () => use((_, opened) => attemptMark(opened)),
    attemptMonths: (since) => use((_, opened) => attemptMonths(path, opened, since)),
    extent: () => use(({ tracking }, opened) => extentOf(opened, tracking)),
    models: () => use((_, opened) => modelsOf(opened)),
    regimes: (window) => use((_, opened) => regimesOf(opened, window)),
    pairingRows: (window = {}) =>
      batchesInSnapshot(path, busyTimeoutMs, PAIRING_BATCH, (opened) =>
        pairingRowsOf(opened, window),
      ),
    entries: (window = {}) =>
      batchesInSnapshot(path, busyTimeoutMs, ENTRY_BATCH, (opened) => entriesOf(opened, window)),
    origins: () => batchesInSnapshot(path, busyTimeoutMs, ENTRY_BATCH, storedOrigins),
    notes: () => use((_, { db }) => writersNotes(allNotes(db))),
    stats: async () => inSnapshot(path, busyTimeoutMs, (opened) => statsOf(opened, path)),
    verify: async (report, onProgress) =>
      inSnapshot(path, busyTimeoutMs, (opened) => verifyAll(opened, report, onProgress)),
    logs: () => use(({ logs }) => logs?.all() ?? []),
    logSize: (log) => use(({ logs }) => logs?.size(log) ?? 0),
    logEntry: (key, log) => use(({ logs }) => logs?.entry(key, log)),
    entriesOfKeys: (keys, log) => use(({ logs }) => keys.map((key) => logs?.entry(key, log))),
    logHash: (level, index, log) => use(({ logs }) => demandLogs(logs).hash(level, index, log)),
    logHashes: (level, from, to, log) =>
      use(({ logs }) => demandLogs(logs).hashes(level, from, to, log)),
    keptHashes: (log) => use(({ logs }) => logs?.keptHashes(log) ?? 0),
    newestCheckpoint: (log) => use(({ logs }) => logs?.newestCheckpoint(log)),
    logEntries: (from, to, log) =>
      batchesInSnapshot(path, busyTimeoutMs, PAIRING_BATCH, ({ db, layout }) =>
        layout.logs ? logEntriesOf(db, from, to, log) : [],
      ),
    async *checkpoints(log, atLeast = 0) {
      const batches = batchesInSnapshot(path, busyTimeoutMs, ENTRY_BATCH, ({ db, layout }) =>
        layout.logs ? checkpointsOf(db, log, atLeast) : [],
      )
      for await (const batch of batches) yield* batch
    },
    async close() {
      prepared = undefined
      connection.close()
    },
  }
}

function demandLogs(logs: Logs | undefined): Logs {
  if (logs === undefined) throw new RangeError('the history has no log')
  return logs
}

function extentOf({ db, layout }: Opened, tracking: Tracking): HistoryExtent | undefined {
  const bounds: Instant[] = []
  const ends = (table: string) =>
    db
      .prepare<[], [unknown, unknown]>(
        `SELECT (SELECT min(origin_at) FROM ${table}), (SELECT max(origin_at) FROM ${table})`,
      )
      .raw()
  const orderedAsText = tracking.order().kind === 'text'
  const sources = orderedAsText
    ? [ends('forecast_predictions')]
    : [
        db
          .prepare<[], [unknown, unknown]>(
            `SELECT min(instant), max(instant) FROM temp.foreproof_order WHERE instant > ${NO_INSTANT}`,
          )
          .raw(),
      ]
  if (layout.attempts) sources.push(ends('foreproof_attempts'))
  for (const source of sources) {
    for (const end of source.get() ?? []) {
      const instant = typeof end === 'number' ? end : instantOf(end)
      if (instant !== undefined) bounds.push(instant)
    }
  }
  if (bounds.length === 0) return undefined
  return { firstOrigin: Math.min(...bounds), lastOrigin: Math.max(...bounds) }
}

function modelsOf({ db, layout }: Opened): string[] {
  const tables = ['forecast_predictions', ...(layout.attempts ? ['foreproof_attempts'] : [])]
  const names = tables.flatMap((table) =>
    db.prepare<[], unknown>(`SELECT DISTINCT model_name FROM ${table}`).pluck().all(),
  )
  return [...new Set(names.map((name) => String(name ?? '')))].sort(compareText)
}
