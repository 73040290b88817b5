import { type Instant, NO_INSTANT, parseInstant } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'

/**
 * What SQLite may store in any column, whatever its declared type: a producer can write text instead of a number, and
 * SQLite accepts infinite numbers. NaN is stored as null.
 */
export type RawValue = number | string | Uint8Array | null

/** The first-write-wins key of a forecast, with the origin as an instant. */
export interface RowKey {
  readonly origin: Instant
  readonly horizonHours: number
  readonly model: string
}

/** The row of `forecast_origins` that the forecasts of one origin share. */
export interface OriginRow {
  readonly originAt: RawValue
  readonly generatedAt: RawValue
  readonly sourceName: RawValue
  readonly pair: RawValue
  readonly sourcePriceUsd: RawValue
  readonly runId: RawValue
  readonly configurationId: RawValue
  /** The manifest as stored: a JSON text. */
  readonly manifestJson: RawValue
}

/** What was recorded about an attempt: when its inputs were known, and the vintage it was made on. */
export interface ProvenanceRow {
  readonly inputAvailableAt: RawValue
  readonly selectionDataThrough: RawValue
  readonly vintageId: RawValue
  readonly vintageSha256: RawValue
}

/** The columns of a provenance, by their names in the API, in tables and in stores. */
export const PROVENANCE_COLUMNS = {
  input_available_at: 'inputAvailableAt',
  selection_data_through: 'selectionDataThrough',
  vintage_id: 'vintageId',
  vintage_sha256: 'vintageSha256',
} as const satisfies Record<string, keyof ProvenanceRow>

/** The columns of a key, as stored. */
export interface RawKey {
  readonly originAt: RawValue
  readonly model: RawValue
  readonly horizonHours: RawValue
}

/** One row of `forecast_predictions` with everything that its forecast resource needs. */
export interface HistoryRow extends RawKey {
  readonly targetAt: RawValue
  readonly priceUsd: RawValue
  readonly changePct: RawValue
  readonly q10Usd: RawValue
  readonly q50Usd: RawValue
  readonly q90Usd: RawValue
  readonly modelAgreement: RawValue
  /** The same object for all rows of one origin; absent for an orphan (a broken file). */
  readonly origin: OriginRow | undefined
  readonly provenance: ProvenanceRow | undefined
  /** JSON text of the resource, if the tables cannot represent all of it. */
  readonly whole: RawValue
}

/** Columns with valid values. */
type Columns<Name extends string, T> = { readonly [P in Name]: T }

/** The key of a forecast or an attempt, with the origin as it is stored. */
type KeyColumns = Columns<'originAt' | 'model', string> & Columns<'horizonHours', number>

/** The origin of a forecast: an `OriginRow` whose columns are valid. */
export type ForecastOrigin = Columns<'originAt', string> &
  Columns<'sourcePriceUsd', number> &
  Columns<Exclude<keyof OriginRow, 'originAt' | 'sourcePriceUsd'>, string | null>

/**
 * The internal form of a forecast from any file or API: a `HistoryRow` whose columns are valid, with times in the
 * stored form. `forecast/resource.ts` maps it from and to the API's resource, `history/natural` from and to a line of a
 * table, stores from and to their columns.
 */
export type ForecastRow = HistoryRow &
  KeyColumns &
  Columns<'targetAt', string> &
  Columns<'priceUsd' | 'changePct', number> &
  Columns<'q10Usd' | 'q50Usd' | 'q90Usd' | 'modelAgreement', number | null> &
  Columns<'whole', string | null> & {
    /** The origin of this forecast. The store's origin may differ if the row is stored as a whole. */
    readonly origin: ForecastOrigin
  }

/** The internal form of a recorded attempt. */
export type SoundAttempt = AttemptRow &
  KeyColumns &
  Columns<'status', 'failed' | 'abstained'> &
  Columns<'reason', string> &
  Columns<'recordedAt', string | null>

/** A recorded attempt as stored. */
export interface AttemptRow extends RawKey {
  readonly status: RawValue
  readonly reason: RawValue
  readonly recordedAt: RawValue
  readonly provenance: ProvenanceRow | undefined
}

/**
 * One row of a forecast history for pairing: a forecast, a recorded failure or abstention, or both. Texts are as
 * stored; rows are ordered by origin, ascending.
 */
export interface PairingRow {
  readonly series: string
  /** A timestamp, or the label of a period. */
  readonly originAt: string
  readonly model: string
  /** Hours, or steps. */
  readonly horizon: number
  /** Null for a recorded attempt without a forecast, and if rows do not contain it. */
  readonly targetAt: string | null
  readonly generatedAt: string | null
  /** Null if rows do not contain it. */
  readonly sourcePrice: number | null
  readonly forecast: number | null
  /** Levels of the quantiles, ascending; rows with the same levels share one array. */
  readonly levels: readonly string[]
  /** In the order of `levels`. */
  readonly quantiles: readonly (number | null)[]
  /** Nominal level of the interval of an hourly forecast, 0.8 unless recorded otherwise. */
  readonly level: number
  /** The recorded attempt of this key, if any. */
  readonly attempt: 'failed' | 'abstained' | null
  readonly inputAvailableAt: string | null
  readonly selectionDataThrough: string | null
  readonly vintageId: string | null
  readonly vintageSha256: string | null
}

/** The quantiles of an hourly forecast. */
export const HOURLY_LEVELS: readonly string[] = ['0.1', '0.5', '0.9']

/** Members of a row for pairing that has no forecast. */
export const NO_FORECAST = {
  targetAt: null,
  generatedAt: null,
  sourcePrice: null,
  forecast: null,
  levels: HOURLY_LEVELS,
  quantiles: [null, null, null],
  level: INTERVAL_LEVEL,
} as const

/** The key of a row; `NO_INSTANT` if its origin is not a timestamp. */
export function parseRowKey(row: HistoryRow): RowKey {
  return {
    origin: parseInstant(row.originAt) ?? NO_INSTANT,
    horizonHours: Number(row.horizonHours),
    model: String(row.model),
  }
}

/** The number of rows of one kind, and the id of the first. */
export interface RowCount {
  readonly rows: number
  readonly first: string | undefined
}

export const NO_ROWS: RowCount = { rows: 0, first: undefined }

/** Adds two counts; `a` comes first. */
export function joinCounts(a: RowCount, b: RowCount): RowCount {
  return { rows: a.rows + b.rows, first: a.first ?? b.first }
}

export function countRows(ids: readonly string[]): RowCount {
  return { rows: ids.length, first: ids[0] }
}
