import { type Finding, finding } from '../../contract/findings/finding.js'
import { nameOfLeaf } from '../leaf.js'
import { HASH_BYTES } from '../log/merkle.js'
import type { LogKey } from '../log/types.js'
import { streamed } from '../store/open.js'

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

/** Holds entries of a log and rows against each other: which entry is that of which row, and which of none. */
export class LogMatches {
  /** Entries that no row was met of, by their hashes. */
  readonly #open = new Map<string, number>()
  readonly #keys = new Map<number, LogKey>()
  readonly #changes: Change[] = []

  private constructor(private readonly before: number) {}

  /**
   * @param before how many entries the mirror has
   * @param leaves hashes of those after them
   * @param full whether every row will be met: then every entry has to be that of one
   */
  static async create(
    path: string,
    log: string,
    before: number,
    leaves: Buffer,
    full: boolean,
  ): Promise<LogMatches> {
    const matches = new LogMatches(before)
    if (full && before > 0) {
      const known = streamed(path, (reader) => reader.logEntries(0, before, log))
      for await (const entries of known) {
        for (const { index, leaf, key } of entries) {
          matches.#open.set(textOf(leaf), index)
          if (key !== undefined) matches.#keys.set(index, key)
        }
      }
    }
    for (let at = 0; at * HASH_BYTES < leaves.length; at++) {
      const text = textOf(leaves.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
      if (!matches.#open.has(text)) matches.#open.set(text, before + at)
    }
    return matches
  }

  /** Notes the row of a leaf; false where no entry that is looked for is of it. */
  met(leaf: Uint8Array, key: LogKey): boolean {
    const text = textOf(leaf)
    const index = this.#open.get(text)
    if (index === undefined) return false
    this.#open.delete(text)
    this.#keys.set(index, key)
    return true
  }

  /** Notes that the row of an entry that was known is another now. */
  changed(entry: number, key: LogKey): void {
    this.#changes.push({ entry, key, change: 'changed' })
  }

  /** What an entry is of. */
  keyOf(entry: number): LogKey | undefined {
    return this.#keys.get(entry)
  }

  /** Learns what new entries are of from rows that were mirrored before they were sealed. */
  async findInMirror(path: string): Promise<void> {
    const isOpen = [...this.#open.values()].some((index) => index >= this.before)
    if (!isOpen) return
    const own = streamed(path, (reader) => reader.logEntries(0, Number.MAX_SAFE_INTEGER))
    for await (const entries of own) {
      for (const { leaf, key } of entries) {
        const index = this.#open.get(textOf(leaf))
        if (index !== undefined && key !== undefined) this.#keys.set(index, key)
      }
    }
  }

  /**
   * What is wrong: the first row that was changed or taken out, and entries whose row nobody knows.
   * @param whole whether every forecast that is published was met
   * @param withAttempts whether every attempt was
   * @param file where the log is published
   */
  findings(whole: boolean, withAttempts: boolean, file: string | undefined): Finding[] {
    const changes = [...this.#changes]
    const unknown: number[] = []
    for (const entry of this.#open.values()) {
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
    const code = whole && withAttempts ? 'log-row-missing' : 'log-rows-unseen'
    return [...findings, finding(code, { entry, count: unknown.length }, { file })]
  }
}

function textOf(leaf: Uint8Array): string {
  return Buffer.from(leaf.buffer, leaf.byteOffset, leaf.byteLength).toString('latin1')
}
