import { isDeepStrictEqual } from 'node:util'
import { formatStored, type Instant } from '../../contract/instant.js'
import type {
  AttemptRow,
  ForecastRow,
  HistoryRow,
  OriginRow,
  ProvenanceRow,
  SoundAttempt,
} from '../../forecast/row.js'
import type { StoredKey } from '../../log/log-entry.js'
import { type Dialect, queryRows, type SqlTask, type StoreTable } from '../dialect.js'
import { type HistoryWriter, type NewOrigin, RefusedRow } from '../history-writer.js'
import { queryOrigins, queryRowsByKey, rowsWithOrigins, toAttemptRow } from '../hourly-rows.js'
import { LogAppender, type LogTarget } from '../log-writer.js'
import { SeriesRows } from '../series-rows.js'
import { type WrittenRows, writerMethods } from '../writer.js'
import { createRunner, sqliteDialect } from './dialect.js'
import type { Database } from './driver.js'
import { databaseError, sqliteCode } from './faults.js'
import type { HistoryLayout } from './layout.js'
import { WRITTEN_COLUMNS } from './tables.js'
import { openWritable, type WritingPurpose } from './writable.js'

type Key = readonly [originAt: string, model: string, horizonHours: number]

/** See `openHistoryWriter`. */
export async function openSqliteWriter(
  path: string,
  now: Instant,
  purpose: WritingPurpose,
): Promise<HistoryWriter> {
  const store = openWritable(path, purpose)
  let rows: Rows | undefined
  const run = async <T>(work: (rows: Rows) => SqlTask<T>): Promise<T> => {
    try {
      rows ??= new Rows(store.db, store.layout, path, formatStored(now))
      return rows.answer(work(rows))
    } catch (cause) {
      const isRule = sqliteCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true
      throw isRule
        ? new RefusedRow((cause as Error).message, { cause })
        : databaseError(cause, path)
    }
  }
  return {
    path,
    async begin() {
      store.begin()
      rows?.begin()
    },
    commit: async () => store.commit(),
    rollback: async () => store.rollback(),
    close: async () => store.close(),
    // Buffering would cost more than one query per row.
    keysAtOnce: 1,
    async expect() {},
    ...writerMethods(run),
  }
}

/** The rows and logs of a file that is open for writing. */
class Rows implements WrittenRows {
  readonly dialect: Dialect
  readonly answer: ReturnType<typeof createRunner>
  readonly log: LogAppender
  readonly series: SeriesRows
  /**
   * Cached since `begin`: no other process writes within the transaction, and most histories have no attempts.
   */
  #hasAttempts: boolean | undefined

  constructor(
    db: Database,
    layout: HistoryLayout,
    path: string,
    private readonly seenAt: string,
  ) {
    this.dialect = sqliteDialect(layout, path)
    this.answer = createRunner(db)
    const target = logTarget(this.dialect, path)
    this.log = new LogAppender(target)
    this.series = new SeriesRows(target)
  }

  /** Call this when a transaction begins. */
  begin(): void {
    this.#hasAttempts = undefined
    this.log.begin()
    this.series.clear()
  }

  *origin(originAt: string): SqlTask<OriginRow | undefined> {
    return (yield* queryOrigins(this.dialect, [originAt]))[0]
  }

  *forecast(key: StoredKey): SqlTask<HistoryRow | undefined> {
    const rows = yield* queryRowsByKey(this.dialect, 'forecasts', [key])
    return (yield* rowsWithOrigins(this.dialect, rows))[0]
  }

  *attempt(key: StoredKey): SqlTask<AttemptRow | undefined> {
    this.#hasAttempts ??=
      (yield* queryRows('SELECT 1 FROM foreproof_attempts LIMIT 1', [])).length > 0
    if (!this.#hasAttempts) return undefined
    const [values] = yield* queryRowsByKey(this.dialect, 'attempts', [key])
    return values && toAttemptRow(this.dialect, values)
  }

  *addOrigin(row: NewOrigin): SqlTask<void> {
    yield* queryRows(ADD_ORIGIN, [
      row.originAt,
      row.generatedAt,
      row.sourceName,
      row.pair,
      row.sourcePriceUsd,
      NO_FEATURES,
      row.firstSeenAt ?? this.seenAt,
      row.lastSeenAt ?? this.seenAt,
      row.runId,
      row.configurationId,
      row.manifestJson,
    ])
    const { regime = null } = row
    // A separate statement, because some producers' tables lack this column.
    if (regime !== null) yield* queryRows(SET_REGIME, [regime, row.originAt])
  }

  *addForecast(row: ForecastRow): SqlTask<boolean> {
    const key = toKey(row)
    const added = yield* queryRows(ADD_FORECAST, [
      ...key,
      row.targetAt,
      row.priceUsd,
      row.changePct,
      row.q10Usd,
      row.q50Usd,
      row.q90Usd,
      row.modelAgreement,
    ])
    if (added.length === 0) return false
    if (row.whole !== null) yield* queryRows(ADD_RESOURCE, [...key, row.origin.runId, row.whole])
    yield* addProvenance(key, row.provenance)
    return true
  }

  *addAttempt(row: SoundAttempt): SqlTask<void> {
    const key = toKey(row)
    const forecast = yield* this.forecast(row)
    // Both rows of a key share one row of provenance.
    if (forecast !== undefined && !isDeepStrictEqual(forecast.provenance, row.provenance)) {
      throw new RefusedRow('a forecast of its key is there, with another provenance')
    }
    this.#hasAttempts = true
    yield* queryRows(ADD_ATTEMPT, [...key, row.status, row.reason, row.recordedAt])
    if (forecast === undefined) yield* addProvenance(key, row.provenance)
  }
}

function logTarget(dialect: Dialect, shown: string): LogTarget {
  const insert = (table: StoreTable, count: number) =>
    `INSERT INTO ${dialect.table(table)} VALUES (${Array.from({ length: count }, (_, at) => `$${at + 1}`)})`
  const adding = {
    log_entries: insert('log_entries', dialect.key.length + 3),
    log_subtrees: `${insert('log_subtrees', 3)} ON CONFLICT DO NOTHING`,
    origins: ADD_ORIGIN,
    forecasts: insert('forecasts', dialect.key.length + 1),
    attempts: insert('attempts', dialect.key.length + 1),
  }
  return {
    dialect,
    shown,
    add: (table, values) => ({ sql: adding[table], values }),
  }
}

function toKey({ originAt, model, horizonHours }: StoredKey): Key {
  return [originAt, model, horizonHours]
}

function* addProvenance(key: Key, provenance: ProvenanceRow | undefined): SqlTask<void> {
  if (provenance === undefined) return
  const { inputAvailableAt, selectionDataThrough, vintageId, vintageSha256 } = provenance
  const values = [inputAvailableAt, selectionDataThrough, vintageId, vintageSha256]
  yield* queryRows(
    'INSERT OR REPLACE INTO foreproof_provenance VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [...key, ...values],
  )
}

/** Features of the market; only producers write them. */
const NO_FEATURES = '{}'

const insertInto = (table: string, columns: readonly string[]) =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`
const ADD_ORIGIN = insertInto('forecast_origins', WRITTEN_COLUMNS.origins)
const SET_REGIME = 'UPDATE forecast_origins SET regime = $1 WHERE origin_at = $2'
const ADD_FORECAST = `${insertInto('forecast_predictions', WRITTEN_COLUMNS.predictions)}
  ON CONFLICT (origin_at, model_name, horizon_hours) DO NOTHING`
const ADD_ATTEMPT = 'INSERT INTO foreproof_attempts VALUES ($1, $2, $3, $4, $5, $6)'
// REPLACE, because another program may have deleted the row and left its resource behind.
const ADD_RESOURCE = 'INSERT OR REPLACE INTO foreproof_resources VALUES ($1, $2, $3, $4, $5)'
