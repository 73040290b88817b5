import { appendFileSync } from 'node:fs'
import { EXIT, type ExitCode, fileError, type Refusal } from '../contract/error.js'
import { type Finding, finding, type Severity } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { printable, printableJson, printableLines } from '../contract/printable.js'
import { formatAnnotations, jobSummary } from './github.js'
import { formatJunit } from './junit.js'
import { type DetailedFinding, toDetailedFindings } from './reported.js'
import { formatSarif } from './sarif.js'
import { closingLine, formatFindings, painter } from './text.js'

/** `text` is for people; the others are for machines and are the only content of standard output. */
export const OUTPUT_FORMATS = ['text', 'json', 'sarif', 'junit', 'github'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** What printing needs from a command's context. */
export interface ReportOutput {
  readonly name: string
  readonly colour: boolean
  readonly stdout: NodeJS.WritableStream
  readonly env: NodeJS.ProcessEnv
  readonly now: () => Instant
  readonly version: string
}

export interface FindingsReport {
  readonly findings: readonly Finding[]
  /** The lowest severity that makes the check fail; `error` by default. */
  readonly threshold?: Severity
  /** Whether a missing input kept something from being checked; then the answer is not "holds". */
  readonly isUnchecked?: boolean
  /** The command's own figures, added to `ok` and `findings` in JSON. */
  readonly figures?: Readonly<Record<string, unknown>>
  /** Every file that was checked, with or without findings. */
  readonly checked?: readonly string[]
  /** A sentence for people about what was checked: `3 protocols`. */
  readonly headline?: string
  /** More text for people, printed before the closing line: a table, or what was written. */
  readonly body?: string
  /** The text of a file that findings name, to show the lines around them. */
  readonly source?: (file: string) => string | undefined
}

const FAILING: Readonly<Record<Severity, readonly Severity[]>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  note: ['error', 'warning', 'note'],
}

/**
 * Prints the result of a checking command in one format, as the command line does.
 * @returns 0 if nothing reaches the threshold and all was checked, 3 if not all was, else 1.
 */
export async function printReport(
  output: ReportOutput,
  format: OutputFormat,
  given: FindingsReport,
): Promise<ExitCode> {
  const findings = toDetailedFindings(given.findings)
  const failing = FAILING[given.threshold ?? 'error']
  const isNo = findings.some((finding) => failing.includes(finding.severity))
  const ok = !isNo && !given.isUnchecked
  output.stdout.write(await rendered(output, format, given, findings, failing, ok))
  if (format === 'github') writeJobSummary(output, given, findings)
  return isNo ? EXIT.no : given.isUnchecked ? EXIT.unable : EXIT.holds
}

/**
 * Converts an error that means that the check failed (an unreadable input, a request that contradicts what is frozen)
 * to a finding after those that it contains, so that a machine finds it with the others.
 */
export function refusalFindings(error: Refusal): Finding[] {
  const { code, file, pointer, position, message, help } = error
  // The finding has a member for the file, so do not repeat it in the sentence.
  const lead = `${file}: `
  const text = file !== undefined && message.startsWith(lead) ? message.slice(lead.length) : message
  const refusal = finding(code, { message: text, help: help ?? null }, { file, pointer, position })
  return [...error.findings, refusal]
}

async function rendered(
  output: ReportOutput,
  format: OutputFormat,
  given: FindingsReport,
  findings: readonly DetailedFinding[],
  failing: readonly Severity[],
  ok: boolean,
): Promise<string> {
  const { name: command, version } = output
  switch (format) {
    case 'json': {
      const plain = findings.map(({ endLine, endColumn, help, rest, ...shown }) => shown)
      return `${printableJson({ ok, ...given.figures, findings: plain }, 2)}\n`
    }
    case 'sarif':
      return formatSarif(findings, { version, command }, ok, given.checked?.[0] ?? '.')
    case 'junit': {
      const run = { command, checked: given.checked ?? [], now: output.now(), version, failing }
      return formatJunit(findings, run)
    }
    case 'github':
      return formatAnnotations(findings)
    case 'text': {
      const paint = await painter(output.colour)
      const shown = formatFindings(findings, { paint, source: given.source ?? (() => undefined) })
      const body = given.body ? `${printableLines(given.body.trimEnd())}\n` : ''
      const closing = closingLine(findings, given.headline, paint)
      return `${shown}${shown === '' ? '' : '\n'}${body}${closing}\n`
    }
  }
}

function writeJobSummary(
  output: ReportOutput,
  given: FindingsReport,
  findings: readonly DetailedFinding[],
): void {
  const file = output.env.GITHUB_STEP_SUMMARY
  if (!file) return
  try {
    appendFileSync(file, jobSummary(findings, output.name, given.headline))
  } catch (cause) {
    // A runner may name a file that a container cannot reach; the result stays the same.
    const why = printable(fileError(cause, file).message).replaceAll('%', ' ')
    output.stdout.write(`::warning::the job summary could not be written: ${why}\n`)
  }
}
