import { printableJson } from '../contract/printable.js'

/** A fault is over when it was not met again for so long after something went well. */
const QUIET_MS = 5000
/** A fault whose end is not noticed is over when it was not met for so long. */
const FADED_MS = 60_000
/** A fault has at most so many lines: its cause may change without end. */
const MAX_LINES = 20
/** Beyond so many faults at a time, what is known of them is forgotten. */
const MAX_FAULTS = 1024

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

interface Fault {
  cause: string
  lines: number
  suppressed: number
  /** Says that it is over, unless it is met before. */
  ending?: { readonly tell: () => void; readonly timer: NodeJS.Timeout } | undefined
}

/**
 * The faults of a service in its log: one line when a fault begins, one when its cause changes, one when it ends,
 * with the number of lines that were held back. A fault that comes and goes within moments is one fault.
 */
export class FaultLog {
  readonly #lasting = new Map<string, Fault>()

  constructor(private readonly logger: Logger) {}

  /**
   * It is there, or still there.
   * @param name distinguishes one fault from the others.
   * @param cause what the line says of it; another text is another cause.
   */
  met(name: string, event: string, cause: string, fields: LogFields = {}): void {
    const fault = this.#lasting.get(name) ?? this.#begin(name)
    clearTimeout(fault.ending?.timer)
    fault.ending = undefined
    if (fault.cause === cause || fault.lines === MAX_LINES) {
      fault.suppressed++
      return
    }
    fault.cause = cause
    fault.lines++
    this.logger.log('error', event, cause, fields)
  }

  /** What it was about went well. Costs a look-up where there is no such fault. */
  over(name: string, event: string, message: string, quietMs = QUIET_MS): void {
    const fault = this.#lasting.get(name)
    if (fault === undefined || fault.ending !== undefined) return
    const tell = () => {
      this.#lasting.delete(name)
      const { suppressed } = fault
      this.logger.log('info', event, message, suppressed > 0 ? { suppressed } : {})
    }
    fault.ending = { tell, timer: setTimeout(tell, quietMs).unref() }
  }

  /** As `met`, for what has no end that could be noticed: it is over when it was not met for a minute. */
  metOnce(name: string, event: string, cause: string, fields: LogFields = {}): void {
    this.met(name, event, cause, fields)
    this.over(name, `${event}-over`, `no longer met: ${name}`, FADED_MS)
  }

  /** Reports at once those that have ended. */
  close(): void {
    for (const { ending } of [...this.#lasting.values()]) {
      clearTimeout(ending?.timer)
      ending?.tell()
    }
  }

  #begin(name: string): Fault {
    if (this.#lasting.size >= MAX_FAULTS) this.#forget()
    const fault = { cause: '', lines: 0, suppressed: 0 }
    this.#lasting.set(name, fault)
    return fault
  }

  #forget(): void {
    for (const { ending } of this.#lasting.values()) clearTimeout(ending?.timer)
    this.#lasting.clear()
  }
}
