import type { Column, Table, TableFormat } from '../../src/table/types.js'
import { tableBytes } from '../../src/table/write.js'
import { allOf } from '../history/support.js'

/** Columns of every type of which a day is none. */
export const COLUMNS: readonly Column[] = [
  { name: 'at', type: 'instant' },
  { name: 'hours', type: 'integer' },
  { name: 'model, or "name"', type: 'text' },
  { name: 'price', type: 'number' },
  { name: 'ok', type: 'boolean' },
]

/** A file of a table. */
export const written = async (table: Table, format: TableFormat = 'parquet'): Promise<Buffer> =>
  Buffer.concat(await allOf(tableBytes(table, format)))
