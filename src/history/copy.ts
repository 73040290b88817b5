import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import { yieldToEventLoop } from '../files/waiting.js'
import { storedWhole } from '../forecast/i-json.js'
import type { ForecastRow, HistoryRow, SoundAttempt } from '../forecast/row.js'
import { nameOfRow } from '../forecast/row-faults.js'
import { type HistoryEntry, type HistoryReader, rowsIn } from '../store/history-reader.js'
import { type HistoryWriter, RefusedRow } from '../store/history-writer.js'
import { toStoredKey } from '../store/hourly-rows.js'
import { openHistoryWriter, prepareHistory, readHistory } from '../store/open.js'
import { leafName } from './leaf.js'

export interface HistoryCopyOptions {
  /** Used if the source does not say when it saw an origin. */
  readonly now: Instant
  /** Ends the copy between two batches. */
  readonly signal?: AbortSignal | undefined
  /** Called with the rows copied so far. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

export interface HistoryCopyResult {
  /**
   * A `row-refused` for each row that the target cannot store exactly; then nothing was written.
   */
  readonly findings: readonly Finding[]
  readonly withheld: number
  readonly origins: number
  readonly forecasts: number
  readonly attempts: number
  /** Entries of all logs. */
  readonly entries: number
}

/**
 * Copies a whole history into an empty or new one: forecasts, attempts, origins with notes, logs with checkpoints and
 * stamps. All or nothing. The copy reads, verifies and publishes to the same bytes.
 * @throws {ForeproofError} `refused` if the target is not empty; `unavailable` if the source changed meanwhile; as
 * readers and writers do.
 */
export async function copyHistory(
  from: string,
  to: string,
  options: HistoryCopyOptions,
): Promise<HistoryCopyResult> {
  return await readHistory(from, async (reader) => {
    const before = await reader.version()
    if (await prepareHistory(to)) await assertEmpty(to)
    const writer = await openHistoryWriter(to, options.now, await reader.rowVersion())
    try {
      await writer.begin()
      const result = await new Copy(reader, writer, options).run()
      const after = await reader.version()
      if (before.generation !== after.generation || before.revision !== after.revision) {
        throw new ForeproofError('unavailable', `${reader.path}: it was written to meanwhile`, {
          help: 'Nothing was copied. Run again while no producer or import is at work.',
        })
      }
      if (result.findings.length === 0) await writer.commit()
      return result
    } finally {
      await writer.close()
    }
  })
}

async function assertEmpty(to: string): Promise<void> {
  try {
    await readHistory(to, async (reader) => {
      const isOfSeries = (await reader.rowVersion()) === 2
      const [rows, log] = [await reader.extent(), await reader.log()]
      if (!isOfSeries && !rows && log === undefined && !(await hasOrigins(reader))) return
      throw new ForeproofError('refused', `${reader.path}: there is a history in it already`, {
        file: reader.path,
        help: 'Name a file that does not exist, or another schema: ?schema=NAME. To add rows to it, export and import.',
      })
    })
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code !== 'not-found') throw cause
  }
}

async function hasOrigins(reader: HistoryReader): Promise<boolean> {
  // Leaving a loop closes its stream; a stream that was only started would keep its connection open.
  for await (const _ of reader.origins()) return true
  return false
}

/** A copy in progress. */
class Copy {
  readonly #findings = new FindingList()
  readonly #counts = { origins: 0, forecasts: 0, attempts: 0, entries: 0 }

  constructor(
    private readonly reader: HistoryReader,
    private readonly writer: HistoryWriter,
    private readonly options: HistoryCopyOptions,
  ) {}

  async run(): Promise<HistoryCopyResult> {
    if ((await this.reader.rowVersion()) === 2) await this.#copySeries()
    else {
      await this.#copyOrigins()
      await this.#copyRows()
    }
    await this.#copyLog()
    for (const [key, text] of await this.reader.notes()) await this.writer.note(key, text)
    return {
      findings: this.#findings.all(),
      withheld: this.#findings.withheld,
      ...this.#counts,
    }
  }

  async #copyOrigins(): Promise<void> {
    for await (const origins of this.reader.origins()) {
      await yieldToEventLoop(this.options.signal)
      await this.writer.expect([])
      for (const origin of origins) {
        await this.#put(String(origin.originAt), () => this.writer.addOrigin(origin))
        this.#counts.origins++
      }
    }
  }

  async #copyRows(): Promise<void> {
    for await (const entries of this.reader.entries()) {
      await yieldToEventLoop(this.options.signal)
      await this.writer.expect(rowsIn(entries).map(toStoredKey))
      for (const entry of entries) await this.#copyEntry(entry)
      this.#report()
    }
  }

  #report(): void {
    this.options.onProgress?.(this.#counts.forecasts + this.#counts.attempts)
  }

  async #copySeries(): Promise<void> {
    const origins = new Set<string>()
    for await (const entries of this.reader.seriesEntries()) {
      await yieldToEventLoop(this.options.signal)
      await this.writer.expect(entries.map(({ key }) => key))
      for (const each of entries) {
        await this.#put(leafName(each.key), () => this.writer.addSeriesEntry(each))
        origins.add(each.key.originAt)
        this.#counts[`${each.key.kind}s`]++
      }
      this.#report()
    }
    this.#counts.origins = origins.size
  }

  async #copyEntry({ forecast, attempt }: HistoryEntry): Promise<void> {
    const { writer } = this
    if (forecast !== undefined) {
      await this.#put(nameOfRow(forecast), async () => {
        if (!(await writer.addForecast(newForecast(forecast)))) throw new RefusedRow('it is there')
      })
      this.#counts.forecasts++
    }
    if (attempt === undefined) return
    // What is no such row is refused by the writer.
    await this.#put(nameOfRow(attempt), () => writer.addAttempt(attempt as SoundAttempt))
    this.#counts.attempts++
  }

  async #copyLog(): Promise<void> {
    const { reader, writer } = this
    const name = (await reader.log())?.name
    if (name !== undefined) await writer.nameLog(name)
    for await (const entries of reader.logEntries(0, Number.MAX_SAFE_INTEGER)) {
      await yieldToEventLoop(this.options.signal)
      for (const { leaf, key } of entries) {
        const row = `entry ${this.#counts.entries} of the log`
        await this.#put(row, () => writer.appendLeaf({ leaf, key }))
        this.#counts.entries++
      }
    }
    for await (const { size, note, stamps } of reader.checkpoints()) {
      await writer.addCheckpoint(size, note)
      for (const stamp of stamps) await writer.addCheckpointStamp(size, stamp)
    }
  }

  async #put(row: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (cause) {
      if (!(cause instanceof RefusedRow)) throw cause
      const { path } = this.reader
      this.#findings.add(
        finding('row-refused', { fault: 'copy', row, detail: cause.message }, { file: path }),
      )
    }
  }
}

/** The writer rejects invalid rows. */
function newForecast(row: HistoryRow): ForecastRow {
  if (row.whole === null) return row as ForecastRow
  // The run of a stored resource may differ from that of its origin.
  const { run } = storedWhole(row.whole) ?? {}
  const runId = (run as { id?: string | null } | undefined)?.id ?? null
  return { ...row, origin: { ...row.origin, runId } } as ForecastRow
}
