import type { SeriesAttempt, SeriesForecast } from '../contract/types.js'
import { yieldToEventLoop } from '../files/waiting.js'
import { isSeriesAttempt, type SeriesRow } from '../forecast/series-row.js'
import { streamHistory } from '../store/open.js'
import { parseSeriesRow } from '../store/series-rows.js'
import { historyName } from '../store/shown.js'
import {
  type Cell,
  type Column,
  type Table,
  type TableRow,
  toStreamedTable,
} from '../table/table.js'
import { SERIES_COLUMNS } from './natural/series-header.js'

export interface SeriesExportOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * Every row of a history of any series as its log entry, one line of NDJSON each, ordered by the texts of series,
 * origin, horizon and model. Equal histories give equal bytes, and importing them gives an equal history.
 * @throws {ForeproofError} when the history cannot be read; `interrupted`.
 */
export async function* seriesLines(
  path: string,
  options: SeriesExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  for await (const entries of exportedEntries(path, options)) {
    for (const { entry } of entries) yield `${entry}\n`
  }
}

/** The same as rows. @throws {ForeproofError} `invalid-input` at a text that is no row. */
export async function* seriesExport(
  path: string,
  options: SeriesExportOptions = {},
): AsyncGenerator<readonly SeriesRow[], void, undefined> {
  for await (const entries of exportedEntries(path, options)) {
    yield entries.map((each) => parseSeriesRow(each, historyName(path)))
  }
}

async function* exportedEntries(path: string, { signal }: SeriesExportOptions) {
  for await (const entries of streamHistory(path, (reader) => reader.seriesEntries())) {
    await yieldToEventLoop(signal)
    yield entries
  }
}

/** The levels of all forecasts of a history, ascending. */
async function gatherLevels(path: string, options: SeriesExportOptions): Promise<string[]> {
  const levels = new Set<string>()
  for await (const rows of seriesExport(path, options)) {
    for (const row of rows) {
      if (!isSeriesAttempt(row)) for (const level of Object.keys(row.quantiles)) levels.add(level)
    }
  }
  // Decimals below 1 in canonical spelling sort correctly as text.
  return [...levels].sort()
}

/**
 * Every row in the columns that `importFiles` takes with a protocol, with a column for each level.
 */
export async function seriesAsTable(
  path: string,
  options: SeriesExportOptions = {},
): Promise<Table> {
  const levels = await gatherLevels(path, options)
  const at = SERIES_COLUMNS.findIndex(({ name }) => name === 'value') + 1
  const quantiles = levels.map((level): Column => ({ name: `q${level}`, type: 'number' }))
  const columns = [...SERIES_COLUMNS.slice(0, at), ...quantiles, ...SERIES_COLUMNS.slice(at)]
  return toStreamedTable(columns, seriesExport(path, options), (rows) =>
    rows.map((row) => toCells(row, columns)),
  )
}

function toCells(row: SeriesRow, columns: readonly Column[]): TableRow {
  const { provenance, ...rest } = row
  const { recorded_at, quantiles, ...cells } = rest as Partial<SeriesForecast & SeriesAttempt>
  const all: Readonly<Record<string, unknown>> = {
    ...(recorded_at !== undefined && { generated_at: recorded_at }),
    ...cells,
    ...provenance,
  }
  return columns.map(({ name }) => (all[name] ?? quantiles?.[name.slice(1)] ?? null) as Cell)
}
