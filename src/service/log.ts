import { printableJson } from '../contract/printable.js'

export type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Structured log: one JSON object a line. Callers hand in what may be shown; nothing else gets in. */
export interface Logger {
  log(level: LogLevel, event: string, message: string, fields?: LogFields): void
}

/**
 * Writes one JSON object a line to `stream`, usually standard error.
 * @param time - gives the time of a line, as it is to be written.
 */
export function jsonLogger(stream: NodeJS.WritableStream, time: () => string): Logger {
  return {
    log(level, event, message, fields) {
      stream.write(`${printableJson({ time: time(), level, event, message, ...fields })}\n`)
    },
  }
}

/** What a line of the log says of a fault. Where every address of a host refuses, the message is in the errors below. */
export function faultText(cause: unknown): string {
  if (cause instanceof AggregateError) return faultText(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}
