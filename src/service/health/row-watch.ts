import { setTimeout as pause } from 'node:timers/promises'
import { ContractBreach } from '../../contract/breach.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import { forecastSerializer } from '../../forecast/serialize.js'
import type { HistoryReader, HistoryVersion } from '../../history/store/types.js'

/** Rows looked at in one go: about a millisecond; requests have twenty times as long before the next. */
const BATCH = 100
const PAUSE_MS = 20

/** What a look at the history came to. */
export interface RowReport {
  /** Rows that no forecast can say. */
  readonly rows: number
  /** The id of the first of them. */
  readonly first: string | undefined
}

/** What the watch tells its owner. */
export interface RowObserver {
  /** A look is done: so many rows there are. */
  counted(rows: number): void
  /** It came to another number of rows that no forecast can say than the one before. */
  told(report: RowReport): void
  /** A look broke off; the next notice begins another. */
  failed(cause: unknown): void
}

const SOUND: RowReport = { rows: 0, first: undefined }

/**
 * Looks in the background for rows that cannot be represented, so that an operator hears of them before a
 * reader asks for one. The whole history is looked at, and again after every change: a row that was mended
 * or spoilt in its place is seen too. It takes a twentieth of a processor, for about a minute with 200,000 rows.
 */
export class RowWatch {
  #known = SOUND
  #looked: HistoryVersion | undefined
  #looking: Promise<void> | undefined
  #stopped = false

  constructor(
    private readonly reader: HistoryReader,
    private readonly observer: RowObserver,
  ) {}

  /** How many rows that cannot be represented are known by now. */
  get rows(): number {
    return this.#known.rows
  }

  /** Begins to look where the history has changed since. Costs nothing otherwise. */
  notice(version: HistoryVersion): void {
    if (this.#stopped || this.#looking !== undefined) return
    const { generation, revision } = this.#looked ?? {}
    if (generation === version.generation && revision === version.revision) return
    this.#looking = this.#look(version)
      .catch((cause: unknown) => this.observer.failed(cause))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** Resolves when the reader is no longer used. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#looking
  }

  async #look(version: HistoryVersion): Promise<void> {
    let { rows, first } = SOUND
    let count = 0
    for await (const batch of this.#batches()) {
      count += batch.length
      for (const id of breaches(batch)) {
        rows++
        first ??= id
      }
      await pause(PAUSE_MS)
    }
    if (this.#stopped) return
    this.#looked = version
    this.observer.counted(count)
    const before = this.#known.rows
    this.#known = { rows, first }
    if (rows !== before) this.observer.told(this.#known)
  }

  async *#batches(): AsyncIterable<readonly HistoryRow[]> {
    for (let after: RowKey | undefined; !this.#stopped; ) {
      const rows = await this.reader.page({ after, limit: BATCH })
      yield rows
      const last = rows.at(-1)
      const next = last && rowKey(last)
      // A horizon that is no number has no place in the order to go on from.
      if (rows.length < BATCH || !Number.isFinite(next?.horizonHours)) return
      after = next
    }
  }
}

/** The ids of the rows that cannot be represented. */
function breaches(rows: readonly HistoryRow[]): string[] {
  const serialize = forecastSerializer()
  return rows.flatMap((row) => {
    try {
      serialize(row)
      return []
    } catch (cause) {
      if (!(cause instanceof ContractBreach)) throw cause
      return [cause.forecastId ?? 'unnamed']
    }
  })
}
