import { valueAt } from '../contract/pointer.js'
import { type Row, type Table, tableFrom } from '../table/types.js'
import { type ExportedRow, exportedRows, type HistoryExportOptions } from './export.js'
import { differences } from './import/differences.js'
import { attemptCells, forecastCells, type NaturalCells, naturalRow } from './natural/cells.js'
import { NATURAL_COLUMNS } from './natural/columns.js'
import { naturalValue } from './natural/row.js'
import { RowReader } from './natural/row-reader.js'

export interface HistoryTableOptions extends HistoryExportOptions {
  /**
   * Told of what a row says that an import of its cells does not give back: JSON Pointers into its forecast
   * resource or attempt, or the codes of the findings that an import would have.
   */
  readonly onLeftOut?: ((parts: readonly string[]) => void) | undefined
}

/**
 * Every forecast and recorded attempt as a row of the columns that `importFiles` takes, in the order of
 * `exportLines`. What `onLeftOut` is not told of comes back from an import as it was. One snapshot of the
 * history; streams.
 * @throws {ForeproofError} as `exportLines`, when the rows are taken.
 */
export function historyAsTable(path: string, options: HistoryTableOptions = {}): Table {
  const { onLeftOut } = options
  const told = (value: object, cells: NaturalCells): Row => {
    const parts = onLeftOut === undefined ? [] : leftOut(value, cells)
    if (parts.length > 0) onLeftOut?.(parts)
    return naturalRow(cells)
  }
  const rowsOf = ({ forecast, attempt }: ExportedRow): Row[] => {
    const rows: Row[] = []
    if (forecast !== undefined) {
      const { freshness, ...value } = forecast
      rows.push(told(value, forecastCells(forecast)))
    }
    if (attempt !== undefined) rows.push(told(attempt, attemptCells(attempt)))
    return rows
  }
  return tableFrom(NATURAL_COLUMNS, exportedRows(path, options), (rows) => rows.flatMap(rowsOf))
}

/** Parts told of one row. */
const MOST = 100

/** @param value - a forecast resource without its freshness, or an attempt. */
function leftOut(value: object, cells: NaturalCells): readonly string[] {
  const imported = naturalValue(new RowReader((column) => cells[column], false), undefined)
  if ('findings' in imported) return imported.findings.map(({ code }) => code)
  // What an import adds is the reason of an absence, which is no loss.
  return differences(value, imported.value, MOST).filter(
    (pointer) => valueAt(value, pointer) !== undefined,
  )
}
