import { ForeproofError } from '../contract/error.js'
import { readCsv } from '../table/csv.js'
import type { ReadFacts } from './facts.js'
import { aroundBars, jsonRows } from './json.js'
import type { OutcomeRow } from './row.js'

const JSON_LIMIT = 64 * 1_048_576

/**
 * The rows of a text, whichever way it is written: CSV, or the JSON of an exchange's API.
 * @throws {SyntaxFault} where the text stops being either.
 */
export async function* rowsOf(
  chunks: AsyncGenerator<string>,
  file: string,
  facts: ReadFacts,
): AsyncGenerator<OutcomeRow> {
  const { start, all } = await peek(chunks)
  if (/^\s*[[{]/.test(start)) {
    const text = await wholeText(all, file)
    // JSON says itself where it ends.
    facts.endsWithLineBreak = true
    yield* jsonRows(text)
    facts.around = aroundBars(text)
    return
  }
  yield* readCsv(all)
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
    try {
      yield* seen
      yield* chunks
    } finally {
      // Whoever stops early may not have come to `chunks`, whose file would stay open.
      await chunks.return(undefined)
    }
  }
  return { start, all: all() }
}

/** JSON cannot be read line by line. */
async function wholeText(chunks: AsyncIterable<string>, file: string): Promise<string> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length > JSON_LIMIT) {
      throw new ForeproofError('invalid-input', 'more JSON than is read at once', {
        file,
        help: `Split it: at most ${JSON_LIMIT / 1_048_576} MiB of JSON are read; CSV has no limit.`,
      })
    }
  }
  return text
}
