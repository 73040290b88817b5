import { isDeepStrictEqual } from 'node:util'
import { formatStored, type Instant } from '../../../contract/instant.js'
import type { AttemptRow, HistoryRow, ProvenanceRow, RawValue } from '../../../forecast/row.js'
import type { StoredKey } from '../entry-types.js'
import { type HistoryWriter, RefusedRow } from '../types.js'
import {
  ATTEMPT_COLUMNS,
  attemptRow,
  historyRow,
  originLookup,
  predictionColumns,
  provenanceColumns,
  provenanceJoin,
  sideJoins,
} from './columns.js'
import type { Database } from './driver.js'
import { databaseError, sqliteCode } from './faults.js'
import type { HistoryLayout } from './layout.js'
import { writeLogs } from './log-writer.js'
import { appendMissing, type MissingSource } from './missing-entries.js'
import { openWritable, type WritableFile, type WritingPurpose } from './writable.js'

type Values = readonly RawValue[]
type Key = [originAt: RawValue, model: RawValue, horizonHours: RawValue]

/** See `openHistoryWriter`. */
export async function openSqliteWriter(
  path: string,
  now: Instant,
  purpose: WritingPurpose,
): Promise<HistoryWriter> {
  const store = openWritable(path, purpose)
  const seenAt = formatStored(now)
  let prepared: Statements | undefined
  let preparedInserts: ReturnType<typeof prepareInserts> | undefined
  const statements = (): Statements => {
    prepared ??= prepare(store.db, store.layout, path)
    return prepared
  }
  const inserts = () => {
    preparedInserts ??= prepareInserts(store.db)
    return preparedInserts
  }
  const write = <T>(act: (sql: Statements) => T): T => {
    try {
      return act(statements())
    } catch (cause) {
      const isRule = sqliteCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true
      throw isRule
        ? new RefusedRow((cause as Error).message, { cause })
        : databaseError(cause, path)
    }
  }
  const addProvenance = (key: Key, said: ProvenanceRow | undefined): void => {
    if (said === undefined) return
    const { inputAvailableAt, selectionDataThrough, vintageId, vintageSha256 } = said
    const values = [inputAvailableAt, selectionDataThrough, vintageId, vintageSha256]
    inserts().addProvenance.run(...key, ...values)
  }
  return {
    path,
    async begin() {
      store.begin()
      prepared?.logs.begin()
    },
    commit: async () => store.commit(),
    rollback: async () => store.rollback(),
    close: async () => store.close(),
    // Holding values back would cost more than asking about each.
    keysAtOnce: 1,
    async expect() {},
    async origin(originAt) {
      return write((sql) => sql.originOf(originAt))
    },
    async addOrigin(row) {
      write(() => {
        inserts().addOrigin.run(
          row.originAt,
          row.generatedAt,
          row.sourceName,
          row.pair,
          row.sourcePriceUsd,
          row.firstSeenAt ?? seenAt,
          row.lastSeenAt ?? seenAt,
          row.runId,
          row.configurationId,
          row.manifestJson,
        )
        const { regime = null } = row
        if (regime !== null) store.db.prepare(SET_REGIME).run(regime, row.originAt)
      })
    },
    forecast: async (key) => write((sql) => sql.forecastOf(...keyOf(key))),
    attempt: async (key) => write((sql) => sql.attemptOf(...keyOf(key))),
    async addForecast(row) {
      return write(() => {
        const key = keyOf(row)
        const { changes } = inserts().addPrediction.run(
          ...key,
          row.targetAt,
          row.priceUsd,
          row.changePct,
          row.q10Usd,
          row.q50Usd,
          row.q90Usd,
          row.modelAgreement,
        )
        if (changes === 0) return false
        if (row.whole !== null) inserts().addResource.run(...key, row.origin.runId, row.whole)
        addProvenance(key, row.provenance)
        return true
      })
    },
    async addAttempt(row) {
      write((sql) => {
        const key = keyOf(row)
        const forecast = sql.forecastOf(...key)
        // Both rows of a key share one row of provenance.
        if (forecast !== undefined && !isDeepStrictEqual(forecast.provenance, row.provenance)) {
          throw new RefusedRow('a forecast of its key is there, with another provenance')
        }
        inserts().addAttempt.run(...key, row.status, row.reason, row.recordedAt)
        if (forecast === undefined) addProvenance(key, row.provenance)
      })
    },
    async note(key, text) {
      write((sql) => sql.note.run(key, text))
    },
    noted: async (key) => write((sql) => sql.noted.get(key)),
    logName: async () => write(({ logs }) => logs.name()),
    nameLog: async (name) => write(({ logs }) => logs.setName(name)),
    logSize: async (log) => write(({ logs }) => logs.size(log)),
    logEntry: async (key, log) => write(({ logs }) => logs.entry(key, log)),
    logHash: async (level, index, log) => write(({ logs }) => logs.hash(level, index, log)),
    newestCheckpoint: async (log) => write(({ logs }) => logs.newestCheckpoint(log)),
    appendLeaf: async (leaf, log) => write(({ logs }) => logs.append(leaf, log)),
    async appendMissing(leafOf) {
      return write((sql) => appendMissing(missingSource(store, sql), leafOf))
    },
    addCheckpoint: async (size, note, log) =>
      write(({ logs }) => logs.addCheckpoint(size, note, log)),
    addCheckpointStamp: async (size, stamp, log) =>
      write(({ logs }) => logs.addStamp(size, stamp, log)),
    dropCheckpointStamp: async (size, authority, log) =>
      write(({ logs }) => logs.dropStamp(size, authority, log)),
  }
}

function keyOf({ originAt, model, horizonHours }: StoredKey): Key {
  return [originAt, model, horizonHours]
}

/** What finding and appending the entries that are missing takes. */
function missingSource({ db, layout }: WritableFile, sql: Statements): MissingSource {
  return {
    db,
    layout,
    row(kind, [originAt, horizonHours, model]) {
      const forecast =
        kind === 'forecast' ? sql.forecastOf(originAt, model, horizonHours) : undefined
      const attempt = kind === 'attempt' ? sql.attemptOf(originAt, model, horizonHours) : undefined
      return { forecast, attempt }
    },
    has: (key) => sql.logs.entry(key, undefined) !== undefined,
    append: (leaf) => sql.logs.append(leaf, undefined),
    note: (key, text) => sql.note.run(key, text),
    noted: (key) => sql.noted.get(key),
  }
}

type Statements = ReturnType<typeof prepare>

function prepare(db: Database, layout: HistoryLayout, path: string) {
  const key = 'p.origin_at = ? AND p.model_name = ? AND p.horizon_hours = ?'
  const originOf = originLookup(db, layout)
  const prediction = db
    .prepare<Key, Values>(
      `SELECT ${predictionColumns(layout)} FROM forecast_predictions p ${sideJoins(layout)} WHERE ${key}`,
    )
    .raw()
  const attempt = db
    .prepare<Key, Values>(
      `SELECT ${[...ATTEMPT_COLUMNS, ...provenanceColumns(layout)].join(', ')}
       FROM foreproof_attempts p ${provenanceJoin(layout)} WHERE ${key}`,
    )
    .raw()
  return {
    logs: writeLogs(db, path),
    originOf,
    forecastOf(...key: Key): HistoryRow | undefined {
      const values = prediction.get(...key)
      return values && historyRow(values, originOf(key[0]))
    },
    attemptOf(...key: Key): AttemptRow | undefined {
      const values = attempt.get(...key)
      return values && attemptRow(values)
    },
    note: db.prepare('INSERT OR REPLACE INTO foreproof_meta (key, value) VALUES (?, ?)'),
    noted: db.prepare<[string], string>('SELECT value FROM foreproof_meta WHERE key = ?').pluck(),
  }
}

/** Apart, for there are producers' tables without it. */
const SET_REGIME = 'UPDATE forecast_origins SET regime = ? WHERE origin_at = ?'

/** Not for a file of which only the logs are written: its tables may lack columns. */
function prepareInserts(db: Database) {
  return {
    addOrigin: db.prepare(
      `INSERT INTO forecast_origins (origin_at, generated_at, source_name, pair, source_price_usd,
         market_features_json, first_seen_at, last_seen_at, experiment_run_id, configuration_id,
         experiment_manifest_json)
       VALUES (?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?)`,
    ),
    addPrediction: db.prepare(
      `INSERT INTO forecast_predictions (origin_at, model_name, horizon_hours, target_at,
         predicted_price_usd, predicted_change_pct, q10_usd, q50_usd, q90_usd, model_agreement)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (origin_at, model_name, horizon_hours) DO NOTHING`,
    ),
    addAttempt: db.prepare('INSERT INTO foreproof_attempts VALUES (?, ?, ?, ?, ?, ?)'),
    addProvenance: db.prepare('INSERT INTO foreproof_provenance VALUES (?, ?, ?, ?, ?, ?, ?)'),
    addResource: db.prepare('INSERT INTO foreproof_resources VALUES (?, ?, ?, ?, ?)'),
  }
}
