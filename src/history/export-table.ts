import { valueAt } from '../contract/pointer.js'
import type { Table } from '../table/types.js'
import { type ExportedRow, exportedRows, type HistoryExportOptions } from './export.js'
import { differences } from './import/differences.js'
import {
  attemptCells,
  forecastCells,
  type NaturalCells,
  naturalRow,
  plainAttempt,
  plainForecast,
} from './natural/cells.js'
import { NATURAL_COLUMNS } from './natural/columns.js'

export interface HistoryTableOptions extends HistoryExportOptions {
  /**
   * Told of what a row says and the columns cannot: JSON Pointers into its forecast resource, or the name of a
   * column whose text is empty, which CSV cannot tell from none.
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
  const cellsOf = (row: ExportedRow): NaturalCells => {
    const cells = 'attempt' in row ? attemptCells(row.attempt) : forecastCells(row.forecast)
    const parts = onLeftOut === undefined ? [] : leftOut(row, cells)
    if (parts.length > 0) onLeftOut?.(parts)
    return cells
  }
  return {
    columns: NATURAL_COLUMNS,
    rows: (async function* () {
      for await (const rows of exportedRows(path, options)) {
        yield rows.map((row) => naturalRow(cellsOf(row)))
      }
    })(),
  }
}

/** Parts told of one row. */
const MOST = 100

function leftOut(row: ExportedRow, cells: NaturalCells): readonly string[] {
  const empty = NATURAL_COLUMNS.filter(({ name }) => cells[name] === '').map(({ name }) => name)
  if ('attempt' in row) return [...beyond(row.attempt, plainAttempt(cells)), ...empty]
  const { freshness, ...stored } = row.forecast
  return [...beyond(stored, plainForecast(cells)), ...empty]
}

/** Where a value differs from what its cells say. What these add, the reason of an absence, is told only where it is all. */
function beyond(value: object, plain: object): readonly string[] {
  const differs = differences(value, plain, MOST)
  const lost = differs.filter((pointer) => valueAt(value, pointer) !== undefined)
  return lost.length > 0 ? lost : differs
}
