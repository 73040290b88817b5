import { type Instant, instantOf, NO_INSTANT } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'

/**
 * What SQLite may hold in any column, of any declared type: a producer can write text
 * where a number belongs, and an infinite number is a number to SQLite. NaN is stored as null.
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
  /** The manifest as the JSON text it is stored as. */
  readonly manifestJson: RawValue
}

/** What is recorded about when the inputs of an attempt were known, and on which vintage it was made. */
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

/** One row of `forecast_predictions` with everything its forecast resource is made from. */
export interface HistoryRow extends RawKey {
  readonly targetAt: RawValue
  readonly priceUsd: RawValue
  readonly changePct: RawValue
  readonly q10Usd: RawValue
  readonly q50Usd: RawValue
  readonly q90Usd: RawValue
  readonly modelAgreement: RawValue
  /** Shared by identity among rows of one origin; absent for an orphan (a broken file). */
  readonly origin: OriginRow | undefined
  readonly provenance: ProvenanceRow | undefined
  /** JSON text of the resource where the tables could not say all of it. */
  readonly whole: RawValue
}

/** Columns that hold what they should. */
type Columns<Name extends string, T> = { readonly [P in Name]: T }

/** The key of a forecast or an attempt, with the origin as it is stored. */
type KeyColumns = Columns<'originAt' | 'model', string> & Columns<'horizonHours', number>

/** What a forecast says of its origin; an `OriginRow` whose columns hold what they should. */
export type ForecastOrigin = Columns<'originAt', string> &
  Columns<'sourcePriceUsd', number> &
  Columns<Exclude<keyof OriginRow, 'originAt' | 'sourcePriceUsd'>, string | null>

/**
 * A forecast as it moves inside, from any file or API: a `HistoryRow` whose columns are what they
 * should be, with times in the stored form. `forecast/resource.ts` maps it from and to the API's resource,
 * `history/natural` from and to a line of a table, stores from and to their columns.
 */
export type ForecastRow = HistoryRow &
  KeyColumns &
  Columns<'targetAt', string> &
  Columns<'priceUsd' | 'changePct', number> &
  Columns<'q10Usd' | 'q50Usd' | 'q90Usd' | 'modelAgreement', number | null> &
  Columns<'whole', string | null> & {
    /** As this forecast has it; that of a store may be another one's, where the row is kept whole. */
    readonly origin: ForecastOrigin
  }

/** A recorded attempt as it moves inside. */
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
 * One row of a forecast history as pairing takes it: a forecast, a recorded failure or abstention,
 * or both. Texts are as stored; rows come by origin, ascending.
 */
export interface PairingRow {
  readonly series: string
  /** A timestamp, or the label of a period. */
  readonly originAt: string
  readonly model: string
  /** Hours, or steps. */
  readonly horizon: number
  /** Null in a recorded attempt without a forecast, and where rows do not state it. */
  readonly targetAt: string | null
  readonly generatedAt: string | null
  /** Null where rows do not state it. */
  readonly sourcePrice: number | null
  readonly forecast: number | null
  /** Levels of the quantiles, ascending; one array for all rows that have the same. */
  readonly levels: readonly string[]
  /** Of the same levels. */
  readonly quantiles: readonly (number | null)[]
  /** Nominal level of the interval of an hourly forecast, 0.8 unless recorded otherwise. */
  readonly level: number
  /** The recorded attempt of this key, if there is one. */
  readonly attempt: 'failed' | 'abstained' | null
  readonly inputAvailableAt: string | null
  readonly selectionDataThrough: string | null
  readonly vintageId: string | null
  readonly vintageSha256: string | null
}

/** The quantiles of an hourly forecast. */
export const HOURLY_LEVELS: readonly string[] = ['0.1', '0.5', '0.9']

/** What a row for pairing says of a forecast that is not there. */
export const NO_FORECAST = {
  targetAt: null,
  generatedAt: null,
  sourcePrice: null,
  forecast: null,
  levels: HOURLY_LEVELS,
  quantiles: [null, null, null],
  level: INTERVAL_LEVEL,
} as const

/** The key of a row; an origin that is no timestamp has `NO_INSTANT`. */
export function rowKey(row: HistoryRow): RowKey {
  return {
    origin: instantOf(row.originAt) ?? NO_INSTANT,
    horizonHours: Number(row.horizonHours),
    model: String(row.model),
  }
}

/** How many rows there are of one sort, and the id of the first of them. */
export interface RowCount {
  readonly rows: number
  readonly first: string | undefined
}

export const NO_ROWS: RowCount = { rows: 0, first: undefined }

/** Both, in the order in which they were met. */
export function joinCounts(a: RowCount, b: RowCount): RowCount {
  return { rows: a.rows + b.rows, first: a.first ?? b.first }
}

export function countRows(ids: readonly string[]): RowCount {
  return { rows: ids.length, first: ids[0] }
}
