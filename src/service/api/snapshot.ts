import type { HistoryReader, HistoryVersion } from '../../store/types.js'
import type { HealthReading, HealthSnapshot } from '../health/health.js'

/** What holds for the whole of one request. */
export interface RequestSnapshot extends HealthSnapshot {
  /**
   * The version of the history; asked by the first who needs it, for another machine may be asked then.
   * @throws what keeps it from being read.
   */
  version(): Promise<HistoryVersion>
}

/**
 * Looks at the clock, the health report and the history: once for all requests of one turn of the event
 * loop, which under load are many: they are answered from one state, and the file and the database are asked once.
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
