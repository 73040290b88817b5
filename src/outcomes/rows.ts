import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { aroundBars, jsonRows } from './json.js'
import { type Row, SyntaxFault } from './row.js'
import { type ReadFacts, wholeText } from './text.js'

const JSON_LIMIT = 64 * 1_048_576
const LINE_LIMIT = 65_536

/**
 * The rows of a text, whichever way it is written: CSV, or the JSON of an exchange's API.
 * @throws {SyntaxFault} where the text stops being either.
 */
export async function* rowsOf(
  chunks: AsyncGenerator<string>,
  file: string,
  facts: ReadFacts,
): AsyncGenerator<Row> {
  const { start, all } = await peek(chunks)
  if (/^\s*[[{]/.test(start)) {
    const text = await wholeText(all, JSON_LIMIT, file)
    // JSON says itself where it ends.
    facts.endsWithLineBreak = true
    yield* jsonRows(text)
    facts.around = aroundBars(text)
    return
  }
  yield* csvRows(all)
}

async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
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

interface CsvRecord {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** The first text that is not blank, and the whole stream again. */
async function peek(chunks: AsyncGenerator<string>) {
  const seen: string[] = []
  let start = ''
  while (start.trim() === '') {
    const next = await chunks.next()
    if (next.done) break
    seen.push(next.value)
    start = next.value
  }
  async function* all() {
    yield* seen
    yield* chunks
  }
  return { start, all: all() }
}
