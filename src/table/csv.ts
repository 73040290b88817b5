import { finished } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { finding } from '../contract/findings/finding.js'
import type { TableInput } from './input.js'
import { faultyRow, type SourceRow, TableFault, type TableSource, unequalCells } from './table.js'

/** Characters of a row: the names of 30,000 series have 900,000. Beyond it, a quote was not closed. */
const LINE_LIMIT = 1_048_576
/**
 * Characters parsed at a time. More rows would survive the first garbage collection, which is slower.
 */
const PARSED_BYTES = 65_536

/** The cells of a row as text, and the line it begins on (from 1). */
interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Parses CSV (RFC 4180) in batches of rows. Spaces around cells are trimmed, empty lines skipped, and rows may have
 * any number of cells.
 * @param chunks - a text whose lines end with \n, \r\n or \r.
 * @param separator - between cells, one character.
 * @param file - as findings name it.
 * @throws {TableFault} with the line of invalid CSV; the rest cannot be trusted.
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  file: string,
  separator = ',',
): AsyncGenerator<readonly CsvRow[]> {
  const parser = parse({
    delimiter: separator,
    relax_column_count: true,
    trim: true,
    // Allow all line ends at once, because cells keep their own. Excel offers CR alone as "CSV (Macintosh)".
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LINE_LIMIT,
  })
  parser.on('error', () => {})
  // Counting lines in the parser itself would make it half as fast again.
  let line = 1
  /** Rows are collected synchronously, because awaiting each takes as long as parsing it. */
  const drainRows = (): CsvRow[] => {
    const rows: CsvRow[] = []
    for (;;) {
      const cells: string[] | null = parser.read()
      if (cells === null) return rows
      if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells })
      line++
      for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1
    }
  }
  try {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk)
      for (let at = 0; at < bytes.length && !parser.errored; at += PARSED_BYTES) {
        parser.write(bytes.subarray(at, at + PARSED_BYTES))
        yield drainRows()
      }
      if (parser.errored) throw parser.errored
    }
    parser.end()
    await finished(parser, { readable: false })
    yield drainRows()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const position = { line: Number(error.lines ?? line), column: 1 }
    const message = SAYS[error.code] ?? error.code
    throw new TableFault(finding('table-csv', { says: message }, { file, position }))
  } finally {
    parser.destroy()
  }
}

const SAYS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the text ends within a cell whose quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is within a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${LINE_LIMIT} characters; is a quote not closed?`,
}

type EncodingFault = 'zip' | 'gzip' | 'utf-16' | 'binary' | 'not-utf-8'

const MAGIC: readonly (readonly [bytes: readonly number[], fault: EncodingFault])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x1f, 0x8b], 'gzip'],
  [[0xff, 0xfe, 0x00, 0x00], 'binary'],
  [[0xff, 0xfe], 'utf-16'],
  [[0xfe, 0xff], 'utf-16'],
]

/**
 * The text of a byte stream, chunk by chunk, without a byte order mark.
 * @throws {TableFault} when the bytes are an archive or are not UTF-8.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array | string>,
  file: string,
): AsyncGenerator<string> {
  const faulty = (fault: EncodingFault) =>
    new TableFault(finding('table-encoding', { fault }, { file }))
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw faulty('not-utf-8')
    }
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (first && bytes.length > 0) {
      const fault = detectEncodingFault(bytes)
      if (fault !== undefined) throw faulty(fault)
      first = false
    }
    const text = decode(bytes)
    if (text.includes('\u0000')) throw faulty('binary')
    if (text !== '') yield text
  }
  decode()
}

/** Detects an archive, UTF-16 (with or without mark) or a binary file by its first bytes. */
export function detectEncodingFault(bytes: Uint8Array): EncodingFault | undefined {
  const fault = MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte))?.[1]
  if (fault !== undefined || !bytes.includes(0)) return fault
  // In UTF-16, every second byte of ASCII text is zero.
  const pairs = (zero: 0 | 1) =>
    [0, 2, 4].every((at) => bytes[at + zero] === 0 && bytes[at + 1 - zero] !== 0)
  return pairs(0) || pairs(1) ? 'utf-16' : 'binary'
}

const BATCH_ROWS = 1024

const DELIMITERS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const

/** A CSV file with a header line. @param separator - default: a comma. */
export async function readCsvTable(
  { name: file, chunks }: TableInput,
  separator?: string,
): Promise<TableSource> {
  const batches = readCsv(decodeText(chunks, file), file, separator)
  let first: readonly CsvRow[] = []
  while (first.length === 0) {
    const { done, value } = await batches.next()
    if (done) throw new TableFault(finding('table-empty', {}, { file }))
    first = value
  }
  const [header, ...rows] = first as [CsvRow, ...CsvRow[]]
  try {
    checkHeader(header, file)
  } catch (fault) {
    await batches.return(undefined)
    throw fault
  }
  const columns = header.cells
  const toRow = ({ cells, line }: CsvRow): SourceRow =>
    cells.length === columns.length
      ? { cells: cells.map((cell) => (cell === '' ? null : cell)), line }
      : faultyRow(file, line, unequalCells(cells, columns))
  async function* all() {
    let batch = rows.map(toRow)
    for await (const more of batches) {
      for (const row of more) batch.push(toRow(row))
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
  const close = async () => void (await batches.return(undefined))
  return { file, format: 'csv', columns, batches: all(), close }
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
