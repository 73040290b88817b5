import { finding } from '../../contract/findings/finding.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import {
  type HistoryImport,
  type HistoryImportResult,
  runImport,
} from '../../history/import/import.js'
import {
  type HistoryImportFilesOptions,
  importTableRows,
} from '../../history/import/import-files.js'
import { HubRows } from '../../history/natural/hub-rows.js'
import type { NaturalRow } from '../../history/natural/natural-rows.js'
import {
  type RowsContext,
  type SeriesContext,
  type SeriesTableOptions,
  seriesTableRows,
} from '../../history/natural/series-rows.js'
import { RowChoice } from '../../table/choice.js'
import { openTable } from '../../table/read.js'
import { faultyRow, type SourceRow, TableFault, type TableSource } from '../../table/table.js'
import { REFERENCE_COLUMN } from './columns.js'
import { type OutputFile, outputFiles } from './files.js'

/**
 * Imports the forecasts of hubs. If anything is wrong, imports nothing.
 * @throws {ForeproofError} if a folder is not a hub, or the history cannot be written; `interrupted`.
 */
export async function importHubs(
  path: string,
  hubs: readonly string[],
  options: HistoryImportFilesOptions & { readonly series: SeriesContext },
): Promise<HistoryImportResult> {
  const outputs = hubs.map((hub) => ({ hub, ...outputFiles(hub) }))
  const choice = new RowChoice(options.table)
  const rows = new HubRows(choice, options.table)
  return await runImport(path, options, async (run) => {
    for (const { hub, files, findings } of outputs) {
      await run.addFindings(findings, hub)
      for (const file of files) await importFile(run, file, options, rows)
      await run.addFindings(rows.rest(hub), hub)
    }
    const [hub, another] = hubs
    await run.addFindings(choice.rest(another ? undefined : hub), '')
  })
}

async function importFile(
  run: HistoryImport,
  file: OutputFile,
  options: HistoryImportFilesOptions & { readonly series: SeriesContext },
  hub: HubRows,
): Promise<void> {
  const { series, table = {} } = options
  const context = { choice: hub.choice, hub, onFirst: run.readFirst }
  await importTableRows(run, file.path, options, () => outputRows(file, series, table, context))
  options.onProgress?.(run.rows, run.committed)
  await yieldToEventLoop(options.signal)
}

/** The hub's columns by their names in foreproof; `--columns` can override them. */
const COLUMNS = {
  series: 'location',
  origin: REFERENCE_COLUMN,
  target: 'target_end_date',
  level: 'output_type_id',
}
/** Columns that every row of a hub needs. */
const NEEDED = ['output_type', 'output_type_id', 'value']

/**
 * Reads the rows of a model output file, which has one row per quantile.
 * @param onFirst - called with how the first row was read.
 * @throws {TableFault} if it is not a table; {ForeproofError} if it cannot be read.
 */
async function* outputRows(
  file: OutputFile,
  task: SeriesContext,
  reading: SeriesTableOptions,
  context: RowsContext & { readonly hub: HubRows },
): AsyncGenerator<readonly NaturalRow[]> {
  const source = await openTable(file.path)
  const { columns: names } = source
  const missing = NEEDED.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    await source.close()
    const readColumns = [...Object.values(COLUMNS), 'target', 'horizon', 'output_type', 'value']
    throw new TableFault(
      finding('exchange-columns', { missing, known: readColumns }, { file: file.path }),
    )
  }
  // Pass on only the columns that exist, so that a missing one gets the same message as in any table.
  const here = Object.entries(COLUMNS).filter(([, name]) => names.includes(name))
  const columns: Readonly<Record<string, string>> = {
    target: '',
    ...Object.fromEntries(here),
    ...reading.columns,
  }
  const rows = context.hub.select(withModelName(source, file, columns.origin ?? REFERENCE_COLUMN))
  yield* seriesTableRows(rows, task, { ...reading, columns }, context)
}

/** Adds the file's model to the table; rows of a round other than the file's are faulty. */
function withModelName(
  source: TableSource,
  { model, round }: OutputFile,
  origin: string,
): TableSource {
  const { columns, file } = source
  const kept = [...columns.keys()].filter((at) => columns[at] !== 'model')
  const reference = columns.indexOf(origin)
  const toRow = (row: SourceRow): SourceRow => {
    const { cells, line, fault } = row
    if (fault !== undefined) return row
    const cell = cells[reference] ?? null
    if (reference >= 0 && String(cell) !== round) {
      const args = { fault: 'round', found: String(cell).slice(0, 60) } as const
      return faultyRow(file, line, finding('exchange-row', args))
    }
    return { line, cells: [...kept.map((at) => cells[at] ?? null), model] }
  }
  async function* batches() {
    for await (const batch of source.batches) yield batch.map(toRow)
  }
  return {
    ...source,
    columns: [...kept.map((at) => columns[at] ?? ''), 'model'],
    batches: batches(),
  }
}
