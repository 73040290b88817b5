import { type Finding, finding } from '../contract/findings/finding.js'

/** The file format of a table. */
export const TABLE_FORMATS = ['csv', 'ndjson', 'parquet'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/**
 * What a column holds: `integer` whole numbers within ±(2^53−1), `instant` RFC 3339 text with an offset
 * (in Parquet a timestamp in UTC, in microseconds), `date` text such as `2026-01-31`.
 */
export type ColumnType = 'text' | 'number' | 'integer' | 'instant' | 'date' | 'boolean'

/** A column of a table; every cell of it may be null. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
}

export type Cell = string | number | boolean | null

/** A column, with a function from a record to its cell. */
export interface RecordColumn<T> extends Column {
  readonly toCell: (record: T) => Cell
}

export function recordColumns<T>(
  columns: readonly (readonly [name: string, type: ColumnType, toCell: (record: T) => Cell])[],
): readonly RecordColumn<T>[] {
  return columns.map(([name, type, toCell]) => ({ name, type, toCell }))
}

/** The row of a record. */
export function toRecordRow<T>(columns: readonly RecordColumn<T>[], record: T): TableRow {
  return columns.map(({ toCell }) => toCell(record))
}

/** The cells of a row, in the order of the columns. */
export type TableRow = readonly Cell[]

/** A table to be written. */
export interface Table {
  readonly columns: readonly Column[]
  /** Rows in order, in batches of any size. */
  readonly rows: AsyncIterable<readonly TableRow[]>
}

/** A row that was read, with its position. */
export interface SourceRow {
  /** In the order of the columns of its source. */
  readonly cells: TableRow
  /** In CSV and NDJSON the line it begins on, in Parquet the number of the row; from 1. */
  readonly line: number
  /** The faults of the row; then ignore its cells. */
  readonly fault?: Finding
}

/** A row with a fault, at its line unless the finding has a position. */
export function faultyRow(file: string, line: number, found: Finding): SourceRow {
  return { cells: [], line, fault: { file, position: { line, column: 1 }, ...found } }
}

/** A row with more or fewer cells than columns. */
export function unequalCells(cells: readonly unknown[], columns: readonly string[]): Finding {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
  const [found, expected] = [count(cells.length, 'cell'), count(columns.length, 'column')]
  return finding('table-row', { fault: 'cells', found, expected })
}

/** A table that is read. */
export interface TableSource {
  /** As findings name it. */
  readonly file: string
  readonly format: TableFormat
  /** Names of the columns: no two are the same. */
  readonly columns: readonly string[]
  /**
   * For Parquet: its columns of times without a zone. `dated` are read as dates, because all of their times are
   * midnight.
   */
  readonly localTimes?: { readonly dated: readonly string[]; readonly timed: readonly string[] }
  /**
   * Rows in order, once. Cells of CSV are text, null where empty; those of NDJSON and Parquet have types. Throws a
   * `TableFault` or ForeproofError if the file cannot be read.
   */
  readonly batches: AsyncIterable<readonly SourceRow[]>
  /** Closes the file; call this if you do not read all batches. */
  close(): Promise<void>
}

/** Thrown if a table cannot be read; it has the fault of the file. */
export class TableFault extends Error {
  constructor(readonly finding: Finding) {
    super(finding.code)
  }
}

/** A table of rows in memory. */
export function toTable(columns: readonly Column[], rows: readonly TableRow[]): Table {
  return { columns, rows: oneBatch(rows) }
}

/** Records as a table. */
export function toRecordTable<T>(
  columns: readonly RecordColumn<T>[],
  records: readonly T[],
): Table {
  return toTable(
    columns,
    records.map((record) => toRecordRow(columns, record)),
  )
}

/** A table made of batches, without holding all rows in memory. */
export function toStreamedTable<T>(
  columns: readonly Column[],
  batches: AsyncIterable<readonly T[]>,
  toRows: (batch: readonly T[]) => readonly TableRow[],
): Table {
  return {
    columns,
    rows: (async function* () {
      for await (const batch of batches) yield toRows(batch)
    })(),
  }
}

/** All items as one batch. */
export async function* oneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
