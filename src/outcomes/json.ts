import { type OutcomeRow, SyntaxFault } from './row.js'

/** An array or object without another one inside: one bar of an API's answer. */
const LEAF = /[[{][^[\]{}]*[\]}]/g

/**
 * The bars in an exchange API's JSON answer, as rows. Bars that are arrays become cells as they
 * stand; bars that are objects are preceded by one row of their member names. Numbers keep the
 * text they were written with: times in nanoseconds are no numbers of I-JSON, so the reader of
 * documents would refuse them.
 */
export function* jsonRows(text: string): Generator<OutcomeRow> {
  checkSyntax(text)
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

/** What an answer says around its bars. */
export function aroundBars(text: string): string {
  return text.replaceAll(LEAF, '')
}

function checkSyntax(text: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    const at = /position (\d+)/.exec(says)?.[1]
    const offset = at === undefined ? text.length : Number(at)
    throw new SyntaxFault(1 + lineBreaks(text, 0, offset), says)
  }
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count++
  }
  return count
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
