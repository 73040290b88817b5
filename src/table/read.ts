import { type Finding, finding } from '../contract/findings/finding.js'
import { joined, quoted } from '../contract/findings/row.js'
import { isObject } from '../contract/is-object.js'
import { moveFindings } from '../document/moved.js'
import { readDocument } from '../document/read.js'
import { isStream } from '../files/input.js'
import { readCsvTable } from './csv.js'
import { type InputOptions, openInput, stripMark, type TableInput } from './input.js'
import { createSplitter, MAX_VALUE_BYTES, type Piece } from './split.js'
import { type Cell, faultyRow, type SourceRow, TableFault, type TableSource } from './table.js'

/**
 * Opens a table; its format is detected from the content, not the name.
 * @param file - `-` is standard input.
 * @throws {TableFault} if it is not a table; {ForeproofError} if it cannot be read.
 */
export async function openTable(
  file: string,
  options: InputOptions & { readonly separator?: string | undefined } = {},
): Promise<TableSource> {
  return await readTable(await openInput(file, options), options.signal, options.separator)
}

/**
 * Reads the table of an input; for JSON of an API the rows are its values.
 * @param separator - of the cells of CSV.
 */
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
      const { readParquetTable } = await import('./parquet/child.js')
      return await readParquetTable(file, signal)
    }
  }
}

/** Number of rows whose members become the columns. */
const FIRST_ROWS = 1024

/** A row as an object, or its fault. */
type JsonRow =
  | { readonly line: number; readonly value: Readonly<Record<string, Cell>> }
  | (SourceRow & { readonly value?: never })

/** Flat objects, one a line (NDJSON) or in one JSON array: the members are the columns. */
async function readJsonTable({ name: file, chunks }: TableInput): Promise<TableSource> {
  const batches = readJsonRows(chunks, file)
  const first: JsonRow[] = []
  while (first.length < FIRST_ROWS) {
    const { done, value } = await batches.next()
    if (done) break
    first.push(...value)
  }
  const names = new Set(first.flatMap(({ value }) => Object.keys(value ?? {})))
  if (names.size === 0) {
    const fault = first.find(({ value }) => value === undefined) as SourceRow | undefined
    throw new TableFault(fault?.fault ?? finding('table-empty', {}, { file }))
  }
  const columns = [...names]
  const readRow = (row: JsonRow): SourceRow => {
    if (row.value === undefined) return row
    const { line, value } = row
    const unknown = Object.keys(value).filter((name) => !names.has(name))
    if (unknown.length === 0) return { cells: columns.map((name) => value[name] ?? null), line }
    const found = joined(unknown.slice(0, 8).map(quoted), 'and')
    const args = { fault: 'members', found, expected: String(first.length) } as const
    return faultyRow(file, line, finding('table-row', args))
  }
  async function* all() {
    yield first.map(readRow)
    for await (const batch of batches) yield batch.map(readRow)
  }
  const close = async () => void (await batches.return(undefined))
  return { file, format: 'ndjson', columns, batches: all(), close }
}

async function* readJsonRows(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<JsonRow[]> {
  const splitter = createSplitter(file)
  let begun = false
  for await (const chunk of chunks) {
    const pieces = splitter.push(begun ? chunk : stripMark(chunk))
    begun = true
    if (pieces.length > 0) yield pieces.map((piece) => toJsonRow(piece, file))
  }
  const pieces = splitter.end()
  if (pieces.length > 0) yield pieces.map((piece) => toJsonRow(piece, file))
}

function toJsonRow(piece: Piece, file: string): JsonRow {
  const { line } = piece
  const read = readDocument(piece.bytes, file, { maxBytes: MAX_VALUE_BYTES })
  if (!read.ok) return faultyRow(file, line, moveFindings(read.findings[0] as Finding, piece))
  const { value } = read
  if (!isObject(value)) return faultyRow(file, line, notFlat(value, null))
  for (const member of Object.keys(value)) {
    if (typeof value[member] === 'object' && value[member] !== null) {
      return faultyRow(file, line, notFlat(value[member], member))
    }
  }
  return { line, value: value as Record<string, Cell> }
}

function notFlat(value: unknown, member: string | null) {
  const found = Array.isArray(value) ? 'an array' : isObject(value) ? 'an object' : 'a lone value'
  const fault = member === null ? 'object' : 'cell'
  return finding('table-row', { fault, found, expected: member ?? '' })
}
