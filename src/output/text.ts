import type { Severity } from '../contract/findings/finding.js'
import { frame, printable } from './frame.js'
import { type DetailedFinding, tally, tallyText } from './reported.js'
import type { Styles } from './styles.js'

export interface TextOptions {
  readonly styles: Styles
  /** The text of a file that findings name, for the lines around them. */
  readonly source: (file: string) => string | undefined
}

/** Findings for a person: location, severity, sentence, the lines around it, and what to do. */
export function textOf(findings: readonly DetailedFinding[], options: TextOptions): string {
  return findings.map((finding) => `${one(finding, options)}\n`).join('\n')
}

function one(finding: DetailedFinding, { styles, source }: TextOptions): string {
  const paint = painter(finding.severity, styles)
  const lines = [
    [locationOf(finding, styles), paint(finding.severity), styles.dim(finding.code)]
      .filter((part) => part !== '')
      .join(' '),
    `  ${printable(finding.message)}`,
  ]
  if (finding.pointer) lines.push(styles.dim(`  at ${printable(finding.pointer)}`))
  const shown = frame(finding.file === null ? undefined : source(finding.file), finding)
  const gutter = String(shown.at(-1)?.number ?? '').length
  for (const { number, text, faulty, marks } of shown) {
    const label = `${faulty ? '>' : ' '} ${String(number).padStart(gutter)} |`
    lines.push(`  ${styles.dim(label)} ${text}`.trimEnd())
    if (marks !== undefined) {
      lines.push(`  ${styles.dim(`${' '.repeat(gutter + 2)} |`)} ${paint(marks)}`)
    }
  }
  if (finding.help !== null) lines.push(`  ${styles.cyan('help:')} ${printable(finding.help)}`)
  return lines.join('\n')
}

function locationOf(finding: DetailedFinding, styles: Styles): string {
  if (finding.file === null) return ''
  const file = printable(finding.file)
  return styles.bold(finding.line === null ? file : `${file}:${finding.line}:${finding.column}`)
}

function painter(severity: Severity, styles: Styles): (text: string) => string {
  if (severity === 'error') return styles.red
  return severity === 'warning' ? styles.yellow : styles.blue
}

/** The closing line: the figures of the run, then what was found. */
export function closingLine(
  findings: readonly DetailedFinding[],
  headline: string | undefined,
  styles: Styles,
): string {
  const counts = tally(findings)
  const found = tallyText(counts)
  const paint = counts.error > 0 ? styles.red : counts.warning > 0 ? styles.yellow : styles.green
  return headline === undefined ? paint(found) : `${headline}: ${paint(found)}`
}
