import { type Finding, finding } from '../contract/findings/finding.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { attemptOf, attemptRowOf, storedForm } from '../forecast/resource.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf, leafName } from '../history/leaf.js'
import { sameHash } from '../log/merkle.js'
import { registrationLeaf } from '../log/registrations.js'
import type { LogKey } from '../log/types.js'
import { streamHistory } from '../store/open.js'
import { formatHash, type LogPull, type PublishedLog, parseHash } from './log-source.js'

/** Leaves of a log that were read. */
interface ReadLeaves {
  /** How many entries had been seen before. */
  readonly seen: number
  /** The index of the first entry whose row is to be met. */
  readonly first: number
  /** The index of the first of the leaves. */
  readonly from: number
  readonly leaves: Buffer
}

/**
 * The entries of a published log under way, and the rows that are read: which entry is that of which row, and which of
 * none. Of entries that were seen before, only where all is read again.
 */
export class RowMatcher {
  /** Entries that no row was met of, by their hashes. */
  readonly #open = new Map<string, number>()
  readonly #changes: { readonly entry: number; readonly key: LogKey; readonly change: Change }[] =
    []
  readonly newEntries: number

  constructor(
    readonly pull: LogPull,
    readonly log: PublishedLog,
    { seen, first, from, leaves }: ReadLeaves,
  ) {
    this.newEntries = log.size - seen
    for (let index = first; index < log.size; index++) {
      const text = formatHash(parseHash(leaves, index - from))
      if (!this.#open.has(text)) this.#open.set(text, index)
    }
    for (const digest of log.registrations) this.#open.delete(formatHash(registrationLeaf(digest)))
  }

  /** A forecast that is published. */
  forecast(resource: ForecastResource): Promise<void> {
    return this.#met(forecastLeaf(storedForm(resource)))
  }

  /** A recorded attempt that is published. */
  attempt(attempt: Attempt): Promise<void> {
    return this.#met(attemptLeaf(attemptOf(attemptRowOf(attempt))))
  }

  /** A row that the mirror has otherwise is another now; it keeps the one that it had first. */
  async #met({ leaf, key }: KeyedLeaf): Promise<void> {
    if (this.#open.delete(formatHash(leaf))) return
    const known = await this.pull.run.logs((logs) => logs.logEntry(key))
    if (known === undefined || sameHash(known.leaf, leaf)) return
    const entry = this.#open.get(formatHash(known.leaf))
    if (entry === undefined) return
    this.#open.delete(formatHash(known.leaf))
    this.#changes.push({ entry, key, change: 'changed' })
  }

  /**
   * What is wrong, once all rows were met: the first row that was changed or taken out, and entries whose row is not
   * known.
   * @param whole whether every forecast that is published was met
   * @param withAttempts whether every attempt was
   */
  async findings(whole: boolean, withAttempts: boolean): Promise<Finding[]> {
    const file = this.pull.deployment.log
    const changes = [...this.#changes]
    if (this.#open.size > 0) {
      // The log of its own that a mirror has too says what is there of rows.
      const rows = streamHistory(this.pull.path, (open) =>
        open.logEntries(0, Number.MAX_SAFE_INTEGER),
      )
      for await (const entries of rows) {
        for (const { leaf, key } of entries) {
          const entry = this.#open.get(formatHash(leaf))
          if (entry === undefined || key === undefined) continue
          this.#open.delete(formatHash(leaf))
          const wasMet = whole && (withAttempts || key.kind === 'forecast')
          if (wasMet) changes.push({ entry, key, change: 'gone' })
        }
      }
    }
    const [first] = changes.sort((a, b) => a.entry - b.entry)
    const findings: Finding[] = []
    if (first !== undefined) {
      const args = { entry: first.entry, row: leafName(first.key), change: first.change }
      findings.push(finding('log-rewritten', args, { file }))
    }
    const [entry] = [...this.#open.values()].sort((a, b) => a - b)
    if (entry === undefined) return findings
    const isSure = whole && withAttempts
    const fault = isSure ? 'published' : 'read'
    const args = { fault, entry, count: this.#open.size } as const
    const severity = isSure ? 'error' : 'warning'
    return [...findings, finding('log-row-missing', args, { file, severity })]
  }
}

type Change = 'changed' | 'gone'
