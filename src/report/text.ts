import { Chalk, type ChalkInstance } from 'chalk'
import type { Severity } from '../contract/finding.js'
import { frame, printable } from './frame.js'
import { type DetailedFinding, tally, tallyText } from './reported.js'

export interface TextOptions {
  readonly colour: boolean
  /** The text of a file that findings name, for the lines around them. */
  readonly source: (file: string) => string | undefined
}

/** Findings for a person: place, severity, sentence, the lines around it, and what to do. */
export function textOf(findings: readonly DetailedFinding[], options: TextOptions): string {
  const chalk = new Chalk({ level: options.colour ? 1 : 0 })
  return findings.map((finding) => `${one(finding, options, chalk)}\n`).join('\n')
}

function one(finding: DetailedFinding, options: TextOptions, chalk: ChalkInstance): string {
  const paint = painter(finding.severity, chalk)
  const lines = [
    [place(finding, chalk), paint(finding.severity), chalk.dim(finding.code)]
      .filter((part) => part !== '')
      .join(' '),
    `  ${printable(finding.message)}`,
  ]
  if (finding.pointer) lines.push(chalk.dim(`  at ${printable(finding.pointer)}`))
  const source = finding.file === null ? undefined : options.source(finding.file)
  const shown = frame(source, finding)
  const gutter = String(shown.at(-1)?.number ?? '').length
  for (const { number, text, faulty, marks } of shown) {
    const label = `${faulty ? '>' : ' '} ${String(number).padStart(gutter)} |`
    lines.push(`  ${chalk.dim(label)} ${text}`.trimEnd())
    if (marks !== undefined) {
      lines.push(`  ${chalk.dim(`${' '.repeat(gutter + 2)} |`)} ${paint(marks)}`)
    }
  }
  if (finding.help !== null) lines.push(`  ${chalk.cyan('help:')} ${printable(finding.help)}`)
  return lines.join('\n')
}

function place(finding: DetailedFinding, chalk: ChalkInstance): string {
  if (finding.file === null) return ''
  const file = printable(finding.file)
  return chalk.bold(finding.line === null ? file : `${file}:${finding.line}:${finding.column}`)
}

function painter(severity: Severity, chalk: ChalkInstance): ChalkInstance {
  if (severity === 'error') return chalk.red
  return severity === 'warning' ? chalk.yellow : chalk.blue
}

/** The closing line: the figures of the run, then what was found. */
export function closingLine(
  findings: readonly DetailedFinding[],
  headline: string | undefined,
  colour: boolean,
): string {
  const chalk = new Chalk({ level: colour ? 1 : 0 })
  const counts = tally(findings)
  const found = tallyText(counts)
  const paint = counts.error > 0 ? chalk.red : counts.warning > 0 ? chalk.yellow : chalk.green
  return headline === undefined ? paint(found) : `${headline}: ${paint(found)}`
}
