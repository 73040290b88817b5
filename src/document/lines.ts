import type { Position } from '../contract/findings/finding.js'

/**
 * Turns offsets of a text into lines and columns. CR LF, LF and a lone CR each end a line, so the
 * lines are those an editor shows.
 */
export class LineIndex {
  readonly #text: string
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Line and column of `start`, counted from 1, and of `end` where it is given. */
  position(start: number, end?: number): Position {
    const from = this.#place(start)
    if (end === undefined) return from
    const to = this.#place(end)
    return { ...from, endLine: to.line, endColumn: to.column }
  }

  #place(offset: number): { line: number; column: number } {
    this.#starts ??= lineStarts(this.#text)
    const starts = this.#starts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  return starts
}
