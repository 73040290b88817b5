import type { Instant } from '../../contract/instant.js'
import { formatStored } from '../../contract/instant.js'
import type { Attempt, ForecastResource, Provenance } from '../../contract/types.js'
import { resourceOf, type StoredResource } from '../../forecast/resource.js'
import type { HistoryRow, OriginRow, RawValue } from '../../forecast/row.js'
import {
  historyRow,
  originColumns,
  originRow,
  predictionColumns,
  sideJoins,
} from '../store/columns.js'
import type { Store } from '../store/store.js'
import type { Stored } from '../store/types.js'
import { differences } from './differences.js'
import { agreementOf, isFlat, normalise, normaliseAttempt, originRowOf } from './flat.js'

export interface Putter {
  /** A resource that the contract has accepted. */
  forecast(resource: ForecastResource): Stored
  attempt(attempt: Attempt): Stored
}

const ADDED: Stored = { kind: 'added' }
const UNCHANGED: Stored = { kind: 'unchanged' }
const POINTERS = 8
const ORIGINS_KEPT = 4096

type Key = readonly [originAt: string, model: string, horizonHours: number]

/** Writes rows into a store that has begun; the first write of a key wins. */
export function createPutter(store: Store, now: Instant): Putter {
  const sql = statementsFor(store)
  const seenAt = formatStored(now)
  const origins = new Map<string, OriginRow>()
  let attemptsExist = sql.anyAttempt.get() !== undefined

  const originFor = (name: string, make: () => OriginRow): OriginRow => {
    const kept = origins.get(name)
    if (kept !== undefined) return kept
    const values = sql.origin.get(name)
    const row = values === undefined ? make() : originRow(values)
    if (values === undefined) {
      sql.addOrigin.run(
        name,
        row.generatedAt,
        row.sourceName,
        row.pair,
        row.sourcePriceUsd,
        seenAt,
        seenAt,
        row.runId,
        row.configurationId,
        row.manifestJson,
      )
    }
    if (origins.size >= ORIGINS_KEPT) origins.delete(origins.keys().next().value as string)
    origins.set(name, row)
    return row
  }
  const addProvenance = (key: Key, said: Provenance | undefined): void => {
    if (said === undefined) return
    sql.addProvenance.run(
      ...key,
      said.input_available_at ?? null,
      said.selection_data_through ?? null,
      said.vintage_id ?? null,
      said.vintage_sha256 ?? null,
    )
  }
  const existing = (key: Key, known?: OriginRow): HistoryRow | undefined => {
    const values = sql.prediction.get(key[0], key[1], key[2])
    if (values === undefined) return undefined
    const origin = known === undefined ? sql.origin.get(key[0]) : undefined
    return historyRow(values, known ?? (origin && originRow(origin)))
  }
  const recorded = (key: Key) => {
    const values = sql.attempt.get(...key)
    if (values === undefined) return undefined
    const [status, reason, recordedAt, ...provenance] = values
    return { status, reason, recordedAt, provenance }
  }
  return {
    forecast(given) {
      const resource = normalise(given)
      const { estimate, interval, lineage } = resource
      const key: Key = [resource.origin_at, resource.model.name, resource.horizon_hours]
      if (attemptsExist && recorded(key) !== undefined) {
        return { kind: 'conflict', differs: [''], with: 'attempt' }
      }
      const origin = originFor(key[0], () => originRowOf(resource))
      const { changes } = sql.addPrediction.run(
        key[0],
        key[1],
        key[2],
        resource.target_at,
        estimate.price_usd,
        estimate.change_pct,
        interval.lower_usd,
        interval.median_usd,
        interval.upper_usd,
        agreementOf(resource.confidence),
      )
      if (changes === 0) return compared(existing(key, origin), resource, origin)
      if (!isFlat(resource, origin)) {
        sql.addResource.run(...key, resource.run.id, JSON.stringify(withoutFreshness(resource)))
      }
      addProvenance(key, lineage.provenance)
      return ADDED
    },
    attempt(given) {
      const attempt = normaliseAttempt(given)
      const key: Key = [attempt.originAt, attempt.model, attempt.horizonHours]
      const before = recorded(key)
      if (before !== undefined) {
        const said = attempt.provenance
        const now = {
          status: attempt.status,
          reason: attempt.reason,
          recordedAt: attempt.recordedAt,
          provenance: [
            said?.input_available_at ?? null,
            said?.selection_data_through ?? null,
            said?.vintage_id ?? null,
            said?.vintage_sha256 ?? null,
          ],
        }
        const differs = differences(now, before, POINTERS)
        return differs.length === 0
          ? UNCHANGED
          : { kind: 'conflict', differs: differs.map(attemptPointer), with: 'attempt' }
      }
      if (existing(key) !== undefined) return { kind: 'conflict', differs: [''], with: 'forecast' }
      sql.addAttempt.run(...key, attempt.status, attempt.reason, attempt.recordedAt)
      addProvenance(key, attempt.provenance)
      attemptsExist = true
      return ADDED
    },
  }
}

/** Pointers into an attempt as it is written, not as it is compared. */
function attemptPointer(pointer: string): string {
  if (pointer === '/recordedAt') return '/recorded_at'
  return pointer.startsWith('/provenance/') ? '/provenance' : pointer
}

function compared(
  before: HistoryRow | undefined,
  resource: StoredResource,
  origin: OriginRow,
): Stored {
  if (before !== undefined && isSameFlat(before, resource, origin)) return UNCHANGED
  let stored: unknown
  try {
    stored = before && resourceOf(before)
  } catch {
    // The row that is there cannot be shown as a resource: it is something else in any case.
  }
  const differs = differences(withoutFreshness(resource), stored, POINTERS)
  return differs.length === 0 ? UNCHANGED : { kind: 'conflict', differs, with: 'forecast' }
}

function withoutFreshness(resource: StoredResource): StoredResource {
  const { freshness, ...stored } = resource as ForecastResource
  return stored
}

/** True where comparing columns shows it: the common case of importing the same file again. */
function isSameFlat(row: HistoryRow, resource: StoredResource, origin: OriginRow): boolean {
  const { estimate, interval, lineage } = resource
  return (
    row.whole === null &&
    row.provenance === undefined &&
    lineage.provenance === undefined &&
    row.targetAt === resource.target_at &&
    row.priceUsd === estimate.price_usd &&
    row.changePct === estimate.change_pct &&
    row.q10Usd === interval.lower_usd &&
    row.q50Usd === interval.median_usd &&
    row.q90Usd === interval.upper_usd &&
    row.modelAgreement === agreementOf(resource.confidence) &&
    isFlat(resource, origin)
  )
}

type Values = readonly RawValue[]

function statementsFor({ db, layout }: Store) {
  const key = 'p.origin_at = ? AND p.model_name = ? AND p.horizon_hours = ?'
  return {
    anyAttempt: db.prepare('SELECT 1 FROM foreproof_attempts LIMIT 1'),
    origin: db
      .prepare<[string], Values>(
        `SELECT ${originColumns(layout)} FROM forecast_origins o WHERE o.origin_at = ?`,
      )
      .raw(),
    addOrigin: db.prepare(
      `INSERT INTO forecast_origins (origin_at, generated_at, source_name, pair, source_price_usd,
         market_features_json, first_seen_at, last_seen_at, experiment_run_id, configuration_id,
         experiment_manifest_json)
       VALUES (?, ?, ?, ?, ?, '{}', ?, ?, ?, ?, ?)`,
    ),
    prediction: db
      .prepare<[...Key], Values>(
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
      .prepare<[...Key], Values>(
        `SELECT p.status, p.reason, p.recorded_at,
           v.input_available_at, v.selection_data_through, v.vintage_id, v.vintage_sha256
         FROM foreproof_attempts p LEFT JOIN foreproof_provenance v USING (origin_at, model_name, horizon_hours)
         WHERE ${key}`,
      )
      .raw(),
    addAttempt: db.prepare('INSERT INTO foreproof_attempts VALUES (?, ?, ?, ?, ?, ?)'),
    addProvenance: db.prepare('INSERT INTO foreproof_provenance VALUES (?, ?, ?, ?, ?, ?, ?)'),
    addResource: db.prepare('INSERT INTO foreproof_resources VALUES (?, ?, ?, ?, ?)'),
  }
}
