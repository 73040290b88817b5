import type { Database } from 'better-sqlite3'
import { formatStored, type Instant } from '../../../contract/instant.js'
import type { ProvenanceRow, RawValue } from '../../../forecast/row.js'
import { type HistoryWriter, RefusedRow, type StoredKey } from '../types.js'
import {
  historyRow,
  originLookup,
  predictionColumns,
  provenanceColumns,
  provenanceJoin,
  provenanceRow,
  sideJoins,
} from './columns.js'
import { databaseError, sqliteCode } from './faults.js'
import type { HistoryLayout } from './layout.js'
import { openWritable } from './writable.js'

type Values = readonly RawValue[]
type Key = [originAt: string, model: string, horizonHours: number]

/** See `openHistoryWriter`. */
export async function openSqliteWriter(path: string, now: Instant): Promise<HistoryWriter> {
  const store = openWritable(path)
  const seenAt = formatStored(now)
  let prepared: Statements | undefined
  const statements = (): Statements => {
    prepared ??= prepare(store.db, store.layout)
    return prepared
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
    statements().addProvenance.run(...key, ...values)
  }
  return {
    path,
    begin: async () => store.begin(),
    commit: async () => store.commit(),
    rollback: async () => store.rollback(),
    close: async () => store.close(),
    async origin(originAt) {
      return write((sql) => sql.originOf(originAt))
    },
    async addOrigin(row) {
      write((sql) =>
        sql.addOrigin.run(
          row.originAt,
          row.generatedAt,
          row.sourceName,
          row.pair,
          row.sourcePriceUsd,
          seenAt,
          seenAt,
          row.runId,
          row.configurationId,
          row.manifestJson,
        ),
      )
    },
    async forecast(key) {
      const values = write((sql) => sql.prediction.get(...keyOf(key)))
      if (values === undefined) return undefined
      return historyRow(
        values,
        write((sql) => sql.originOf(key.originAt)),
      )
    },
    async attempt(key) {
      const values = write((sql) => sql.attempt.get(...keyOf(key)))
      if (values === undefined) return undefined
      const [status = null, reason = null, recordedAt = null] = values
      return { ...key, status, reason, recordedAt, provenance: provenanceRow(values, 3) }
    },
    async addForecast(row) {
      return write((sql) => {
        const key = keyOf(row)
        const { changes } = sql.addPrediction.run(
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
        if (row.whole !== null) sql.addResource.run(...key, row.runId, row.whole)
        addProvenance(key, row.provenance)
        return true
      })
    },
    async addAttempt(row) {
      write((sql) => {
        const key = keyOf(row)
        sql.addAttempt.run(...key, row.status, row.reason, row.recordedAt)
        addProvenance(key, row.provenance)
      })
    },
    async note(key, text) {
      write((sql) => sql.note.run(key, text))
    },
    noted: async (key) => write((sql) => sql.noted.get(key)),
  }
}

function keyOf({ originAt, model, horizonHours }: StoredKey): Key {
  return [originAt, model, horizonHours]
}

type Statements = ReturnType<typeof prepare>

function prepare(db: Database, layout: HistoryLayout) {
  const key = 'p.origin_at = ? AND p.model_name = ? AND p.horizon_hours = ?'
  return {
    originOf: originLookup(db, layout),
    addOrigin: db.prepare(
      `INSERT INTO forecast_origins (origin_at, generated_at, source_name, pair, source_price_usd,
         market_features_json, first_seen_at, last_seen_at, experiment_run_id, configuration_id,
         experiment_manifest_json)
       VALUES (?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?)`,
    ),
    prediction: db
      .prepare<Key, Values>(
        `SELECT ${predictionColumns(layout)} FROM forecast_predictions p ${sideJoins(layout)} WHERE ${key}`,
      )
      .raw(),
    addPrediction: db.prepare(
      `INSERT INTO forecast_predictions (origin_at, model_name, horizon_hours, target_at,
         predicted_price_usd, predicted_change_pct, q10_usd, q50_usd, q90_usd, model_agreement)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (origin_at, model_name, horizon_hours) DO NOTHING`,
    ),
    attempt: db
      .prepare<Key, Values>(
        `SELECT p.status, p.reason, p.recorded_at, ${provenanceColumns(layout).join(', ')}
         FROM foreproof_attempts p ${provenanceJoin(layout)} WHERE ${key}`,
      )
      .raw(),
    addAttempt: db.prepare('INSERT INTO foreproof_attempts VALUES (?, ?, ?, ?, ?, ?)'),
    addProvenance: db.prepare('INSERT INTO foreproof_provenance VALUES (?, ?, ?, ?, ?, ?, ?)'),
    addResource: db.prepare('INSERT INTO foreproof_resources VALUES (?, ?, ?, ?, ?)'),
    note: db.prepare('INSERT OR REPLACE INTO foreproof_meta (key, value) VALUES (?, ?)'),
    noted: db.prepare<[string], string>('SELECT value FROM foreproof_meta WHERE key = ?').pluck(),
  }
}
