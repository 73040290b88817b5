import type { Severity } from '../contract/findings/finding.js'
import { printable } from '../contract/printable.js'
import {
  countFindings,
  type DetailedFinding,
  formatPosition,
  tally,
  tallyText,
} from './reported.js'

/** GitHub shows this many annotations per kind and step, and silently drops the rest. */
const SHOWN = 10

const COMMAND: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
}

/**
 * GitHub workflow annotations. If a severity has more than ten, the tenth gives the number of the rest, and a folded
 * group of the log lists all that were kept.
 */
export function formatAnnotations(findings: readonly DetailedFinding[]): string {
  const lines: string[] = []
  for (const severity of ['error', 'warning', 'note'] as const) {
    const all = findings.filter((finding) => finding.severity === severity)
    const shown = all.length > SHOWN ? all.slice(0, SHOWN - 1) : all
    lines.push(...shown.map(annotation))
    if (all.length === shown.length) continue
    const total = sum(all)
    const listed = all.filter(({ rest }) => rest === undefined).length
    const rest = total - shown.length
    const title = property(`${rest} more findings`)
    const which = listed === total ? `all ${total}` : `the first ${listed} of ${total}`
    const message = `${rest} more; ${which} are listed in the log of this step`
    lines.push(`::${COMMAND[severity]} title=${title}::${data(message)}`)
    lines.push(`::group::${which} findings of severity ${severity}`)
    for (const finding of all) lines.push(plain(finding))
    lines.push('::endgroup::')
  }
  return lines.map((line) => `${line}\n`).join('')
}

function sum(findings: readonly DetailedFinding[]): number {
  return findings.reduce((count, each) => count + countFindings(each), 0)
}

function annotation(finding: DetailedFinding): string {
  const { file, line, column, endLine, endColumn } = finding
  const properties: string[] = []
  if (file !== null) properties.push(`file=${property(file.replace(/^(?:\.\/)+/, ''))}`)
  if (line !== null) properties.push(`line=${line}`)
  if (endLine !== null) properties.push(`endLine=${endLine}`)
  // GitHub supports columns only within one line.
  if (column !== null && (endLine === null || endLine === line)) properties.push(`col=${column}`)
  if (endColumn !== null && endLine === line) properties.push(`endColumn=${endColumn}`)
  properties.push(`title=${property(`foreproof: ${finding.code}`)}`)
  return `::${COMMAND[finding.severity]} ${properties.join(',')}::${data(sentence(finding))}`
}

function sentence(finding: DetailedFinding): string {
  const pointer = finding.pointer ? `${finding.pointer}: ` : ''
  const message = printable(`${pointer}${finding.message}`)
  return finding.help === null ? message : `${message}\n${printable(finding.help)}`
}

/** A log line that GitHub cannot mistake for a command, whatever the document contains. */
function plain(finding: DetailedFinding): string {
  const text = sentence(finding).replaceAll(/[\r\n]+/g, ' ')
  const position = printable(finding.file ?? '') + formatPosition(finding)
  return `  ${position} ${finding.code} ${text}`.replaceAll('::', ': :')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** The page that GitHub shows for a job: a table of the findings, in Markdown. */
export function jobSummary(
  findings: readonly DetailedFinding[],
  command: string,
  headline: string | undefined,
): string {
  const counts = tally(findings)
  const verdict = counts.error > 0 ? '❌' : '✅'
  const lines = [`### ${verdict} foreproof ${command}: ${tallyText(counts)}`, '']
  if (headline !== undefined) lines.push(cell(headline), '')
  const shown = findings.slice(0, 100)
  if (shown.length > 0) lines.push('| severity | where | finding |', '|---|---|---|')
  for (const finding of shown) {
    const position = finding.line === null ? '' : `:${finding.line}`
    const pointer = finding.pointer ? ` ${finding.pointer}` : ''
    const where = cell(`${finding.file ?? ''}${position}${pointer}`)
    lines.push(`| ${finding.severity} | ${where} | ${cell(finding.message)} |`)
  }
  const beyond = sum(findings) - sum(shown)
  if (beyond > 0) lines.push('', `and ${beyond} more; see the log of this step`)
  return `${lines.join('\n')}\n\n`
}

/** Escapes a document's text for a Markdown table, so that it adds no markup, line ends or cells. */
function cell(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '))
    .replaceAll(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replaceAll(/[\\`*_[\]|~]/g, (c) => `\\${c}`)
}
