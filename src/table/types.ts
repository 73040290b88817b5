import { type Finding, finding } from '../contract/findings/finding.js'

/** How a table is written down. */
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

/** A column with what it says of a record. */
export interface RecordColumn<T> extends Column {
  readonly cellOf: (record: T) => Cell
}

export function recordColumns<T>(
  columns: readonly (readonly [name: string, type: ColumnType, cellOf: (record: T) => Cell])[],
): readonly RecordColumn<T>[] {
  return columns.map(([name, type, cellOf]) => ({ name, type, cellOf }))
}

/** The row of a record. */
export function toRecordRow<T>(columns: readonly RecordColumn<T>[], record: T): TableRow {
  return columns.map(({ cellOf }) => cellOf(record))
}

/** The cells of a row, in the order of the columns. */
export type TableRow = readonly Cell[]

/** A table to be written. */
export interface Table {
  readonly columns: readonly Column[]
  /** Rows in order, in batches of any size. */
  readonly rows: AsyncIterable<readonly TableRow[]>
}

/** A row that was read. */
export interface SourceRow {
  /** In the order of the columns of its source. */
  readonly cells: TableRow
  /** In CSV and NDJSON the line it begins on, in Parquet the number of the row; from 1. */
  readonly line: number
  /** What is wrong with the row, whose cells then are to be left alone. */
  readonly fault?: Finding
}

/** A row that is none: what is wrong with it, at its line unless the finding says where. */
export function faultyRow(file: string, line: number, found: Finding): SourceRow {
  return { cells: [], line, fault: { file, position: { line, column: 1 }, ...found } }
}

/** A row that has more cells than there are columns, or fewer. */
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
  /** Of Parquet, its columns of times without a zone; `dated` are read as dates, for all of their times are midnight. */
  readonly localTimes?: { readonly dated: readonly string[]; readonly timed: readonly string[] }
  /**
   * Rows in order, once. Cells of CSV are text, null where empty; those of NDJSON and Parquet have types.
   * Where the file cannot be read on, a `TableFault` is thrown, or a ForeproofError.
   */
  readonly batches: AsyncIterable<readonly SourceRow[]>
  /** Lets go of the file; for those who do not read the batches to their end. */
  close(): Promise<void>
}

/** Thrown where a table cannot be read, or read on: what is wrong with its file. */
export class TableFault extends Error {
  constructor(readonly finding: Finding) {
    super(finding.code)
  }
}

/** A table whose rows are at hand. */
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

/** A table made batch by batch: memory does not grow with it. */
export function toStreamedTable<T>(
  columns: readonly Column[],
  batches: AsyncIterable<readonly T[]>,
  rowsOf: (batch: readonly T[]) => readonly TableRow[],
): Table {
  return {
    columns,
    rows: (async function* () {
      for await (const batch of batches) yield rowsOf(batch)
    })(),
  }
}

/** What is at hand, for who takes it in batches. */
export async function* oneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
