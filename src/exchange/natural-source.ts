import { NATURAL_COLUMNS, type NaturalColumn } from '../history/natural/columns.js'
import type { Cell, ReadRow, Row, TableFormat, TableSource } from '../table/types.js'

/** What a format of others says of one forecast, by the columns of a table of forecasts. */
export type NaturalCellsOf = Partial<Record<NaturalColumn, Cell>>

/** In the order of the columns; null where nothing is said. */
export function cellsInOrder(cells: NaturalCellsOf): Row {
  return NATURAL_COLUMNS.map(({ name }) => cells[name] ?? null)
}

/**
 * Rows that were gathered from a file, as a table of forecasts.
 * @param format - `csv` where cells without anything may be text.
 */
export function naturalSource(
  file: string,
  batches: AsyncIterable<readonly ReadRow[]>,
  format: TableFormat,
): TableSource {
  const columns = NATURAL_COLUMNS.map(({ name }) => name)
  return { file, format, columns, batches, close: async () => undefined }
}
