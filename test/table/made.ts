import fc from 'fast-check'
import type { Column, Table, TableFormat } from '../../src/table/table.js'
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

const one = fc.constantFrom
/** Texts that trip writers and readers of tables; none that means an empty cell. */
export const anyText = fc.oneof(
  one('plain', ' a space before and after ', '"quoted", with a comma', "=1+1'", 'tab\there', ';'),
  one('two\nlines', 'carriage\r\nreturn\r'),
  one('0012', '1e5', 'true', 'NAN', '-'),
  one('Größe ñandú', '預測模型', 'نموذج ١', 'модель', '🔮é'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((some) => `m${some}m`),
)

/** An import takes no name of two lines. */
export const oneLine = anyText.filter((some) => !/[\n\r]/.test(some))
