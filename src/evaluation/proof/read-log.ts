import { finding } from '../../contract/findings/finding.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { Frontier } from '../../log/frontier.js'
import type { LogEntry } from '../../log/log-entry.js'
import { sameHash } from '../../log/merkle.js'
import { linkError } from '../links.js'
import type { TimedCheckpoint } from './checkpoints.js'
import type { ExpectedForecasts } from './expected.js'
import type { LogSource } from './log-source.js'

/** The key of a forecast as one text; undefined for one that is not expected. */
export type KeyText = ExpectedForecasts['keyText']

/** The index of the first entry under the key of an expected forecast; infinite if there is none. */
export async function firstExpected(
  source: LogSource,
  keyText: KeyText,
  signal?: AbortSignal,
): Promise<number> {
  for await (const entries of source.entries(Number.MAX_SAFE_INTEGER)) {
    await yieldToEventLoop(signal)
    const entry = entries.find(({ key }) => key?.kind === 'forecast' && keyText(key) !== undefined)
    if (entry !== undefined) return entry.index
  }
  return Number.POSITIVE_INFINITY
}

/** The entries of a log up to a checkpoint, after recomputing its roots from them. */
export interface CheckedLog {
  readonly size: number
  /** The first index of each leaf, by its bytes as Latin-1. */
  readonly byLeaf: ReadonlyMap<string, number>
  /** Leaves that the log has under the key of an expected forecast: only claims, because no hash covers a key. */
  readonly byKey: ReadonlyMap<string, readonly string[]>
  /** By index: 1 if the log states a key. */
  readonly keyed: Uint8Array
}

export const leafText = (leaf: Uint8Array): string => Buffer.from(leaf).toString('latin1')

/**
 * Reads a log up to its last checkpoint that counts, and compares the entries with the root of each.
 * @param onEntries receives every entry, for the evidence.
 */
export async function readLog(
  source: LogSource,
  checkpoints: readonly TimedCheckpoint[],
  keyText: KeyText,
  onEntries: (entries: readonly LogEntry[]) => void,
  signal?: AbortSignal,
): Promise<CheckedLog> {
  const size = checkpoints.at(-1)?.size ?? 0
  const byLeaf = new Map<string, number>()
  const byKey = new Map<string, string[]>()
  // Grows with the entries, because the size in a checkpoint is only a claim, and anyone can have any number stamped.
  const keyed: number[] = []
  const roots = new RootCheck(checkpoints, source.file)
  if (size > 0) {
    for await (const entries of source.entries(size)) {
      await yieldToEventLoop(signal)
      for (const { leaf, key } of entries) {
        roots.append(leaf)
        const text = leafText(leaf)
        if (!byLeaf.has(text)) byLeaf.set(text, roots.size - 1)
        keyed.push(key === undefined ? 0 : 1)
        const expected = key?.kind === 'forecast' ? keyText(key) : undefined
        if (expected === undefined) continue
        const leaves = byKey.get(expected)
        if (leaves === undefined) byKey.set(expected, [text])
        else leaves.push(text)
      }
      onEntries(entries)
    }
  }
  roots.end()
  return { size, byLeaf, byKey, keyed: Uint8Array.from(keyed) }
}

/** Compares a stream of leaves with the roots of checkpoints. */
class RootCheck {
  readonly #frontier = new Frontier()
  #next = 0

  constructor(
    private readonly checkpoints: readonly TimedCheckpoint[],
    private readonly file: string,
  ) {}

  get size(): number {
    return this.#frontier.size
  }

  append(leaf: Uint8Array): void {
    this.#frontier.append(leaf)
    this.#compare()
  }

  /** Call this after the last entry: every checkpoint must have been reached. */
  end(): void {
    this.#compare()
    const left = this.checkpoints[this.#next]
    if (left !== undefined) this.#fail(left.size)
  }

  #compare(): void {
    for (
      let at = this.checkpoints[this.#next];
      at?.size === this.size;
      at = this.checkpoints[++this.#next]
    ) {
      if (!sameHash(this.#frontier.root(), at.root)) this.#fail(at.size)
    }
  }

  /** The fault lies after the previous checkpoint. */
  #fail(size: number): never {
    const from = this.checkpoints[this.#next - 1]?.size ?? 0
    const args = { size, from, there: this.size }
    throw linkError('log', [finding('log-root-differs', args, { file: this.file })])
  }
}
