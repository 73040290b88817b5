import type { Cell, Table, TableFormat, TableRow } from './table.js'

/**
 * The bytes of a table; the same rows, however they are batched, give the same bytes. Streams: memory does not grow
 * with the number of rows. CSV has a header, `\n` after every line, and quotes only if RFC 4180 or a space at an end
 * of the cell requires them; NDJSON has one object with all columns a line; Parquet has row groups of a fixed size,
 * compressed with Snappy. Null is an empty cell in CSV; a number that is not finite is null.
 * @throws {RangeError} for a cell that its column cannot hold in Parquet.
 */
export function tableBytes(table: Table, format: TableFormat): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'csv':
      return csvBytes(table)
    case 'ndjson':
      return ndjsonBytes(table)
    case 'parquet':
      return parquetBytes(table)
  }
}

/** The library is loaded only for Parquet, because it would slow the start of every command. */
async function* parquetBytes(table: Table): AsyncGenerator<Uint8Array> {
  const { parquetBytes } = await import('./write-parquet.js')
  yield* parquetBytes(table)
}

/** A table as NDJSON: a line for each row, an object with a member for each column. */
async function* ndjsonBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const line = (row: TableRow) =>
    `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join(',')}}\n`
  yield* csvLines(rows, line)
}

async function* csvLines(rows: Table['rows'], line: (row: TableRow) => string) {
  for await (const batch of rows) {
    const text = batch.map(line).join('')
    if (text !== '') yield Buffer.from(text)
  }
}

/** Readers, including ours, trim spaces of an unquoted cell. */
const QUOTED = /[",\r\n]|^\s|\s$/

/** A table as CSV (RFC 4180), in UTF-8 without a byte order mark. */
async function* csvBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)))
  yield* csvLines(rows, csvLine)
}

/** A table of few rows as CSV, all at once. */
export function csvText(columns: readonly string[], rows: readonly TableRow[]): string {
  return [columns, ...rows].map(csvLine).join('')
}

function csvLine(row: TableRow): string {
  // A lone empty cell would be an empty line, which readers skip.
  if (row.length === 1 && csvCell(row[0] ?? null) === '') return '""\n'
  return `${row.map(csvCell).join(',')}\n`
}

/** A cell, quoted if needed; null and NaN are empty. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'string') {
    return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  }
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return ''
  return JSON.stringify(cell)
}
