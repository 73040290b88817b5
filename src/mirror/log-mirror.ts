import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { attemptOf, attemptRowOf, storedForm } from '../forecast/resource.js'
import type { HistoryImport } from '../history/import/import.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf, nameOfLeaf } from '../history/leaf.js'
import { HASH_BYTES, sameHash } from '../log/merkle.js'
import { registrationLeaf } from '../log/registrations.js'
import type { LogEntry, LogKey } from '../log/types.js'
import type { Deployment } from '../remote/deployment.js'
import { streamed } from '../store/open.js'
import type { PublishedLog } from './log-source.js'

/** What is asked of a pull of a log. */
export interface LogPull {
  readonly deployment: Deployment
  readonly run: HistoryImport
  /** The mirror. */
  readonly path: string
  /** When the mirror looks: what it sees for the first time, it saw then. */
  readonly now: Instant
  /** Whether all is read again, or only what may have changed since the last pull. */
  readonly full: boolean
}

/** An entry of the log that is another than its row. */
interface Change {
  readonly entry: number
  readonly key: LogKey | undefined
  readonly change: 'replaced' | 'changed' | 'gone'
}

/** The finding of an entry whose row, or place, is another than it was. */
export function rewritten({ entry, key, change }: Change, file: string | undefined): Finding {
  const row = key && nameOfLeaf(key)
  return finding('log-rewritten', { entry, row, change }, { file })
}

/**
 * A log under way into a mirror. Its entries and the rows that are read are held against each other: which entry is
 * that of which row, and which of none.
 */
export class LogMirror {
  /** Entries that no row was met of, by their hashes. */
  readonly #open = new Map<string, number>()
  readonly #keys = new Map<number, LogKey>()
  readonly #changes: Change[] = []

  /**
   * @param before how many entries the mirror has
   * @param leaves hashes of those after them
   */
  constructor(
    readonly pull: LogPull,
    readonly log: PublishedLog,
    readonly before: number,
    readonly leaves: Buffer,
  ) {
    for (let index = before; index < log.size; index++) {
      const text = textOf(hashIn(leaves, index - before))
      if (!this.#open.has(text)) this.#open.set(text, index)
    }
  }

  /** Has every entry that the mirror has be that of a row, too: where every row will be met. */
  async expectAll(): Promise<void> {
    for await (const { index, leaf, key } of this.#entries(this.before, this.log.origin)) {
      this.#open.set(textOf(leaf), index)
      if (key !== undefined) this.#keys.set(index, key)
    }
  }

  /** A forecast that is published. */
  forecast(resource: ForecastResource): Promise<void> {
    return this.#met(forecastLeaf(storedForm(resource)))
  }

  /** A recorded attempt that is published. */
  attempt(attempt: Attempt): Promise<void> {
    return this.#met(attemptLeaf(attemptOf(attemptRowOf(attempt))))
  }

  async #met({ leaf, key }: KeyedLeaf): Promise<void> {
    const text = textOf(leaf)
    const index = this.#open.get(text)
    if (index !== undefined) {
      this.#open.delete(text)
      this.#keys.set(index, key)
      return
    }
    const known = await this.pull.run.logs((logs) => logs.logEntry(key, this.log.origin))
    if (known === undefined || sameHash(known.leaf, leaf)) return
    this.#changes.push({ entry: known.index, key, change: 'changed' })
  }

  /** Adds the new entries to the mirror, each with the row that it is of where that is known. */
  async append(): Promise<void> {
    const { before, leaves, log } = this
    await this.pull.run.logs(async (logs) => {
      for (let index = before; index < log.size; index++) {
        const leaf = hashIn(leaves, index - before)
        await logs.appendLeaf({ leaf, key: this.#keys.get(index) }, log.origin)
      }
    })
  }

  /**
   * What is wrong, once all rows were met: the first row that was changed or taken out, and entries whose row is not
   * known.
   * @param whole whether every forecast that is published was met
   * @param withAttempts whether every attempt was
   */
  async findings(whole: boolean, withAttempts: boolean): Promise<Finding[]> {
    await this.#findInMirror()
    const file = this.pull.deployment.log
    const changes = [...this.#changes]
    const unknown: number[] = []
    const registrations = new Set(
      this.log.registrations.map((one) => textOf(registrationLeaf(one))),
    )
    for (const [text, entry] of this.#open) {
      if (registrations.has(text)) continue
      const key = this.#keys.get(entry)
      if (key === undefined) unknown.push(entry)
      else if (whole && (withAttempts || key.kind === 'forecast')) {
        changes.push({ entry, key, change: 'gone' })
      }
    }
    changes.sort((a, b) => a.entry - b.entry)
    const [first] = changes
    const findings = first === undefined ? [] : [rewritten(first, file)]
    const [entry] = unknown.sort((a, b) => a - b)
    if (entry === undefined) return findings
    const isSure = whole && withAttempts
    const args = { fault: isSure ? 'published' : 'read', entry, count: unknown.length } as const
    const severity = isSure ? 'error' : 'warning'
    return [...findings, finding('log-row-missing', args, { file, severity })]
  }

  /** Learns what new entries are of from rows that were mirrored before they were sealed. */
  async #findInMirror(): Promise<void> {
    if (![...this.#open.values()].some((index) => index >= this.before)) return
    for await (const { leaf, key } of this.#entries(Number.MAX_SAFE_INTEGER)) {
      const index = this.#open.get(textOf(leaf))
      if (index !== undefined && key !== undefined) this.#keys.set(index, key)
    }
  }

  /** Entries of a log in the mirror; of its own log if none is named. */
  async *#entries(end: number, log?: string): AsyncGenerator<LogEntry> {
    const all = streamed(this.pull.path, (reader) => reader.logEntries(0, end, log))
    for await (const entries of all) yield* entries
  }
}

export function hashIn(hashes: Buffer, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
}

function textOf(leaf: Uint8Array): string {
  return Buffer.from(leaf.buffer, leaf.byteOffset, leaf.byteLength).toString('latin1')
}
