import type { HistoryEntry } from '../entry-types.js'
import { NO_LOG } from '../kept-hashes.js'
import { writersNotes } from '../notes.js'
import { pairingRowOf } from '../pairing-rows.js'
import type { HistoryOptions, HistoryReader } from '../types.js'
import { attemptMark, attemptMonths } from './attempt-months.js'
import { createFacts } from './facts.js'
import { ENTRY_COLUMNS, explained, type Logs, logEntryOf, readLogs } from './logs.js'
import { createPages } from './pages.js'
import { type Ask, type Limits, openPool } from './pool.js'
import { listedColumns, ORIGIN_COLUMNS, ORIGIN_NOTES, storedOrigin } from './rows.js'
import { entriesOf } from './scan.js'
import { inSnapshot, type ServerSnapshot, streamInSnapshot } from './snapshot.js'
import { statsOf } from './stats.js'
import { quotedName } from './tables.js'
import { trackRows } from './tracking.js'
import { verifyAll } from './verify.js'
import { followVersion } from './version.js'

/** A request is to be answered within seconds, whatever the server does. */
const SERVING: Limits = { pool: 10, statementTimeoutMs: 5000, connectTimeoutMs: 2000 }

/** See `openHistory`. */
export function openPostgresReader(url: string, options: HistoryOptions): HistoryReader {
  const limits = options.serving === true ? SERVING : {}
  const pool = openPool(url, limits)
  const { address } = pool
  const { schema, shown } = address
  const versions = followVersion(pool)
  const ask: Ask = async (sql, values) => {
    await versions.checked()
    return await versions.watching(pool.ask(sql, values))
  }
  const pages = createPages(ask, schema)
  const tracking = trackRows(ask, schema)
  const facts = createFacts(ask, schema)
  const logs = readLogs(ask, schema)
  const told = <T>(read: (logs: Logs) => Promise<T>): Promise<T> => explained(read(logs), shown)
  const stream = <T>(read: (snapshot: ServerSnapshot) => AsyncIterable<T>) =>
    streamInSnapshot(address, limits, read)

  return {
    path: shown,
    // As a getter, a reader that somebody prints does not have it.
    get location() {
      return url
    },
    version: () => versions.version(),
    latest: async () => (await pages.page({ limit: 1 }))[0],
    page: (query) => pages.page(query),
    newestOrigin: (filters = {}) => pages.newestOrigin(filters),
    async find({ origin, horizonHours, model }) {
      const filters = { originFrom: origin, originTo: origin, horizonHours, model }
      return (await pages.page({ filters, limit: 1 }))[0]
    },
    count: () => pages.count(),
    mark: () => tracking.mark(),
    rowsSince: (mark) => tracking.rowsSince(mark),
    keysAt: (offset, count, of) => pages.keysAt(offset, count, of),
    attemptMark: () => attemptMark(ask, schema),
    attemptMonths: (since) => attemptMonths(ask, schema, since),
    extent: () => facts.extent(),
    models: () => facts.models(),
    regimes: (window) => facts.regimes(window),
    pairingRows: (window = {}) =>
      stream(async function* (snapshot) {
        for await (const batch of entriesOf(snapshot, schema, window)) {
          yield batch.map((entry: HistoryEntry) => pairingRowOf(entry))
        }
      }),
    entries: (window = {}) => stream((snapshot) => entriesOf(snapshot, schema, window)),
    origins: () =>
      stream(async function* ({ rows }) {
        const columns = listedColumns([...ORIGIN_COLUMNS, ...ORIGIN_NOTES], 'o')
        const origins = rows(
          `SELECT ${columns} FROM ${quotedName(schema)}.origins o ORDER BY o.origin_at`,
        )
        for await (const batch of origins) yield batch.map(storedOrigin)
      }),
    async notes() {
      const rows = await ask(`SELECT key, value FROM ${quotedName(schema)}.meta`)
      return writersNotes(rows.map(([key, value]) => [String(key), String(value)]))
    },
    stats: () =>
      explained(
        inSnapshot(address, limits, ({ ask }) => statsOf(ask, schema)),
        shown,
      ),
    verify: (report, onProgress) =>
      inSnapshot(address, limits, (snapshot) => verifyAll(snapshot, schema, report, onProgress)),
    logs: () => told((logs) => logs.all()),
    logSize: (log) => told((logs) => logs.size(log)),
    logEntry: (key, log) => told((logs) => logs.entry(key, log)),
    entriesOfKeys: (keys, log) => told((logs) => logs.entriesOfKeys(keys, log)),
    logHash: (level, index, log) => told((logs) => logs.hash(level, index, log)),
    logHashes: (level, from, to, log) => told((logs) => logs.hashes(level, from, to, log)),
    keptHashes: (log) => told((logs) => logs.keptHashes(log)),
    newestCheckpoint: (log) => told((logs) => logs.newestCheckpoint(log)),
    logEntries: (from, to, log) =>
      stream(async function* ({ ask, rows }) {
        const at = (await readLogs(ask, schema).number(log)) ?? NO_LOG
        const entries = rows(
          `SELECT ${ENTRY_COLUMNS} FROM ${quotedName(schema)}.log_entries
           WHERE log = $1 AND leaf_index >= $2 AND leaf_index < $3 ORDER BY leaf_index`,
          [at, from, to],
        )
        for await (const batch of entries) {
          yield await explained(
            Promise.resolve().then(() => batch.map(logEntryOf)),
            shown,
          )
        }
      }),
    checkpoints: (log, atLeast = 0) =>
      stream(async function* ({ ask, rows }) {
        const logs = readLogs(ask, schema)
        const at = (await logs.number(log)) ?? NO_LOG
        const sizes = rows(
          `SELECT size FROM ${quotedName(schema)}.log_checkpoints
           WHERE log = $1 AND size >= $2 ORDER BY size`,
          [at, atLeast],
        )
        for await (const batch of sizes) {
          for (const [size] of batch) {
            const checkpoint = await logs.checkpointOf(at, Number(size))
            if (checkpoint !== undefined) yield checkpoint
          }
        }
      }),
    close: () => pool.close(),
  }
}
