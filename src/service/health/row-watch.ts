import { setTimeout as pause } from 'node:timers/promises'
import { ContractBreach } from '../../contract/breach.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import { forecastSerializer } from '../../forecast/serialize.js'
import type { HistoryReader, HistoryVersion, RowMark } from '../../history/store/types.js'

/** Rows looked at in one go: about a millisecond; requests have ten times as long before the next. */
const BATCH = 100
const PAUSE_MS = 10

/** What a look at the history came to. */
export interface RowReport {
  /** Rows that no forecast can say. */
  readonly rows: number
  /** The id of the first of them. */
  readonly first: string | undefined
}

const SOUND: RowReport = { rows: 0, first: undefined }

interface Looked extends RowReport {
  readonly version: HistoryVersion
  /** The row written last when the look began; undefined where there is none to go on from. */
  readonly mark: RowMark | undefined
}

/**
 * Looks in the background for rows that cannot be represented, so that an operator hears of them before a
 * reader asks for one. The whole history is looked at once; then, as long as all is sound, what is
 * written later. It takes a tenth of a processor at most, and some 20 s for 200,000 rows.
 */
export class RowWatch {
  #known = SOUND
  #looked: Looked | undefined
  #looking: Promise<void> | undefined
  #stopped = false

  /** @param told is called with what a look came to, where that is not what the one before came to. */
  constructor(
    private readonly reader: HistoryReader,
    private readonly told: (report: RowReport) => void,
  ) {}

  /** How many rows that cannot be represented are known by now. */
  get rows(): number {
    return this.#known.rows
  }

  /** Begins to look where the history has changed since. Costs nothing otherwise. */
  notice(version: HistoryVersion): void {
    if (this.#stopped || this.#looking !== undefined) return
    const { generation, revision } = this.#looked?.version ?? {}
    if (generation === version.generation && revision === version.revision) return
    this.#looking = this.#look(version)
      // A history that cannot be read is told of elsewhere; the next notice begins again.
      .catch(() => undefined)
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
    const before = this.#looked
    const mark = await this.reader.mark()
    const goesOn = before?.rows === 0 && before.version.generation === version.generation
    const since = goesOn && before.mark ? await this.reader.rowsSince(before.mark) : undefined
    const report = await this.#report(since === undefined ? this.#all() : this.#some(since))
    if (this.#stopped) return
    this.#looked = { ...report, version, mark }
    if (report.rows !== this.#known.rows) this.told(report)
    this.#known = report
  }

  async #report(batches: AsyncIterable<readonly HistoryRow[]>): Promise<RowReport> {
    let { rows, first } = SOUND
    for await (const batch of batches) {
      for (const id of breaches(batch)) {
        rows++
        first ??= id
      }
      await pause(PAUSE_MS)
    }
    return { rows, first }
  }

  async *#all(): AsyncIterable<readonly HistoryRow[]> {
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

  async *#some(keys: readonly RowKey[]): AsyncIterable<readonly HistoryRow[]> {
    for (let at = 0; at < keys.length && !this.#stopped; at += BATCH) {
      const found = await Promise.all(
        keys.slice(at, at + BATCH).map((key) => this.reader.find(key)),
      )
      yield found.filter((row) => row !== undefined)
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
