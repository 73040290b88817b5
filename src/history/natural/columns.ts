import type { Cell, Column, TableRow } from '../../table/types.js'
import type { Vintage } from '../../truth/closes/vintage.js'

/**
 * The columns of a forecast as researchers keep them: what `history import` takes and what
 * `history export --format csv|parquet` writes, in this order. The first four make a forecast; of the
 * others any may be absent or empty.
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
  /** Of an attempt without a forecast: when it was recorded. */
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

/** In a table in which each quantile has a row: the level that the price of a row is the quantile of. */
export const LEVEL_COLUMN = 'level'

export type NaturalColumn = (typeof NATURAL_COLUMNS)[number]['name'] | typeof LEVEL_COLUMN

/** All that a table may have, by their own names. */
export const NATURAL_NAMES: readonly NaturalColumn[] = [
  ...NATURAL_COLUMNS.map(({ name }) => name),
  LEVEL_COLUMN,
]

/** The column of each quantile, ascending. */
export const QUANTILE_COLUMNS = [
  ['0.1', 'q10_usd'],
  ['0.5', 'q50_usd'],
  ['0.9', 'q90_usd'],
] as const

/** How the rows of a table are to be read; with any of them every input is taken for a table. */
export interface NaturalOptions {
  /** The names that columns have in the file, where they are others; `''`: the file has no such column. */
  readonly columns?: Readonly<Partial<Record<NaturalColumn, string>>> | undefined
  /** A wide table: every column that has no meaning of its own is a model, and its cells are prices. */
  readonly melt?: boolean | undefined
  /** Times without an offset are UTC; otherwise they are refused. */
  readonly utc?: boolean | undefined
  /** Separator of the cells of CSV; a comma if absent. */
  readonly separator?: string | undefined
  /** Numbers of CSV have a comma where others have a point. */
  readonly decimalComma?: boolean | undefined
  /** The price at an origin is its close, where the row does not say it. */
  readonly outcomes?: Vintage | undefined
}

/** What a row says, by column; nothing of one that is not there. */
export type NaturalCells = Partial<Record<NaturalColumn, Cell>>

/** Cells in the order of the columns. */
export function toRow(cells: NaturalCells): TableRow {
  return NATURAL_COLUMNS.map(({ name }) => cells[name] ?? null)
}
