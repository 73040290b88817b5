/** How a table is written down. */
export const TABLE_FORMATS = ['csv', 'ndjson', 'parquet'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/**
 * What a column holds: `integer` whole numbers within ±(2^53−1), `instant` RFC 3339 text with an offset
 * (in Parquet a timestamp in UTC, in microseconds).
 */
export type ColumnType = 'text' | 'number' | 'integer' | 'instant' | 'boolean'

/** A column of a table; every cell of it may be null. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
}

export type Cell = string | number | boolean | null

/** The cells of a row, in the order of the columns. */
export type Row = readonly Cell[]

/** A table to be written. */
export interface Table {
  readonly columns: readonly Column[]
  /** Rows in order, in batches of any size. */
  readonly rows: AsyncIterable<readonly Row[]>
}
