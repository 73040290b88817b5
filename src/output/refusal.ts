import type { ExitCode, Refusal } from '../contract/error.js'
import { finding } from '../contract/findings/finding.js'
import { type Format, printReport, type ReportOutput } from './print.js'

/**
 * Prints an error that is the answer no (an input that cannot be read, a request that contradicts
 * what is frozen) as the one finding of a report, so that a machine reads it where it reads the rest.
 */
export async function printRefusal(
  output: ReportOutput,
  format: Format,
  error: Refusal,
): Promise<ExitCode> {
  const { code, file, pointer, position, message, help } = error
  // The finding has a member for the file: in the sentence it would stand twice.
  const lead = `${file}: `
  const says = file !== undefined && message.startsWith(lead) ? message.slice(lead.length) : message
  const refusal = finding(code, { says, help: help ?? null }, { file, pointer, position })
  return await printReport(output, format, { findings: [...error.findings, refusal] })
}
