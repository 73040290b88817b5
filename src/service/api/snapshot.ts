import type { Instant } from '../../contract/instant.js'
import type { HistoryReader, HistoryVersion } from '../../history/store/types.js'
import type { HealthReading, HealthSource } from '../health/health-file.js'
import type { RowWatch } from '../health/row-watch.js'

/** A history that can be read. */
export interface KnownHistory {
  readonly version: HistoryVersion
  /** Rows that cannot be represented, as far as they are known. */
  readonly unrepresentable: number
}

/** What holds for the whole of one request. */
export interface RequestSnapshot {
  readonly now: Instant
  readonly health: HealthReading
  /**
   * The history as it is; asked by the first who needs it, for another machine may be asked then.
   * @throws what stands in the way of reading it.
   */
  history(): Promise<KnownHistory>
}

/**
 * Looks at the clock, the health report and the history: once for all requests of one turn of the event
 * loop, which under load are many: they are answered from one state, and the file and the database are asked once.
 */
export class SnapshotSource {
  #current: RequestSnapshot | undefined

  constructor(
    private readonly reader: HistoryReader,
    private readonly healthSource: HealthSource,
    private readonly rows: RowWatch,
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
    let asked: Promise<KnownHistory> | undefined
    return {
      now: milliseconds * 1000,
      health: this.healthSource.look(milliseconds),
      history: () => {
        asked ??= this.#history()
        return asked
      },
    }
  }

  async #history(): Promise<KnownHistory> {
    const version = await this.reader.version()
    this.rows.notice(version)
    return { version, unrepresentable: this.rows.rows }
  }
}
