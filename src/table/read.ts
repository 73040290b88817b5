import { finding } from '../contract/findings/finding.js'
import { isStream } from '../files/input.js'
import { TableFault } from './fault.js'
import { type InputOptions, openInput, type TableInput } from './input.js'
import { readCsvTable } from './read-csv.js'
import { readJsonTable } from './read-json.js'
import type { TableSource } from './types.js'

/**
 * Opens a table, whichever way it is written: the beginning of the file tells, not its name.
 * @param file - `-` is standard input.
 * @throws {TableFault} where it is no table; {ForeproofError} where it cannot be read.
 */
export async function openTable(file: string, options: InputOptions = {}): Promise<TableSource> {
  return await readTable(await openInput(file, options), options.signal)
}

/** The table of an input; of an API's JSON its rows are the values. @param separator - of the cells of CSV. */
export async function readTable(
  input: TableInput,
  signal?: AbortSignal,
  separator?: string,
): Promise<TableSource> {
  switch (input.kind) {
    case 'csv':
      return await readCsvTable(input, separator)
    case 'json':
      return await readJsonTable(input)
    case 'parquet': {
      const { name: file } = input
      await input.chunks.return(undefined)
      if (isStream(input.file)) {
        throw new TableFault(finding('table-parquet', { fault: 'stream', says: '' }, { file }))
      }
      const { readParquetTable } = await import('./parquet/source.js')
      return await readParquetTable(file, signal)
    }
  }
}
