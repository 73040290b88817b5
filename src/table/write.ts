import type { Row, Table, TableFormat } from './types.js'
import { csvBytes } from './write-csv.js'

/**
 * The bytes of a table; the same rows, however they are batched, give the same bytes. Streams: memory
 * does not grow with the number of rows.
 *
 * CSV has a header, `\n` after every line, and quotes only where RFC 4180 or a space at an end of the
 * cell asks for them; NDJSON has one object with all columns a line; Parquet has row groups of a fixed
 * size, compressed with Snappy. Null is an empty cell in CSV; a number that is not finite is null.
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

/** The library is loaded for a Parquet file only: it would slow the start of every command. */
async function* parquetBytes(table: Table): AsyncGenerator<Uint8Array> {
  const { parquetBytes } = await import('./write-parquet.js')
  yield* parquetBytes(table)
}

/** A table as NDJSON: a line for each row, an object with a member for each column. */
async function* ndjsonBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const line = (row: Row) =>
    `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join(',')}}\n`
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) text += line(row)
    if (text !== '') yield Buffer.from(text)
  }
}
