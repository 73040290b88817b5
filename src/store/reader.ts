import { type Instant, parseInstant } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import { type Dialect, entryColumns, queryRows, queryValue, type SqlTask } from './dialect.js'
import type { HistoryExtent, HistoryReader, PairingWindow, RowVersion } from './history-reader.js'
import { toPairingRows, toStoredOrigin } from './hourly-rows.js'
import { DamagedLog, damagedLogError, LogQueries } from './logs.js'
import { attemptMonths, markAt, readAttemptMark, rowsSince } from './marks.js'
import { readWriterNotes } from './notes.js'
import { eachSeries, scanSeriesRows, seriesEntries, versionError } from './series-rows.js'
import { type HistorySnapshot, readEntries } from './snapshot.js'
import { computeStats } from './stats.js'
import { verifyStore } from './verify.js'

/** What a store provides to a reader. */
interface StoreAccess extends Pick<HistoryReader, 'path' | 'location' | 'version' | 'close'> {
  /** Runs a task on the current history; errors name the history. */
  run<T>(work: (dialect: Dialect) => SqlTask<T>): Promise<T>
  snapshot(): Promise<HistorySnapshot>
}

/** Creates a reader from the parts that stores share. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of short methods
export function createReader(store: StoreAccess): HistoryReader {
  const { path, location, version, close, run, snapshot: open } = store
  const ofLog = <T>(work: (log: LogQueries) => SqlTask<T>) =>
    run((dialect) => work(new LogQueries(dialect)))
  const withSnapshot = async <T>(read: (snapshot: HistorySnapshot) => Promise<T>): Promise<T> => {
    const snapshot = await open()
    try {
      return await read(snapshot)
    } catch (cause) {
      throw explained(cause, path)
    } finally {
      await snapshot.end()
    }
  }
  const ofHours = <T>(work: (dialect: Dialect) => SqlTask<T>) =>
    run((dialect) => {
      assertHourlyRows(dialect, path)
      return work(dialect)
    })
  async function* stream<T>(
    read: (snapshot: HistorySnapshot) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    const snapshot = await open()
    try {
      yield* read(snapshot)
    } catch (cause) {
      throw explained(cause, path)
    } finally {
      await snapshot.end()
    }
  }
  const streamOfHours = <T>(read: (snapshot: HistorySnapshot) => AsyncIterable<T>) =>
    stream((snapshot) => {
      assertHourlyRows(snapshot.dialect, path)
      return read(snapshot)
    })
  const page: HistoryReader['page'] = (query) => ofHours((dialect) => dialect.page(query))
  return {
    path,
    // A getter: where a reader is printed, the location is not shown.
    get location() {
      return location
    },
    version,
    close,
    page,
    count: () =>
      ofHours(function* (dialect) {
        return Number(yield* queryValue(`SELECT count(*) FROM ${dialect.table('forecasts')}`))
      }),
    mark: () => ofHours((dialect) => markAt(dialect)),
    rowsSince: (mark) => ofHours((dialect) => rowsSince(dialect, mark)),
    extent: () => ofHours(queryExtent),
    rowVersion: () => run(currentVersion),
    newestOrigin: async (filters) => parseInstant((await page({ filters, limit: 1 }))[0]?.originAt),
    latest: async () => (await page({ limit: 1 }))[0],
    async find({ origin, horizonHours, model }) {
      const filters = { originFrom: origin, originTo: origin, horizonHours, model }
      return (await page({ filters, limit: 1 }))[0]
    },
    attemptMark: () => ofHours(readAttemptMark),
    attemptMonths: (since) => ofHours((dialect) => attemptMonths(dialect, path, since)),
    models: () => run(queryModels),
    regimes: (window) => ofHours((dialect) => queryRegimes(dialect, window)),
    pairingRows: (window = {}, onStored) =>
      streamOfHours((snapshot) => toPairingRows(readEntries(snapshot, window), onStored)),
    entries: (window = {}) => streamOfHours((snapshot) => readEntries(snapshot, window)),
    origins: () =>
      streamOfHours(async function* ({ dialect, rows }) {
        const { columns, notes } = dialect.origins
        const sql = `SELECT ${columns}, ${notes} FROM ${dialect.table('origins')} o ORDER BY o.origin_at`
        for await (const batch of rows({ sql, values: [] })) {
          yield batch.map((values) => toStoredOrigin(dialect, values))
        }
      }),
    seriesEntries: (among) => stream((snapshot) => seriesEntries(snapshot, among)),
    seriesRows: (origins, onStored) =>
      stream((snapshot) => scanSeriesRows(eachSeries(snapshot), origins, path, onStored)),
    notes: () => run(readWriterNotes),
    stats: () => withSnapshot(computeStats),
    verify: (...args) => withSnapshot((snapshot) => verifyStore(snapshot, ...args)),
    log: () => ofLog((log) => log.log()),
    logSize: () => ofLog((log) => log.size()),
    logEntry: (key) => ofLog((log) => log.entry(key)),
    entriesOfKeys: (keys) => ofLog((log) => log.entriesOfKeys(keys)),
    logHash: (level, index) => ofLog((log) => log.hash(level, index)),
    logHashes: (level, from, to) => ofLog((log) => log.hashes(level, from, to)),
    keptHashes: () => ofLog((log) => log.keptHashes()),
    newestCheckpoint: () => ofLog((log) => log.newestCheckpoint()),
    logEntries: (from, to) =>
      stream(async function* ({ dialect, rows }) {
        const log = new LogQueries(dialect)
        const sql = `SELECT ${entryColumns(dialect)} FROM ${dialect.table('log_entries')}
          WHERE leaf_index >= $1 AND leaf_index < $2 ORDER BY leaf_index`
        for await (const batch of rows({ sql, values: [from, to] })) {
          yield batch.map((entry) => log.toEntry(entry))
        }
      }),
    checkpoints: (atLeast = 0) =>
      stream(async function* ({ dialect, run }) {
        const log = new LogQueries(dialect)
        for (const size of await run(log.sizes(atLeast))) {
          const checkpoint = await run(log.checkpoint(size))
          if (checkpoint !== undefined) yield checkpoint
        }
      }),
  }
}

/**
 * For readers of hourly rows: rows of any series would look like an empty history.
 * @throws {ForeproofError} `invalid-input`.
 */
function assertHourlyRows({ version }: Pick<Dialect, 'version'>, path: string): void {
  if (version === 2) throw versionError(2, path, OF_HOURS)
}

const OF_HOURS =
  'This reads hourly forecasts. Where a command takes --protocol, name the one that they are made under.'

/** Converts a damaged log into an error about the input. */
export function explained(cause: unknown, history: string): unknown {
  return cause instanceof DamagedLog ? damagedLogError(cause, history) : cause
}

/** See `HistoryReader.extent`. */
function* queryExtent(dialect: Dialect): SqlTask<HistoryExtent | undefined> {
  const of = (name: 'forecasts' | 'attempts') =>
    `(SELECT min(origin_at) FROM ${dialect.table(name)}), (SELECT max(origin_at) FROM ${dialect.table(name)})`
  const [row = []] = yield* queryRows(`SELECT ${of('forecasts')}, ${of('attempts')}`)
  const ends = row
    .map((end) => parseInstant(dialect.instant(end)))
    .filter((instant) => instant !== undefined)
  if (ends.length === 0) return undefined
  return { firstOrigin: Math.min(...ends), lastOrigin: Math.max(...ends) }
}

function* queryModels(dialect: Dialect): SqlTask<string[]> {
  const names = new Set<string>()
  for (const table of ['forecasts', 'attempts'] as const) {
    const sql = `SELECT DISTINCT ${dialect.model} FROM ${dialect.table(table)}`
    for (const [name] of yield* queryRows(sql)) names.add(String(name ?? ''))
  }
  return [...names].sort(compareText)
}

// biome-ignore lint/correctness/useYield: nothing has to be asked
function* currentVersion({ version }: Dialect): SqlTask<RowVersion> {
  return version
}

/** See `HistoryReader.regimes`. */
function* queryRegimes(
  dialect: Dialect,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: PairingWindow,
): SqlTask<ReadonlyMap<Instant, string>> {
  const { notes } = dialect.origins
  const rows = yield* queryRows(`SELECT o.origin_at, ${notes} FROM ${dialect.table('origins')} o`)
  const regimes: [Instant, string][] = []
  for (const [originAt, regime] of rows) {
    const origin = parseInstant(dialect.instant(originAt))
    if (origin === undefined || origin < from || origin > to) continue
    if (typeof regime === 'string') regimes.push([origin, regime])
  }
  return new Map(regimes.sort(([a], [b]) => a - b))
}
