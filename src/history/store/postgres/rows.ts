import { formatStored } from '../../../contract/instant.js'
import type {
  AttemptRow,
  HistoryRow,
  OriginRow,
  ProvenanceRow,
  RawValue,
} from '../../../forecast/row.js'
import type { StoredOrigin } from '../entry-types.js'
import type { Value, Values } from './pool.js'

const PROVENANCE_COLUMNS = [
  'has_provenance',
  'input_available_at',
  'selection_data_through',
  'vintage_id',
  'vintage_sha256',
] as const

/** In the order that `historyRow` expects. */
export const FORECAST_COLUMNS = [
  'origin_at',
  'model',
  'horizon_hours',
  'target_at',
  'price_usd',
  'change_pct',
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'model_agreement',
  'whole',
  ...PROVENANCE_COLUMNS,
] as const

/** In the order that `attemptRow` expects. */
export const ATTEMPT_COLUMNS = [
  'origin_at',
  'model',
  'horizon_hours',
  'status',
  'reason',
  'recorded_at',
  ...PROVENANCE_COLUMNS,
] as const

/** In the order that `originRow` expects. */
export const ORIGIN_COLUMNS = [
  'origin_at',
  'generated_at',
  'source_name',
  'pair',
  'source_price_usd',
  'run_id',
  'configuration_id',
  'manifest_json',
] as const

/** In the order that `storedOrigin` expects, after those of its row. */
export const ORIGIN_NOTES = ['regime', 'first_seen_at', 'last_seen_at'] as const

/** Columns as SQL lists them. @param of - alias of their table. */
export function listedColumns(columns: readonly string[], of: string): string {
  return columns.map((name) => `${of}.${name}`).join(', ')
}

export function historyRow(values: Values, origin: OriginRow | undefined): HistoryRow {
  return {
    originAt: stored(values[0]),
    model: plain(values[1]),
    horizonHours: plain(values[2]),
    targetAt: stored(values[3]),
    priceUsd: plain(values[4]),
    changePct: plain(values[5]),
    q10Usd: plain(values[6]),
    q50Usd: plain(values[7]),
    q90Usd: plain(values[8]),
    modelAgreement: plain(values[9]),
    whole: plain(values[10]),
    provenance: provenanceRow(values, 11),
    origin,
  }
}

export function attemptRow(values: Values): AttemptRow {
  return {
    originAt: stored(values[0]),
    model: plain(values[1]),
    horizonHours: plain(values[2]),
    status: plain(values[3]),
    reason: plain(values[4]),
    recordedAt: stored(values[5]),
    provenance: provenanceRow(values, 6),
  }
}

/** From the columns of origin, model and horizon: the key as rows spell it. */
export function storedKey([origin, model, horizonHours]: Values) {
  return { originAt: stored(origin), model: plain(model), horizonHours: plain(horizonHours) }
}

/** @param at - where its columns begin; undefined where there is none. */
export function originRow(values: Values, at = 0): OriginRow | undefined {
  if ((values[at] ?? null) === null) return undefined
  return {
    originAt: stored(values[at]),
    generatedAt: stored(values[at + 1]),
    sourceName: plain(values[at + 2]),
    pair: plain(values[at + 3]),
    sourcePriceUsd: plain(values[at + 4]),
    runId: plain(values[at + 5]),
    configurationId: plain(values[at + 6]),
    manifestJson: plain(values[at + 7]),
  }
}

export function storedOrigin(values: Values): StoredOrigin {
  const at = ORIGIN_COLUMNS.length
  return {
    ...(originRow(values) as OriginRow),
    regime: plain(values[at]),
    firstSeenAt: stored(values[at + 1]),
    lastSeenAt: stored(values[at + 2]),
  }
}

function provenanceRow(values: Values, at: number): ProvenanceRow | undefined {
  if (values[at] !== true) return undefined
  return {
    inputAvailableAt: stored(values[at + 1]),
    selectionDataThrough: stored(values[at + 2]),
    vintageId: plain(values[at + 3]),
    vintageSha256: plain(values[at + 4]),
  }
}

function stored(value: Value | undefined): string | null {
  return typeof value === 'number' ? storedInstant(value) : null
}

/** An instant as histories spell it; what is none, put in by hand, is no timestamp to whoever reads it. */
export function storedInstant(micros: number): string {
  return Number.isSafeInteger(micros) ? formatStored(micros) : String(micros)
}

function plain(value: Value | undefined): RawValue {
  if (typeof value === 'boolean' || value === undefined) return null
  // SQLite has no zero with a sign.
  return value === 0 ? 0 : value
}

/**
 * Whether PostgreSQL can hold a text: no U+0000, and no half of a surrogate pair. What it cannot hold is in no
 * row, so nothing has to be asked about it.
 */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}
