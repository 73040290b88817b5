import { appendFileSync } from 'node:fs'
import { EXIT, type ExitCode, fileError } from '../contract/error.js'
import type { Finding, Severity } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { type DetailedFinding, report } from './reported.js'

/** `text` is for a person; the others are for machines and stand alone on standard output. */
export const FORMATS = ['text', 'json', 'sarif', 'junit', 'github'] as const
export type Format = (typeof FORMATS)[number]

/** What printing needs of a command's context. */
export interface ReportOutput {
  readonly name: string
  readonly colour: boolean
  readonly stdout: NodeJS.WritableStream
  readonly env: NodeJS.ProcessEnv
  readonly now: () => Instant
  readonly version: string
}

export interface Report {
  readonly findings: readonly Finding[]
  /** The mildest severity that makes the answer no; `error` when absent. */
  readonly threshold?: Severity
  /** The command's own figures, beside `ok` and `findings` in JSON. */
  readonly figures?: Readonly<Record<string, unknown>>
  /** Every file that was looked at, whether something was found in it or not. */
  readonly checked?: readonly string[]
  /** One sentence for a person about what was looked at: `3 protocols`. */
  readonly headline?: string
  /** More for a person, printed before the closing line: a table, what was written. */
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
 * Prints the outcome of a checking command in one format, as the command line does.
 * @returns 0 when nothing reaches the threshold, else 1.
 */
export async function printReport(
  output: ReportOutput,
  format: Format,
  given: Report,
): Promise<ExitCode> {
  const findings = report(given.findings)
  const failing = FAILING[given.threshold ?? 'error']
  const ok = !findings.some((finding) => failing.includes(finding.severity))
  output.stdout.write(await rendered(output, format, given, findings, failing, ok))
  if (format === 'github') await writeJobSummary(output, given, findings)
  return ok ? EXIT.holds : EXIT.no
}

// Each format is loaded when it is asked for: start-up time is a promise of this tool.
async function rendered(
  output: ReportOutput,
  format: Format,
  given: Report,
  findings: readonly DetailedFinding[],
  failing: readonly Severity[],
  ok: boolean,
): Promise<string> {
  const { name: command, version } = output
  switch (format) {
    case 'json':
      return (await import('./json.js')).jsonOf(findings, given.figures ?? {}, ok)
    case 'sarif':
      return (await import('./sarif.js')).sarifOf(findings, { version, command }, ok)
    case 'junit': {
      const run = { command, checked: given.checked ?? [], now: output.now(), version, failing }
      return (await import('./junit.js')).junitOf(findings, run)
    }
    case 'github':
      return (await import('./github.js')).githubOf(findings)
    case 'text': {
      const { textOf, closingLine } = await import('./text.js')
      const styles = await (await import('./styles.js')).stylesFor(output.colour)
      const shown = textOf(findings, { styles, source: given.source ?? (() => undefined) })
      const body = given.body === undefined ? '' : `${given.body.trimEnd()}\n`
      const closing = closingLine(findings, given.headline, styles)
      return `${shown}${shown === '' ? '' : '\n'}${body}${closing}\n`
    }
  }
}

async function writeJobSummary(
  output: ReportOutput,
  given: Report,
  findings: readonly DetailedFinding[],
): Promise<void> {
  const file = output.env.GITHUB_STEP_SUMMARY
  if (!file) return
  const { jobSummary } = await import('./github.js')
  try {
    appendFileSync(file, jobSummary(findings, output.name, given.headline))
  } catch (cause) {
    // A runner may name a file that a container cannot reach: that changes no answer.
    const why = fileError(cause, file).message.replace(/[%\r\n]/g, ' ')
    output.stdout.write(`::warning::the job summary could not be written: ${why}\n`)
  }
}
