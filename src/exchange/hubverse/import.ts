import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { finding } from '../../contract/findings/finding.js'
import { breathe } from '../../files/breathe.js'
import { type HistoryImport, openImport } from '../../history/import/import.js'
import type { HistoryImportFilesOptions } from '../../history/import/import-files.js'
import type { HistoryImportResult } from '../../history/import/import-types.js'
import { NATURAL_COLUMNS } from '../../history/natural/columns.js'
import { naturalRows } from '../../history/natural/rows.js'
import { TableFault } from '../../table/fault.js'
import { openTable } from '../../table/read.js'
import { oneBatch } from '../../table/rows.js'
import type { ReadRow, TableSource } from '../../table/types.js'
import { HUB, OUTPUT_COLUMNS, SOURCE_COLUMNS } from './columns.js'
import { type OutputFile, outputFiles } from './files.js'
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
  const run = await openImport(path, options)
  try {
    for (const { hub, files, findings } of found) {
      if (findings.length > 0) await run.addRow({ line: undefined, findings }, hub)
      const prices = await sourcePrices(run, join(hub, HUB.sources))
      let leftOut = 0
      for (const file of files) {
        leftOut += await importOutput(run, file, prices.get(file.round) ?? null, options)
        options.onProgress?.(run.rows, run.committed)
        await breathe(options.signal)
      }
      if (leftOut === 0) continue
      const told = finding('hub-left-out', { rows: leftOut }, { file: hub })
      await run.addRow({ line: undefined, findings: [told] }, hub)
    }
    return await run.finish()
  } catch (cause) {
    options.onProgress?.(run.rows, run.committed)
    await run.abort()
    throw cause
  }
}

/** @returns how many rows were left out. */
async function importOutput(
  run: HistoryImport,
  file: OutputFile,
  price: number | null,
  options: HistoryImportFilesOptions,
): Promise<number> {
  const tasks = new Tasks(file, price)
  try {
    const names = OUTPUT_COLUMNS.csv.map(({ name }) => name)
    for await (const { cells, line, fault } of rowsOf(file.path, names)) {
      if (fault !== undefined) {
        await run.addRow({ line, findings: [fault] }, file.path)
        continue
      }
      const [round = null, horizon = null, type = null, level = null, value = null] = cells
      tasks.add({ round, horizon, type, level, value, line })
    }
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause
    await run.addRow({ line: undefined, findings: [cause.finding] }, file.path)
    return 0
  }
  const source: TableSource = {
    file: file.path,
    format: 'csv',
    columns: NATURAL_COLUMNS.map(({ name }) => name),
    batches: oneBatch(tasks.rows()),
    close: async () => undefined,
  }
  for await (const rows of naturalRows(source, { outcomes: options.table?.outcomes })) {
    for (const row of rows) await run.addRow(row, file.path)
  }
  return tasks.leftOut
}

/** The rows of a table with the cells of these columns, and no others. */
async function* rowsOf(path: string, names: readonly string[]): AsyncGenerator<ReadRow> {
  const source = await openTable(path)
  try {
    const { columns } = source
    const missing = names.filter((name) => !columns.includes(name))
    const more = columns.filter((name) => !names.includes(name))
    if (missing.length + more.length > 0) {
      throw new TableFault(finding('hub-columns', { missing, more }, { file: path }))
    }
    const at = names.map((name) => columns.indexOf(name))
    for await (const batch of source.batches) {
      for (const row of batch) yield { ...row, cells: at.map((index) => row.cells[index] ?? null) }
    }
  } finally {
    await source.close()
  }
}

async function sourcePrices(run: HistoryImport, file: string): Promise<Map<string, number>> {
  const prices = new Map<string, number>()
  if (!existsSync(file)) return prices
  const names = SOURCE_COLUMNS.map(({ name }) => name)
  try {
    for await (const { cells } of rowsOf(file, names)) {
      prices.set(String(cells[0]), Number(cells[1]))
    }
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause
    await run.addRow({ line: undefined, findings: [cause.finding] }, file)
  }
  return prices
}
