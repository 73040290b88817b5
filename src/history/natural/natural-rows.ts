import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import {
  formatStored,
  formatUtc,
  instantOrNaN,
  isOnTheHour,
  MICROS_PER_HOUR,
} from '../../contract/instant.js'
import { JUDGED_HORIZONS } from '../../contract/limits.js'
import { NOT_RECORDED } from '../../forecast/resource.js'
import type { ForecastRow, SoundAttempt } from '../../forecast/row.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import type { SeriesRow } from '../../forecast/series-row.js'
import type { StoredKey } from '../../log/log-entry.js'
import { isNothing } from '../../table/cells.js'
import type { Cell, SourceRow, TableSource } from '../../table/table.js'
import type { Vintage } from '../../truth/closes/vintage.js'
import type { NaturalColumn, NaturalOptions } from './columns.js'
import { parseHeader, type TableHeader } from './header.js'
import { gatherQuantileRows } from './quantile-rows.js'
import {
  cellFault,
  DroppedColumns,
  locateAtLine,
  RowReader,
  readProvenanceCells,
} from './row-reader.js'

/** A forecast or a recorded attempt, as a history stores it. */
export type ImportRow = ForecastRow | SoundAttempt | SeriesRow

/** A row of a table, or findings about it. */
export type NaturalRow =
  | { readonly line: number; readonly row: ImportRow }
  | { readonly line: number | undefined; readonly findings: readonly Finding[] }

/**
 * Reads the forecasts and recorded attempts in a table, in batches, in order. The caller checks the contract; a wrong
 * cell is a finding with its line. If the columns are wrong, only their findings are returned.
 */
export function naturalRows(
  source: TableSource,
  options: NaturalOptions = {},
): AsyncGenerator<readonly NaturalRow[]> {
  const { file, columns } = source
  const header = parseHeader(columns, file, options)
  const unkept = new DroppedColumns()
  const wide = gatherQuantileRows(source, header)
  return readRowsOfTable(wide.source, header.findings, {
    read: (row) => forecastsOfRow(row, wide.header, options, source, unkept),
    rest: () => unkept.findings(file),
  })
}

/** How to read a table after its columns are known. */
interface RowsOfTable {
  read(row: SourceRow): readonly NaturalRow[]
  /** Rows that had to wait until all others were read. */
  waiting?(): readonly NaturalRow[]
  /** Whether the table has rows, if some are left out before they are read. */
  hasRows?(): boolean
  /** Findings about the whole table, after all rows are read. */
  rest(): readonly Finding[]
}

/** @param findings - about the columns; with an error no row is read. */
export async function* readRowsOfTable(
  source: TableSource,
  findings: readonly Finding[],
  { read, waiting, hasRows, rest }: RowsOfTable,
): AsyncGenerator<readonly NaturalRow[]> {
  const { file, batches } = source
  try {
    if (findings.length > 0) yield [{ line: undefined, findings }]
    if (!hasNoErrors(findings)) return
    let rows = 0
    for await (const batch of batches) {
      rows += batch.length
      yield batch.flatMap(read)
    }
    if (waiting !== undefined) yield waiting()
    const isEmpty = rows === 0 && !hasRows?.()
    const last = [...rest(), ...(isEmpty ? [finding('natural-no-rows', {}, { file })] : [])]
    if (last.length > 0) yield last.map((found) => ({ line: undefined, findings: [found] }))
  } finally {
    await source.close()
  }
}

/** The forecast of a row; in a wide table one for each model. */
function forecastsOfRow(
  { cells, line, fault }: SourceRow,
  { at, models }: TableHeader,
  options: NaturalOptions,
  { file, format }: TableSource,
  unkept: DroppedColumns,
): NaturalRow[] {
  if (fault !== undefined) return [{ line, findings: [fault] }]
  const getCell = (column: NaturalColumn): Cell => cells[at.get(column) ?? -1] ?? null
  const placed = (findings: readonly Finding[]): NaturalRow => {
    return { line, findings: locateAtLine(findings, file, line) }
  }
  const read = (of: (column: NaturalColumn) => Cell): NaturalRow[] => {
    const reader = new RowReader(of, options.utc === true, format !== 'csv', options.decimalComma)
    const result = readNatural(reader, options.outcomes, getCell('target_at'))
    if ('findings' in result) return [placed(result.findings)]
    const row: NaturalRow = { line, row: result.row }
    unkept.add('status' in result.row ? 'attempt' : 'forecast', result.unkept)
    const reported = checkScorable(result.row)
    return reported.length === 0 ? [row] : [row, placed(reported)]
  }
  if (models === undefined) return read(getCell)
  return models.flatMap(({ name, at: index }) => {
    const price = cells[index] ?? null
    if (isNothing(price)) return []
    return read((column) =>
      column === 'model' ? name : column === 'price_usd' ? price : getCell(column),
    )
  })
}

/** The genesis block of Bitcoin. */
const GENESIS = Date.UTC(2009, 0, 3) * 1000

/** Reports why no evaluation can score a forecast, under any registration (protocol, `horizons_hours`). */
function checkScorable(key: StoredKey): Finding[] {
  const origin = instantOrNaN(key.originAt)
  const faults = [
    origin < GENESIS && ('before-bitcoin' as const),
    !isOnTheHour(origin) && ('off-the-hour' as const),
    !JUDGED_HORIZONS.includes(key.horizonHours) && ('horizon' as const),
  ]
  return faults
    .filter((fault) => fault !== false)
    .map((fault) => finding('never-judged', { fault, row: nameOfRow(key) }))
}

/** A row as a forecast or a recorded attempt, or its faults. */
type NaturalRead =
  | {
      readonly row: ForecastRow | SoundAttempt
      /** Columns with values that a history cannot store. */
      readonly unkept: readonly NaturalColumn[]
    }
  | { readonly findings: readonly Finding[] }

const OF_ATTEMPTS = ['reason'] as const
const OF_FORECASTS = [
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'change_pct',
  'run_id',
  'configuration_id',
  'source_price_usd',
  'source_name',
  'model_agreement',
] as const

/**
 * Parses a row.
 * @param outcomes - has the price at the origin, if the row does not.
 * @param target - the time of the target, instead of the horizon or in addition.
 */
export function readNatural(
  row: RowReader,
  outcomes: Vintage | undefined,
  target: Cell = null,
): NaturalRead {
  const origin = row.needed('origin_at', row.instant('origin_at'))
  const stated = row.hours('horizon_hours')
  const isTargeted = !isNothing(target)
  const computed = isTargeted ? row.hoursTo(target, origin) : stated
  if (stated !== null && computed !== null && computed !== stated) {
    row.findings.push(finding('target-mismatch', { horizon: stated, found: computed }))
  }
  const key: Key = {
    origin,
    hours: isTargeted ? (computed as number) : row.needed('horizon_hours', stated),
    model: row.needed('model', row.name('model')),
  }
  const status = row.text('status')
  const read = status === null ? toForecast(row, key, outcomes) : toAttempt(row, key, status)
  if (row.findings.length > 0 || read === undefined) return { findings: row.findings }
  return { row: read, unkept: row.given(status === null ? OF_ATTEMPTS : OF_FORECASTS) }
}

/** Null if the cell has a fault; then the value is not used. */
interface Key {
  readonly origin: string
  readonly hours: number
  readonly model: string
}

function toAttempt(
  row: RowReader,
  { origin, hours, model }: Key,
  status: string,
): SoundAttempt | undefined {
  if (status !== 'failed' && status !== 'abstained') {
    row.findings.push(cellFault('status', 'status', status))
    return undefined
  }
  if (row.number('price_usd') !== null) {
    row.findings.push(cellFault('status-price', 'status', status))
  }
  return {
    originAt: origin,
    model,
    horizonHours: hours,
    status,
    reason: row.text('reason') ?? NOT_RECORDED,
    recordedAt: row.instant('generated_at'),
    provenance: readProvenanceCells(row),
  }
}

function toForecast(
  row: RowReader,
  { origin, hours, model }: Key,
  outcomes: Vintage | undefined,
): ForecastRow | undefined {
  const price = row.number('price_usd')
  const source = toSourcePrice(row, origin, outcomes)
  const change = row.number('change_pct')
  const provenance = readProvenanceCells(row)
  const q10Usd = row.number('q10_usd')
  const q50Usd = row.number('q50_usd')
  const q90Usd = row.number('q90_usd')
  const modelAgreement = row.number('model_agreement')
  const runId = row.name('run_id')
  const generatedAt = row.instant('generated_at')
  const configurationId = row.name('configuration_id')
  if (row.findings.length > 0) return undefined
  if (price === null) row.findings.push(finding('natural-missing', { fault: 'price_usd' }))
  if (price === null || source === undefined) return undefined
  return {
    originAt: origin,
    model,
    horizonHours: hours,
    targetAt: formatStored(instantOrNaN(origin) + hours * MICROS_PER_HOUR),
    priceUsd: price,
    changePct: change ?? (100 * (price - source.price)) / source.price,
    q10Usd,
    q50Usd,
    q90Usd,
    modelAgreement,
    provenance,
    whole: null,
    origin: {
      originAt: origin,
      generatedAt,
      sourceName: source.name,
      // The table has no column for it; all imported forecasts are of the only pair.
      pair: null,
      sourcePriceUsd: source.price,
      runId,
      configurationId,
      manifestJson: null,
    },
  }
}

/** The price at the origin and its source; undefined if unknown. */
function toSourcePrice(row: RowReader, origin: string, outcomes: Vintage | undefined) {
  const price = row.number('source_price_usd')
  const name = row.name('source_name')
  if (price !== null) return { price, name }
  if (row.findings.length > 0) return undefined
  if (outcomes === undefined) {
    row.findings.push(finding('natural-missing', { fault: 'source_price_usd' }))
    return undefined
  }
  const instant = instantOrNaN(origin)
  const close = outcomes.closeAt(instant)
  if (close !== undefined) return { price: close, name: name ?? outcomes.manifest.source }
  const args = { origin: formatUtc(instant), vintage: outcomes.manifest.vintage_id }
  row.findings.push(finding('natural-no-close', args))
  return undefined
}
