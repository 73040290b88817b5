import { finding } from '../contract/findings/finding.js'
import { CsvFault, type CsvRow, readCsv } from './csv.js'
import { TableFault } from './fault.js'
import type { TableInput } from './input.js'
import { decodeText, EncodingError } from './text.js'
import type { ReadRow, TableSource } from './types.js'

const BATCH_ROWS = 1024

const DELIMITERS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const

/** A CSV file with the names of its columns in the first line. @param separator - a comma unless given. */
export async function readCsvTable(
  { name: file, chunks }: TableInput,
  separator?: string,
): Promise<TableSource> {
  const rows = faultsNamed(readCsv(decodeText(chunks), separator), file)
  const { done, value: header } = await rows.next()
  if (done) throw new TableFault(finding('table-empty', {}, { file }))
  try {
    checkHeader(header, file)
  } catch (fault) {
    await rows.return(undefined)
    throw fault
  }
  const columns = header.cells
  const close = async () => void (await rows.return(undefined))
  return { file, format: 'csv', columns, batches: batchesOf(rows, columns.length, file), close }
}

async function* batchesOf(
  rows: AsyncGenerator<CsvRow>,
  expected: number,
  file: string,
): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = []
  for await (const { cells, line } of rows) {
    if (cells.length === expected) {
      batch.push({ cells: cells.map((cell) => (cell === '' ? null : cell)), line })
    } else batch.push({ cells: [], line, fault: unequal(cells.length, expected, file, line) })
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function unequal(found: number, expected: number, file: string, line: number) {
  return finding('table-cells', { found, expected }, { file, position: { line, column: 1 } })
}

function checkHeader({ cells, line }: CsvRow, file: string): void {
  const at = { file, position: { line, column: 1 } }
  const delimiter = DELIMITERS.find(([mark]) => cells.length === 1 && cells[0]?.includes(mark))
  if (delimiter !== undefined) {
    const header = cells[0]?.slice(0, 60) ?? ''
    throw new TableFault(finding('table-delimiter', { found: delimiter[1], header }, at))
  }
  for (const [index, name] of cells.entries()) {
    const first = cells.indexOf(name)
    // The index of a frame has no name, and comes first.
    const isNameless = name === '' && index > 0
    if (first === index && !isNameless) continue
    const args = { name, first: first + 1, second: index + 1 }
    throw new TableFault(finding('table-header', args, at))
  }
}

/** The same rows; what is wrong with the text is said of the file. */
async function* faultsNamed(rows: AsyncGenerator<CsvRow>, file: string): AsyncGenerator<CsvRow> {
  try {
    yield* rows
  } catch (error) {
    if (error instanceof EncodingError) {
      throw new TableFault(finding('table-encoding', { fault: error.fault }, { file }))
    }
    if (!(error instanceof CsvFault)) throw error
    const position = { line: error.line, column: 1 }
    throw new TableFault(finding('table-csv', { says: error.message }, { file, position }))
  }
}
