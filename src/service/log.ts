import { printableJson } from '../contract/printable.js'

/** A fault has ended if it does not recur for this time after a success. */
const QUIET_MS = 5000
/** A fault without a visible end has ended if it does not recur for this time. */
const FADED_MS = 60_000
/** Largest number of lines per fault, because its cause may change without end. */
const MAX_LINES = 20
/** Above this number of simultaneous faults, the recorded ones are forgotten. */
const MAX_FAULTS = 1024

export type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * Structured log: one JSON object per line. It contains only what callers pass, so they pass only what may be shown.
 */
export interface Logger {
  log(level: LogLevel, event: string, message: string, fields?: LogFields): void
}

/**
 * Writes one JSON object per line to `stream`, usually standard error.
 * @param time - returns the time of a line, as text.
 */
export function jsonLogger(stream: NodeJS.WritableStream, time: () => string): Logger {
  return {
    log(level, event, message, fields) {
      stream.write(`${printableJson({ time: time(), level, event, message, ...fields })}\n`)
    },
  }
}

/** The text of a fault for the log. If every address of a host refuses, the message is in the nested errors. */
export function faultText(cause: unknown): string {
  if (cause instanceof AggregateError) return faultText(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

interface Fault {
  cause: string
  lines: number
  suppressed: number
  /** Reports the end, unless the fault recurs before. */
  ending?: { readonly tell: () => void; readonly timer: NodeJS.Timeout } | undefined
}

/**
 * The faults of a service in its log: one line when a fault begins, one when its cause changes, one when it ends, with
 * the number of suppressed lines. A fault that comes and goes within moments is one fault.
 */
export class FaultLog {
  readonly #lasting = new Map<string, Fault>()

  constructor(private readonly logger: Logger) {}

  /**
   * Records that a fault occurs, or still does.
   * @param name distinguishes one fault from the others.
   * @param cause the text in the line; another text is another cause.
   */
  report(name: string, event: string, cause: string, fields: LogFields = {}): void {
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

  /** Records a success. Costs only a look-up if there is no such fault. */
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

  /** Like `met`, for a fault without a visible end: it ends if it does not recur for a minute. */
  metOnce(name: string, event: string, cause: string, fields: LogFields = {}): void {
    this.report(name, event, cause, fields)
    this.over(name, `${event}-over`, `no longer met: ${name}`, FADED_MS)
  }

  /** Reports the faults that have ended, without waiting. */
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
