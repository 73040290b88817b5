import { setTimeout as pause } from 'node:timers/promises'
import { ContractBreach } from '../../contract/breach.js'
import {
  countRows,
  type HistoryRow,
  joinCounts,
  NO_ROWS,
  type RowCount,
  type RowKey,
  rowKey,
} from '../../forecast/row.js'
import { forecastSerializer } from '../../forecast/serialize.js'
import type { HistoryReader, HistoryVersion } from '../../history/store/types.js'

/** Rows looked at in one go: about a millisecond; requests have twenty times as long before the next. */
const BATCH = 100
const PAUSE_MS = 20

/** What a look at the history came to. */
export interface RowReport {
  /** Rows that no forecast can say: they are not sent. */
  readonly unrepresentable: RowCount
  /** Rows that are sent, though they break a rule of `ROW_RULES`. */
  readonly unsound: RowCount
}

/** What the watch tells its owner. */
export interface RowObserver {
  /** A look is done: how many rows there are, what it came to, and what the one before came to. */
  looked(rows: number, report: RowReport, before: RowReport): void
  /** A look broke off; the next notice begins another. */
  failed(cause: unknown): void
}

const SOUND: RowReport = { unrepresentable: NO_ROWS, unsound: NO_ROWS }

/**
 * Looks in the background for rows that are not sound, so that an operator hears of them before a
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
    return this.#known.unrepresentable.rows
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
    let { unrepresentable, unsound } = SOUND
    let count = 0
    for await (const batch of this.#batches()) {
      count += batch.length
      const judged = judge(batch)
      unrepresentable = joinCounts(unrepresentable, judged.unrepresentable)
      unsound = joinCounts(unsound, judged.unsound)
      await pause(PAUSE_MS)
    }
    if (this.#stopped) return
    this.#looked = version
    const before = this.#known
    this.#known = { unrepresentable, unsound }
    this.observer.looked(count, this.#known, before)
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

function judge(rows: readonly HistoryRow[]): RowReport {
  const serialize = forecastSerializer()
  const unrepresentable: string[] = []
  const unsound: string[] = []
  for (const row of rows) {
    try {
      const { id, faults } = serialize(row)
      if (faults.length > 0) unsound.push(id)
    } catch (cause) {
      if (!(cause instanceof ContractBreach)) throw cause
      unrepresentable.push(cause.forecastId ?? 'unnamed')
    }
  }
  return { unrepresentable: countRows(unrepresentable), unsound: countRows(unsound) }
}
