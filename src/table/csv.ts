import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

const LINE_LIMIT = 65_536

/** The cells of a row as text, and the line it begins on (from 1). */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Thrown where a text breaks the rules of CSV; nothing after it can be trusted. */
export class CsvFault extends Error {
  constructor(
    readonly line: number,
    says: string,
  ) {
    super(says)
  }
}

/**
 * Reads CSV (RFC 4180) row by row: spaces around cells are taken away, empty lines skipped, and rows may
 * have any number of cells.
 * @param chunks - a text whose lines end with \n or \r\n.
 * @param separator - between cells, one character.
 * @throws {CsvFault} where the text breaks the rules of CSV, naming the line.
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  separator = ',',
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter: separator,
    relax_column_count: true,
    trim: true,
    // Both at once, for cells keep the line ends that they have.
    record_delimiter: ['\r\n', '\n'],
    max_record_size: LINE_LIMIT,
  })
  const source = Readable.from(chunks)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  // The parser can tell lines itself; that makes it half as fast again.
  let line = 1
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const first = line++
      for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1
      if (cells.length > 1 || cells[0] !== '') yield { line: first, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CsvFault(Number(error.lines ?? line), SAYS[error.code] ?? error.code)
  } finally {
    source.destroy()
  }
}

const SAYS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the text ends within a cell whose quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote stands within a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${LINE_LIMIT} characters; is a quote not closed?`,
}
