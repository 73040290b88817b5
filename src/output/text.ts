import type { Severity } from '../contract/findings/finding.js'
import { kindKey, SHOWN_OF_A_KIND } from '../contract/findings/finding-list.js'
import { FoldedLines } from '../contract/findings/folded-lines.js'
import { restText } from '../contract/findings/general.js'
import { printable } from '../contract/printable.js'
import { frame } from './frame.js'
import { type DetailedFinding, placeOf, tally, tallyText } from './reported.js'

type Style = 'red' | 'yellow' | 'green' | 'blue' | 'cyan' | 'bold' | 'dim'
export type Paint = (style: Style, text: string) => string

/** Colours, or none: then chalk is not even loaded. */
export async function painter(colour: boolean): Promise<Paint> {
  if (!colour) return (_, text) => text
  const { Chalk } = await import('chalk')
  // The command has decided on colour: the stream is not asked once more.
  const chalk = new Chalk({ level: 1 })
  return (style, text) => chalk[style](text)
}

interface TextOptions {
  readonly paint: Paint
  /** The text of a file that findings name, for the lines around them. */
  readonly source: (file: string) => string | undefined
}

/** What is not shown of a kind, whether it was kept or only counted. */
interface Hidden {
  readonly of: string
  readonly severity: Severity
  shown: number
  count: number
  readonly places: FoldedLines
}

/**
 * Findings for a person: location, severity, sentence, the lines around it, and what to do. At most
 * twenty of a kind; then one line that says how many more there are, and where.
 */
export function findingsText(findings: readonly DetailedFinding[], options: TextOptions): string {
  const kinds = new Map<string, Hidden>()
  const blocks: string[] = []
  for (const each of findings) {
    const { severity, rest } = each
    const of = rest?.of ?? each.code
    const key = kindKey({ of, severity })
    const kind = kinds.get(key) ?? { of, severity, shown: 0, count: 0, places: new FoldedLines() }
    kinds.set(key, kind)
    if (rest !== undefined) {
      kind.count += rest.count
      kind.places.addAll(rest.places)
    } else if (kind.shown < SHOWN_OF_A_KIND) {
      kind.shown++
      blocks.push(one(each, options))
    } else {
      kind.count++
      kind.places.add(each.file, each.line)
    }
  }
  for (const kind of kinds.values()) if (kind.count > 0) blocks.push(beyond(kind, options))
  return blocks.map((block) => `${block}\n`).join('\n')
}

function beyond({ of, severity, count, places }: Hidden, { paint }: TextOptions): string {
  const text = printable(restText({ of, count, places: places.summary() }))
  return `${paint(COLOURS[severity], severity)} ${text}`
}

function one(finding: DetailedFinding, { paint, source }: TextOptions): string {
  const colour = COLOURS[finding.severity]
  const lines = [
    [locationOf(finding, paint), paint(colour, finding.severity), paint('dim', finding.code)]
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

function locationOf(finding: DetailedFinding, paint: Paint): string {
  if (finding.file === null) return ''
  return paint('bold', printable(finding.file) + placeOf(finding))
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'blue' } as const satisfies Record<
  Severity,
  Style
>

/** The closing line: the figures of the run, then what was found. */
export function closingLine(
  findings: readonly DetailedFinding[],
  headline: string | undefined,
  paint: Paint,
): string {
  const counts = tally(findings)
  const found = tallyText(counts)
  const colour = counts.error > 0 ? 'red' : counts.warning > 0 ? 'yellow' : 'green'
  const painted = paint(colour, found)
  return headline === undefined ? painted : `${printable(headline)}: ${painted}`
}
