import type { HistoryReader, HistoryVersion } from '../../store/history-reader.js'
import type { HealthReading, HealthSnapshot } from '../health/health.js'

/** The state that is fixed for one request. */
export interface RequestSnapshot extends HealthSnapshot {
  /**
   * The version of the history. Fetched on first use, because that may need a database server.
   * @throws if the history cannot be read.
   */
  version(): Promise<HistoryVersion>
}

/**
 * Reads the clock, the health report and the version of the history once per turn of the event loop. Under load many
 * requests share one turn, and so one state.
 */
export class SnapshotSource {
  #current: RequestSnapshot | undefined

  constructor(
    private readonly reader: HistoryReader,
    private readonly health: (nowMs: number) => HealthReading,
  ) {}

  take(): RequestSnapshot {
    if (this.#current === undefined) {
      setImmediate(() => {
        this.#current = undefined
      })
      this.#current = this.#look()
    }
    return this.#current
  }

  #look(): RequestSnapshot {
    const milliseconds = Date.now()
    let asked: Promise<HistoryVersion> | undefined
    return {
      now: milliseconds * 1000,
      health: this.health(milliseconds),
      version: () => {
        asked ??= this.reader.version()
        return asked
      },
    }
  }
}
