import type { Severity } from '../contract/findings/finding.js'
import { kindKey, SHOWN_OF_A_KIND } from '../contract/findings/finding-list.js'
import { type RestCount, restText } from '../contract/findings/general.js'
import { printable } from '../contract/printable.js'
import { withoutSecrets } from '../contract/secrets.js'
import { type DetailedFinding, formatPosition, tally, tallyText } from './reported.js'

type Style = 'red' | 'yellow' | 'green' | 'blue' | 'cyan' | 'bold' | 'dim'
export type Paint = (style: Style, text: string) => string

/** Without colours, chalk is not even loaded. */
export async function painter(colour: boolean): Promise<Paint> {
  if (!colour) return (_, text) => text
  const { Chalk } = await import('chalk')
  // The command has already decided on colour, so chalk must not ask the stream again.
  const chalk = new Chalk({ level: 1 })
  return (style, text) => chalk[style](text)
}

interface TextOptions {
  readonly paint: Paint
  /** The text of a file that findings name, to show the lines around them. */
  readonly source: (file: string) => string | undefined
}

/** The findings of a kind that are not shown, whether kept or only counted. */
interface Hidden {
  readonly of: string
  readonly severity: Severity
  shown: number
  count: number
  last: Pick<RestCount, 'file' | 'line'>
}

/**
 * Formats findings for people: location, severity, sentence, the lines around it, and what to do. At most twenty of a
 * kind; then one line gives the number of the rest, and the position of the last.
 */
export function formatFindings(findings: readonly DetailedFinding[], options: TextOptions): string {
  const kinds = new Map<string, Hidden>()
  const blocks: string[] = []
  for (const each of findings) {
    const { severity, rest } = each
    const of = rest?.of ?? each.code
    const key = kindKey({ of, severity })
    const kind = kinds.get(key) ?? { of, severity, shown: 0, count: 0, last: each }
    kinds.set(key, kind)
    if (rest === undefined && kind.shown < SHOWN_OF_A_KIND) {
      kind.shown++
      blocks.push(formatFinding(each, options))
    } else {
      kind.count += rest?.count ?? 1
      kind.last = rest ?? each
    }
  }
  for (const kind of kinds.values()) if (kind.count > 0) blocks.push(formatRest(kind, options))
  return blocks.map((block) => `${block}\n`).join('\n')
}

function formatRest({ of, severity, count, last }: Hidden, { paint }: TextOptions): string {
  const { file, line } = last
  const text = printable(restText({ of, count, file, line }))
  return `${paint(COLOURS[severity], severity)} ${text}`
}

function formatFinding(finding: DetailedFinding, { paint, source }: TextOptions): string {
  const colour = COLOURS[finding.severity]
  const lines = [
    [formatLocation(finding, paint), paint(colour, finding.severity), paint('dim', finding.code)]
      .filter((part) => part !== '')
      .join(' '),
    `  ${printable(finding.message)}`,
  ]
  if (finding.pointer) lines.push(paint('dim', `  at ${printable(finding.pointer)}`))
  const shown = frame(finding.file === null ? undefined : source(finding.file), finding)
  const gutter = String(shown.at(-1)?.number ?? '').length
  for (const { number, text, faulty, marks } of shown) {
    const label = `${faulty ? '>' : ' '} ${String(number).padStart(gutter)} |`
    lines.push(`  ${paint('dim', label)} ${text}`.trimEnd())
    if (marks !== undefined) {
      lines.push(`  ${paint('dim', `${' '.repeat(gutter + 2)} |`)} ${paint(colour, marks)}`)
    }
  }
  if (finding.help !== null) lines.push(`  ${paint('cyan', 'help:')} ${printable(finding.help)}`)
  return lines.join('\n')
}

function formatLocation(finding: DetailedFinding, paint: Paint): string {
  if (finding.file === null) return ''
  return paint('bold', printable(finding.file) + formatPosition(finding))
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'blue' } as const satisfies Record<
  Severity,
  Style
>

/** The closing line: the figures of the run, then the number of findings. */
export function closingLine(
  findings: readonly DetailedFinding[],
  headline: string | undefined,
  paint: Paint,
): string {
  const counts = tally(findings)
  const summary = tallyText(counts)
  const colour = counts.error > 0 ? 'red' : counts.warning > 0 ? 'yellow' : 'green'
  const painted = paint(colour, summary)
  return headline === undefined ? painted : `${printable(headline)}: ${painted}`
}

const WIDTH = 100
const LEAD = 40
/** One line of a code frame; `marked` is the line of carets below the faulty one. */
interface FrameLine {
  readonly number: number
  readonly text: string
  readonly faulty: boolean
  readonly marks?: string
}

/** The faulty line with its neighbours, cut to a readable width; empty if the finding has no position. */
function frame(source: string | undefined, finding: DetailedFinding): FrameLine[] {
  const { line, column } = finding
  if (source === undefined || line === null || column === null) return []
  const lines = source.split(/\r\n|\n|\r/)
  const from = Math.max(1, line - 1)
  const to = Math.min(lines.length, line + 1)
  const offset = column > WIDTH - LEAD ? column - LEAD : 0
  const result: FrameLine[] = []
  for (let number = from; number <= to; number++) {
    const sourceLine = lines[number - 1] ?? ''
    const safe = withoutSecrets(sourceLine)
    const isWhole = safe === sourceLine
    const shown = { number, text: cut(safe, isWhole ? offset : 0), faulty: number === line }
    result.push(
      number === line && isWhole ? { ...shown, marks: marks(sourceLine, finding, offset) } : shown,
    )
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
