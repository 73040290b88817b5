import { valueAt } from '../contract/pointer.js'
import type { Attempt, Provenance } from '../contract/types.js'
import {
  NOT_RECORDED,
  normalTimestamp,
  readManifest,
  type StoredResource,
  shownAs,
  toAttempt,
} from '../forecast/resource.js'
import { type Table, type TableRow, toStreamedTable } from '../table/table.js'
import { type ExportedRow, exportedRows, type HistoryExportOptions } from './export.js'
import { findDifferences } from './import/put.js'
import { NATURAL_COLUMNS, type NaturalCells, toRow } from './natural/columns.js'
import { readNatural } from './natural/natural-rows.js'
import { RowReader } from './natural/row-reader.js'

export interface HistoryTableOptions extends HistoryExportOptions {
  /**
   * Called with the parts of a row that its cells lose: JSON Pointers into the forecast resource or attempt, or the
   * codes of findings that an import would have.
   */
  readonly onLeftOut?: ((parts: readonly string[]) => void) | undefined
}

/**
 * Every forecast and recorded attempt as a row of the columns that `importFiles` takes, in the order of
 * `exportLines`. What `onLeftOut` does not get comes back from an import as it was. One snapshot of the
 * history; streams.
 * @throws {ForeproofError} as `exportLines`, when the rows are taken.
 */
export function historyAsTable(path: string, options: HistoryTableOptions = {}): Table {
  const { onLeftOut } = options
  const asRow = (value: object, cells: NaturalCells): TableRow => {
    const parts = onLeftOut === undefined ? [] : findLeftOut(value, cells)
    if (parts.length > 0) onLeftOut?.(parts)
    return toRow(cells)
  }
  const toRows = ({ forecast, attempt }: ExportedRow): TableRow[] => {
    const rows: TableRow[] = []
    if (forecast !== undefined) {
      const { freshness, ...value } = forecast
      rows.push(asRow(value, forecastCells(forecast)))
    }
    if (attempt !== undefined) rows.push(asRow(attempt, attemptCells(attempt)))
    return rows
  }
  return toStreamedTable(NATURAL_COLUMNS, exportedRows(path, options), (rows) =>
    rows.flatMap(toRows),
  )
}

/** Maximum number of parts reported per row. */
const MAX_POINTERS = 100

/** @param value - a forecast resource without its freshness, or an attempt. */
function findLeftOut(value: object, cells: NaturalCells): readonly string[] {
  const imported = readNatural(new RowReader((column) => cells[column] ?? null, false), undefined)
  if ('findings' in imported) return imported.findings.map(({ code }) => code)
  const { row } = imported
  const given = 'status' in row ? toAttempt(row) : shownAs(row, readManifest(null))
  // An import adds a reason for an absence, which is not a loss.
  return findDifferences(value, given, MAX_POINTERS).filter(
    (pointer) => valueAt(value, pointer) !== undefined,
  )
}

/** A forecast as cells, which may lose parts of it. */
function forecastCells(forecast: StoredResource): NaturalCells {
  const { estimate, interval, lineage, confidence, run, model } = forecast
  const { model_agreement: agreement } = confidence.evidence
  return {
    origin_at: forecast.origin_at,
    horizon_hours: forecast.horizon_hours,
    model: model.name,
    price_usd: numberCell(estimate.price_usd),
    q10_usd: numberCell(interval.lower_usd),
    q50_usd: numberCell(interval.median_usd),
    q90_usd: numberCell(interval.upper_usd),
    change_pct: numberCell(estimate.change_pct),
    generated_at: run.generated_at,
    run_id: run.id,
    configuration_id: model.configuration_id,
    source_price_usd: numberCell(lineage.source.price_usd),
    source_name: lineage.source_reason === NOT_RECORDED ? null : lineage.source.name,
    model_agreement: typeof agreement === 'number' ? numberCell(agreement) : null,
    ...provenanceCells(lineage.provenance),
  }
}

/** A recorded attempt as cells. */
function attemptCells(attempt: Attempt): NaturalCells {
  return {
    origin_at: instantCell(attempt.origin_at),
    horizon_hours: attempt.horizon_hours,
    model: attempt.model_name,
    generated_at: instantCell(attempt.recorded_at),
    status: attempt.status,
    reason: attempt.reason,
    ...provenanceCells(attempt.provenance),
  }
}

function provenanceCells(provenance: Provenance = {}) {
  return {
    input_available_at: instantCell(provenance.input_available_at),
    selection_data_through: instantCell(provenance.selection_data_through),
    vintage_id: provenance.vintage_id ?? null,
    vintage_sha256: provenance.vintage_sha256 ?? null,
  }
}

/** The stored form of a timestamp; a file that was edited by hand may hold any text. */
function instantCell(text: string | null | undefined): string | null {
  return normalTimestamp(text) ?? null
}

/** JSON has one zero. */
function numberCell(value: number | null): number | null {
  return value === 0 ? 0 : value
}
