import type { ExitCode, ForeproofError } from '../contract/error.js'
import { type Format, printReport, type ReportOutput } from './print.js'

/**
 * Prints an error that is the answer no (an input that cannot be read, a request that contradicts
 * what is frozen) as the one finding of a report, so that a machine reads it where it reads the rest.
 */
export async function printRefusal(
  output: ReportOutput,
  format: Format,
  error: ForeproofError,
): Promise<ExitCode> {
  const { code, file, pointer, position, message, help } = error
  // The finding has a member for the file: in the sentence it would stand twice.
  const lead = `${file}: `
  const says = file !== undefined && message.startsWith(lead) ? message.slice(lead.length) : message
  const finding = {
    code,
    severity: 'error' as const,
    ...(file === undefined ? {} : { file }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(position === undefined ? {} : { position }),
    args: { says, help: help ?? null },
  }
  return await printReport(output, format, { findings: [...error.findings, finding] })
}
