import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { type OutcomeRow, SyntaxFault } from './row.js'

const LINE_LIMIT = 65_536

interface CsvRecord {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/**
 * Reads CSV row by row, each with the line it ends on: cells are trimmed, empty lines skipped, and rows
 * may have any number of cells.
 * @param chunks - a text whose lines end with \n.
 * @throws {SyntaxFault} where the text breaks the rules of CSV, naming the line.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<OutcomeRow> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    record_delimiter: '\n',
    max_record_size: LINE_LIMIT,
  })
  const source = Readable.from(chunks)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      yield { line: info.lines, cells: record }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new SyntaxFault('csv', Number(error.lines ?? 1), error.code)
  } finally {
    source.destroy()
  }
}
