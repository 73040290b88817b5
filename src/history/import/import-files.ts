import { finding } from '../../contract/findings/finding.js'
import { assertEndingInput } from '../../files/input.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { RowChoice } from '../../table/choice.js'
import { openInput, type TableInput } from '../../table/input.js'
import { readTable } from '../../table/read.js'
import { createSplitter, type Piece } from '../../table/split.js'
import { TableFault } from '../../table/table.js'
import type { NaturalOptions } from '../natural/columns.js'
import { isNatural, isSeriesTable } from '../natural/header.js'
import { HubRows } from '../natural/hub-rows.js'
import { type NaturalRow, naturalRows } from '../natural/natural-rows.js'
import { type SeriesTableOptions, seriesTableRows } from '../natural/series-rows.js'
import {
  type HistoryImport,
  type HistoryImportOptions,
  type HistoryImportResult,
  type ImportProgress,
  runImport,
} from './import.js'

const START = { line: 1, column: 1 }
const NOTHING: Piece = { bytes: Buffer.alloc(0), line: 1, column: 1, pointer: '' }

export interface HistoryImportFilesOptions extends HistoryImportOptions, ImportProgress {
  /** What is read for `-` among the files. */
  readonly stdin?: NodeJS.ReadableStream | undefined
  /** Aborts the import between two mebibytes. */
  readonly signal?: AbortSignal | undefined
  /** How tables of forecasts are read. If set, every file is read as a table. */
  readonly table?: (NaturalOptions & SeriesTableOptions) | undefined
}

/**
 * Imports tables of forecasts (CSV, NDJSON, Parquet) and files of JSON values (NDJSON, a JSON array, one API body),
 * recognised by their beginning, as one import (see `HistoryImportOptions` about rejected values). Streams, so memory
 * does not grow with the files.
 * @throws {ForeproofError} if a file cannot be read or the history cannot be written; an incomplete batch is rolled
 * back.
 */
export async function importFiles(
  path: string,
  files: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  // Before anything is created, so that a mistyped name leaves nothing behind.
  for (const file of files) if (file !== '-') assertEndingInput(file)
  return await runImport(path, options, async (run) => {
    const choice = new RowChoice(options.table)
    const hub = new HubRows(choice, options.table)
    for (const file of files) await importFile(run, file, options, hub)
    const [file, another] = files
    if (options.series) await run.addFindings(choice.rest(another ? undefined : file), '')
  })
}

async function importFile(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
  hub: HubRows,
): Promise<void> {
  const input = await openInput(file, options)
  const isTable = options.series ? isSeriesTable : isNatural
  if (isTable(input, options.table ?? {})) await importTable(run, input, options, hub)
  else await importValues(run, input, options)
}

/** Rows of a table, each a forecast or a recorded attempt. */
async function importTable(
  run: HistoryImport,
  input: TableInput,
  options: HistoryImportFilesOptions,
  hub: HubRows,
): Promise<void> {
  await importTableRows(run, input.name, options, async function* () {
    // Excel writes a byte order mark into CSV. JSON must not have one (RFC 7493).
    if (input.isMarked && input.kind !== 'csv') {
      await input.chunks.return(undefined)
      throw new TableFault(
        finding(
          'document-encoding',
          { fault: 'bom', found: '' },
          { file: input.name, position: START },
        ),
      )
    }
    const source = await readTable(input, options.signal, options.table?.separator)
    const { series, table = {} } = options
    const context = { choice: hub.choice, onFirst: run.readFirst }
    if (series === undefined) yield* naturalRows(source, table)
    else if (!hub.isHubTable(source.columns)) yield* seriesTableRows(source, series, table, context)
    else yield* seriesTableRows(hub.select(source), series, table, { ...context, hub })
  })
  await run.addFindings(hub.rest(input.name), input.name)
}

/**
 * Imports the rows of a table, batch by batch. A read error becomes a finding.
 * @param file - as findings name it.
 */
export async function importTableRows(
  run: HistoryImport,
  file: string,
  { onProgress, signal }: HistoryImportFilesOptions,
  openRows: () => AsyncIterable<readonly NaturalRow[]>,
): Promise<void> {
  try {
    for await (const rows of openRows()) {
      await run.addRows(rows, file)
      onProgress?.(run.rows, run.committed)
      await yieldToEventLoop(signal)
    }
  } catch (fault) {
    if (!(fault instanceof TableFault)) throw fault
    await run.addFindings([fault.finding], file)
  }
}

/** JSON values: resources, attempts, bodies of the API. */
async function importValues(
  run: HistoryImport,
  { name, chunks }: TableInput,
  options: HistoryImportFilesOptions,
): Promise<void> {
  run.unreadable = false
  const splitter = createSplitter(name)
  let empty = true
  const take = async (pieces: readonly Piece[]) => {
    await run.addTexts(pieces, name)
    // A binary file would give a finding for each of its "lines".
    if (run.unreadable) return
    empty &&= pieces.length === 0
    options.onProgress?.(run.rows, run.committed)
    await yieldToEventLoop(options.signal)
  }
  for await (const chunk of chunks) {
    await take(splitter.push(chunk))
    if (run.unreadable) return
  }
  await take(splitter.end())
  // An empty array is valid; an empty file probably comes from an earlier error.
  if (empty && !splitter.sawArray) await run.addTexts([NOTHING], name)
}
