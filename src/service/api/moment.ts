import type { Instant } from '../../contract/instant.js'
import type { HistoryReader, HistoryVersion } from '../../history/store/types.js'
import type { HealthFile, HealthReading } from '../health/health-file.js'

/** What holds for every request that is answered in one turn of the event loop. */
export interface Moment {
  readonly now: Instant
  readonly health: HealthReading
  /** The history as it is, or the error that stands in the way of reading it. */
  readonly history: { readonly version: HistoryVersion } | { readonly error: unknown }
}

/**
 * Looks at the clock, the health report and the history file, once in a turn of the event loop however
 * many requests it answers: no state is older than the turn, and many connections do not multiply the
 * system calls.
 */
export class Moments {
  private current: Promise<Moment> | undefined

  constructor(
    private readonly reader: HistoryReader,
    private readonly healthFile: HealthFile,
    private readonly wallClock: () => number,
  ) {}

  now(): Promise<Moment> {
    if (this.current === undefined) {
      setImmediate(() => {
        this.current = undefined
      })
      this.current = this.look()
    }
    return this.current
  }

  private async look(): Promise<Moment> {
    const milliseconds = this.wallClock()
    return {
      now: milliseconds * 1000,
      health: this.healthFile.look(milliseconds),
      history: await this.lookAtHistory(),
    }
  }

  private async lookAtHistory(): Promise<Moment['history']> {
    try {
      return { version: await this.reader.version() }
    } catch (error) {
      return { error }
    }
  }
}
