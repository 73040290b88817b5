import type { Cell, Column, TableRow } from '../../table/table.js'
import type { Vintage } from '../../truth/closes/vintage.js'

/**
 * The columns of a forecast in the usual form of researchers: `history import` reads them, and `history export --format
 * csv|parquet` writes them, in this order. A forecast needs the first four; the others may be absent or empty.
 */
export const NATURAL_COLUMNS = [
  { name: 'origin_at', type: 'instant' },
  { name: 'horizon_hours', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'price_usd', type: 'number' },
  { name: 'q10_usd', type: 'number' },
  { name: 'q50_usd', type: 'number' },
  { name: 'q90_usd', type: 'number' },
  { name: 'change_pct', type: 'number' },
  /** For an attempt without a forecast: when it was recorded. */
  { name: 'generated_at', type: 'instant' },
  { name: 'run_id', type: 'text' },
  { name: 'configuration_id', type: 'text' },
  { name: 'source_price_usd', type: 'number' },
  { name: 'source_name', type: 'text' },
  { name: 'model_agreement', type: 'number' },
  { name: 'input_available_at', type: 'instant' },
  { name: 'selection_data_through', type: 'instant' },
  { name: 'vintage_id', type: 'text' },
  { name: 'vintage_sha256', type: 'text' },
  /** `failed` or `abstained` in a recorded attempt; null in a forecast. */
  { name: 'status', type: 'text' },
  { name: 'reason', type: 'text' },
] as const satisfies readonly Column[]

/** In a table with one row per quantile: the level of the row's price. */
export const LEVEL_COLUMN = 'level'

/** May replace the horizon, or stand beside it. */
export const TARGET_COLUMN = 'target_at'

export type NaturalColumn =
  | (typeof NATURAL_COLUMNS)[number]['name']
  | typeof LEVEL_COLUMN
  | typeof TARGET_COLUMN

/** All columns that a table may have, by our names. */
export const NATURAL_NAMES: readonly NaturalColumn[] = [
  ...NATURAL_COLUMNS.map(({ name }) => name),
  LEVEL_COLUMN,
  TARGET_COLUMN,
]

/** The column of each quantile, ascending. */
export const QUANTILE_COLUMNS = [
  ['0.1', 'q10_usd'],
  ['0.5', 'q50_usd'],
  ['0.9', 'q90_usd'],
] as const

/** How to read the rows of a table; with any of them every input is read as a table. */
export interface NaturalOptions {
  /** The names of columns in the file, if they differ from ours; `''`: the file has no such column. */
  readonly columns?: Readonly<Partial<Record<NaturalColumn, string>>> | undefined
  /** A wide table: every unknown column is a model, and its cells are prices. */
  readonly melt?: boolean | undefined
  /** Times without an offset are UTC; by default they are rejected. */
  readonly utc?: boolean | undefined
  /** Separator of CSV cells; default a comma. */
  readonly separator?: string | undefined
  /** Numbers in CSV have a decimal comma. */
  readonly decimalComma?: boolean | undefined
  /** Gives the price at an origin, its close, if the row does not contain it. */
  readonly outcomes?: Vintage | undefined
}

/** The cells of a row, by column; absent columns are missing. */
export type NaturalCells = Partial<Record<NaturalColumn, Cell>>

/** Cells in the order of the columns. */
export function toRow(cells: NaturalCells): TableRow {
  return NATURAL_COLUMNS.map(({ name }) => cells[name] ?? null)
}
