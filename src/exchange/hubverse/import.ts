import { finding } from '../../contract/findings/finding.js'
import { breathe } from '../../files/breathe.js'
import type { HistoryImport } from '../../history/import/import.js'
import type { HistoryImportFilesOptions } from '../../history/import/import-files.js'
import type { HistoryImportResult } from '../../history/import/import-types.js'
import { runImport } from '../../history/import/run-import.js'
import { naturalRows } from '../../history/natural/rows.js'
import { TableFault } from '../../table/fault.js'
import { oneBatch } from '../../table/rows.js'
import { naturalSource } from '../natural-source.js'
import { OUTPUT_COLUMNS, WEEK_COLUMN } from './columns.js'
import { type OutputFile, outputFiles } from './files.js'
import { hubRows } from './hub-rows.js'
import { sourcePrices } from './source-prices.js'
import { Tasks } from './tasks.js'

/**
 * Imports the forecasts of hubs: all of them or, where anything is wrong, nothing. The price at an origin is that
 * of the hub's auxiliary data, otherwise the close of `options.table.outcomes`.
 * @throws {ForeproofError} when a folder is no hub, or the history cannot be written; `interrupted`.
 */
export async function importHubs(
  path: string,
  hubs: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  const found = hubs.map((hub) => ({ hub, ...outputFiles(hub) }))
  return await runImport(path, options, async (run) => {
    for (const each of found) await importHub(run, each, options)
  })
}

/** The forecasts of one hub, and what is to be said of it. */
async function importHub(
  run: HistoryImport,
  { hub, files, findings }: ReturnType<typeof outputFiles> & { readonly hub: string },
  options: HistoryImportFilesOptions,
): Promise<void> {
  await run.addFindings(findings, hub)
  const { prices, findings: told } = await sourcePrices(hub)
  await run.addFindings(told, hub)
  if (prices.size > 0 && options.table?.outcomes !== undefined) {
    await run.addFindings([finding('hub-two-sources', {}, { file: hub })], hub)
  }
  let rows = 0
  for (const file of files) {
    rows += await importOutput(run, file, prices, options)
    options.onProgress?.(run.rows, run.committed)
    await breathe(options.signal)
  }
  if (rows > 0) await run.addFindings([finding('hub-left-out', { rows }, { file: hub })], hub)
}

/** @returns how many rows were left out. */
async function importOutput(
  run: HistoryImport,
  file: OutputFile,
  prices: ReadonlyMap<string, number>,
  options: HistoryImportFilesOptions,
): Promise<number> {
  const tasks = new Tasks(file, prices)
  try {
    const names = OUTPUT_COLUMNS.csv.map(({ name }) => name)
    for await (const { cells, line, fault } of hubRows(file.path, names, [WEEK_COLUMN])) {
      if (fault !== undefined) {
        await run.addRows([{ line, findings: [fault] }], file.path)
        continue
      }
      const [origin = null, horizon = null, type = null, level = null, value = null] = cells
      const round = cells[names.length] ?? origin
      tasks.add({ round, origin, horizon, type, level, value, line })
    }
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause
    await run.addFindings([cause.finding], file.path)
    return 0
  }
  const source = naturalSource(file.path, oneBatch(tasks.rows()), 'ndjson')
  for await (const rows of naturalRows(source, { outcomes: options.table?.outcomes })) {
    await run.addRows(rows, file.path)
  }
  return tasks.leftOut
}
