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

const INTERVAL_MS = 60_000
/** Beyond so many subjects, what was held back for them is forgotten. */
const SUBJECTS_LIMIT = 1024

/**
 * Lets one message per event, subject and minute through and counts the rest, so that a fault that
 * lasts does not flood the log.
 */
export class Throttled {
  private readonly events = new Map<string, { since: number; suppressed: number }>()

  constructor(private readonly logger: Logger) {}

  /**
   * @param subject what the event is about, where several of a kind are to be told apart.
   * @returns whether it was let through.
   */
  log(
    level: LogLevel,
    event: string,
    message: string,
    fields: LogFields = {},
    subject: string = '',
  ): boolean {
    const now = performance.now()
    const name = `${event} ${subject}`
    const seen = this.events.get(name)
    if (seen !== undefined && now - seen.since < INTERVAL_MS) {
      seen.suppressed++
      return false
    }
    const suppressed = seen?.suppressed ?? 0
    if (this.events.size >= SUBJECTS_LIMIT) this.events.clear()
    this.events.set(name, { since: now, suppressed: 0 })
    this.logger.log(level, event, message, suppressed > 0 ? { ...fields, suppressed } : fields)
    return true
  }
}
