import type { Position } from '../contract/findings/finding.js'
import { formatPointer, parentPointer } from '../contract/pointer.js'
import { parseJson, type Recorder, type ValuePosition } from './parser.js'

/** Positions of the values of a text, by pointer; the text is parsed at the first lookup. */
export class ValuePositions {
  readonly lines: LineIndex
  #byPointer: Map<string, ValuePosition> | undefined

  constructor(private readonly text: string) {
    this.lines = new LineIndex(text)
  }

  find(pointer: string): ValuePosition | undefined {
    return this.#all().get(pointer)
  }

  /** Lines and columns of a value or of its member name, or of the nearest existing value above it. */
  positionAt(pointer: string, part: 'value' | 'name' = 'value'): Position {
    let span = this.find(pointer)
    for (
      let up = parentPointer(pointer);
      span === undefined && up !== undefined;
      up = parentPointer(up)
    ) {
      span = this.find(up)
    }
    if (span === undefined) return { line: 1, column: 1 }
    const { nameStart, nameEnd } = span
    if (part === 'name' && nameStart !== undefined) return this.lines.position(nameStart, nameEnd)
    return this.lines.position(span.start, span.end)
  }

  /** The innermost value around an offset. */
  pointerAt(offset: number): string {
    let best = ''
    let width = Number.POSITIVE_INFINITY
    for (const [pointer, { start, end }] of this.#all()) {
      if (start <= offset && offset < end && end - start < width) {
        best = pointer
        width = end - start
      }
    }
    return best
  }

  #all(): Map<string, ValuePosition> {
    if (this.#byPointer === undefined) {
      const positions = new Map<string, ValuePosition>()
      const recorder: Recorder = (path, position) => {
        const pointer = formatPointer(path)
        // If members have the same name, the pointer means the first one.
        if (!positions.has(pointer)) positions.set(pointer, position)
      }
      parseJson(this.text, { recorder })
      this.#byPointer = positions
    }
    return this.#byPointer
  }
}

/** The spelling of each number in a text, by pointer, because `1.0` and `1` are the same value. */
export function numberSpellings(text: string): Map<string, string> {
  const spellings = new Map<string, string>()
  const recorder: Recorder = (path, { start, end }) => {
    const code = text.charCodeAt(start)
    const isNumber = code === 0x2d || (code >= 0x30 && code <= 0x39)
    if (isNumber) spellings.set(formatPointer(path), text.slice(start, end))
  }
  parseJson(text, { recorder })
  return spellings
}

/**
 * Converts offsets of a text to lines and columns. CR LF, LF and a lone CR each end a line, so lines are numbered as in
 * an editor.
 */
export class LineIndex {
  #starts: number[] | undefined

  constructor(private readonly text: string) {}

  /** Line and column of `start`, counted from 1, and of `end` if given. */
  position(start: number, end?: number): Position {
    const from = this.#lineAndColumn(start)
    if (end === undefined) return from
    const to = this.#lineAndColumn(end)
    return { ...from, endLine: to.line, endColumn: to.column }
  }

  #lineAndColumn(offset: number): { line: number; column: number } {
    const ends = () => this.text.matchAll(/\r\n|\n|\r/g)
    this.#starts ??= [0, ...Array.from(ends(), ({ index, 0: end }) => index + end.length)]
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
