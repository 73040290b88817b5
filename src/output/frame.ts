import { printable } from '../contract/printable.js'
import type { DetailedFinding } from './reported.js'

const WIDTH = 100
const LEAD = 40
/** One line of a code frame; `marked` is the line of carets below the faulty one. */
interface FrameLine {
  readonly number: number
  readonly text: string
  readonly faulty: boolean
  readonly marks?: string
}

/** The faulty line with its neighbours, cut to a readable width, or none when there is no place. */
export function frame(source: string | undefined, finding: DetailedFinding): FrameLine[] {
  const { line, column } = finding
  if (source === undefined || line === null || column === null) return []
  const lines = source.split(/\r\n|\n|\r/)
  const from = Math.max(1, line - 1)
  const to = Math.min(lines.length, line + 1)
  const offset = column > WIDTH - LEAD ? column - LEAD : 0
  const result: FrameLine[] = []
  for (let number = from; number <= to; number++) {
    const whole = lines[number - 1] ?? ''
    const shown = { number, text: cut(whole, offset), faulty: number === line }
    result.push(number === line ? { ...shown, marks: marks(whole, finding, offset) } : shown)
  }
  return result
}

function cut(line: string, offset: number): string {
  const body = line.slice(offset, offset + WIDTH)
  const before = offset > 0 && line.length > 0 ? '…' : ''
  return printable(`${before}${body}${line.length > offset + WIDTH ? '…' : ''}`)
}

function marks(line: string, finding: DetailedFinding, offset: number): string {
  const column = finding.column as number
  const { endLine, endColumn } = finding
  const sameLine = endLine === finding.line && endColumn !== null
  const end = sameLine ? (endColumn as number) : endLine === null ? column + 1 : line.length + 1
  const last = Math.min(end, offset + WIDTH + 1)
  const lead = printable(line.slice(offset, column - 1)).length + (offset > 0 ? 1 : 0)
  const width = printable(line.slice(column - 1, last - 1)).length
  return ' '.repeat(lead) + '^'.repeat(Math.max(1, width))
}
