import { createHash } from 'node:crypto'
import { ForeproofError } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { readCsv } from '../../table/csv.js'
import { TableFault } from '../../table/table.js'

const JSON_LIMIT = 64 * 1_048_576

/**
 * The rows of a text: CSV, or the JSON of an exchange's API.
 * @throws {TableFault} if the text becomes invalid.
 */
export async function* readBarRows(
  kind: 'csv' | 'json',
  chunks: AsyncIterable<string>,
  file: string,
  facts: ReadFacts,
): AsyncGenerator<OutcomeRow> {
  if (kind === 'csv') {
    for await (const rows of readCsv(chunks, file)) yield* rows
    return
  }
  const text = await wholeText(chunks, file)
  // JSON needs no line break to show that it is complete.
  facts.endsWithLineBreak = true
  yield* jsonRows(text, file)
  facts.around = text.replaceAll(LEAF, '')
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

/** The cells of one bar, or of the header, and the line they begin on (from 1). */
export interface OutcomeRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** What is known about a file after all of its bytes were read. */
export interface ReadFacts {
  bytes: number
  sha256: string
  /** False if the last line has no line break: the file may be truncated. */
  endsWithLineBreak: boolean
  /** The parts of an API's answer outside its bars. */
  around?: string
}

const LINE_BREAKS = [0x0a, 0x0d]

/** Passes the bytes through unchanged; at the end, it fills in `facts`. */
export async function* withFacts(
  source: AsyncIterable<Uint8Array>,
  facts: ReadFacts,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let last: number | undefined
  for await (const bytes of source) {
    hash.update(bytes)
    facts.bytes += bytes.length
    last = bytes.at(-1) ?? last
    yield bytes
  }
  facts.sha256 = hash.digest('hex')
  facts.endsWithLineBreak = last !== undefined && LINE_BREAKS.includes(last)
}

/** An array or object without another one inside: one bar of an API's answer. */
const LEAF = /[[{][^[\]{}]*[\]}]/g

/**
 * The bars in an exchange API's JSON answer, as rows. Bars that are arrays become cells unchanged; bars that are
 * objects are preceded by one row of their member names. Numbers keep their text: times in nanoseconds are outside of
 * I-JSON, so the document reader would refuse them.
 */
function* jsonRows(text: string, file: string): Generator<OutcomeRow> {
  checkSyntax(text, file)
  let line = 1
  let counted = 0
  let names: readonly string[] | undefined
  for (const match of text.matchAll(LEAF)) {
    line += lineBreaks(text, counted, match.index)
    counted = match.index
    const leaf = match[0]
    if (leaf.startsWith('[')) {
      const cells = arrayCells(leaf)
      if (cells.length > 0) yield { line, cells }
    } else {
      const members = objectCells(leaf)
      if (names === undefined && members.size > 0) {
        names = [...members.keys()]
        yield { line, cells: names }
      }
      if (names) yield { line, cells: names.map((name) => members.get(name) ?? '') }
    }
  }
}

/** Checks that a text is JSON, or that each of its lines is: pandas writes one bar per line with `lines=True`. */
function checkSyntax(text: string, file: string): void {
  const first = faultOfJson(text)
  if (first === undefined) return
  const lines = text.trimEnd().split('\n')
  const isLines = lines.length > 1 && faultOfJson(lines[0] ?? '') === undefined
  const faults = isLines ? lines.map(faultOfJson) : []
  const at = faults.findIndex((each) => each !== undefined)
  if (isLines && at < 0) return
  const { message, offset } = faults[at] ?? first
  const position = { line: 1 + (isLines ? at : lineBreaks(text, 0, offset)), column: 1 }
  throw new TableFault(finding('outcome-json', { says: message }, { file, position }))
}

function faultOfJson(
  text: string,
): { readonly message: string; readonly offset: number } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const at = /position (\d+)/.exec(message)?.[1]
    return { message, offset: at === undefined ? text.length : Number(at) }
  }
}

function lineBreaks(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1
}

function arrayCells(leaf: string): string[] {
  const inside = leaf.slice(1, -1).trim()
  return inside === '' ? [] : inside.split(',').map(bare)
}

function objectCells(leaf: string): Map<string, string> {
  const cells = new Map<string, string>()
  for (const member of leaf.matchAll(/"([^"]*)"\s*:\s*("[^"]*"|[^,}\s]+)/g)) {
    cells.set(member[1] ?? '', bare(member[2] ?? ''))
  }
  return cells
}

function bare(cell: string): string {
  const text = cell.trim()
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
