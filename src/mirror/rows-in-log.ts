import { type Finding, finding } from '../contract/findings/finding.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { storedForm, toAttempt, toSoundAttempt } from '../forecast/resource.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf, leafName } from '../history/leaf.js'
import type { LogKey } from '../log/log-entry.js'
import { sameHash } from '../log/merkle.js'
import { registrationLeaf } from '../log/registrations.js'
import { streamHistory } from '../store/open.js'
import { formatHash, type LogPull, type PublishedLog, parseHash } from './log-source.js'

/** The leaves that were read of a log. */
interface ReadLeaves {
  /** Number of entries seen in earlier runs. */
  readonly seen: number
  /** The index of the first entry that must be matched with a row. */
  readonly first: number
  /** The index of the first of these leaves. */
  readonly from: number
  readonly leaves: Buffer
}

/**
 * Matches the entries of a published log with the rows that are read, to find entries without a row and changed rows.
 * Entries seen earlier are matched only if everything is read again.
 */
export class RowMatcher {
  /** Entries not yet matched with a row, by their hashes. */
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

  /** Matches a published forecast. */
  forecast(resource: ForecastResource): Promise<void> {
    return this.#onRow(forecastLeaf(storedForm(resource)))
  }

  /** Matches a published attempt. */
  attempt(attempt: Attempt): Promise<void> {
    return this.#onRow(attemptLeaf(toAttempt(toSoundAttempt(attempt))))
  }

  /** If the mirror has another version of the row, the row was changed; the mirror keeps its first version. */
  async #onRow({ leaf, key }: KeyedLeaf): Promise<void> {
    if (this.#open.delete(formatHash(leaf))) return
    const logged = await this.pull.run.logs((logs) => logs.logEntry(key))
    if (logged === undefined || sameHash(logged.leaf, leaf)) return
    const entry = this.#open.get(formatHash(logged.leaf))
    if (entry === undefined) return
    this.#open.delete(formatHash(logged.leaf))
    this.#changes.push({ entry, key, change: 'changed' })
  }

  /**
   * Findings after all rows were matched: the first row that was changed or removed, and entries whose row is unknown.
   * @param isComplete whether every published forecast was matched
   * @param withAttempts whether every published attempt was
   */
  async findings(isComplete: boolean, withAttempts: boolean): Promise<Finding[]> {
    const file = this.pull.deployment.log
    const changes = [...this.#changes]
    if (this.#open.size > 0) {
      // The mirror's own log also tells which rows it has.
      const rows = streamHistory(this.pull.path, (open) =>
        open.logEntries(0, Number.MAX_SAFE_INTEGER),
      )
      for await (const entries of rows) {
        for (const { leaf, key } of entries) {
          const entry = this.#open.get(formatHash(leaf))
          if (entry === undefined || key === undefined) continue
          this.#open.delete(formatHash(leaf))
          const wasMet = isComplete && (withAttempts || key.kind === 'forecast')
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
    const isSure = isComplete && withAttempts
    const fault = isSure ? 'published' : 'read'
    const args = { fault, entry, count: this.#open.size } as const
    const severity = isSure ? 'error' : 'warning'
    return [...findings, finding('log-row-missing', args, { file, severity })]
  }
}

type Change = 'changed' | 'gone'
