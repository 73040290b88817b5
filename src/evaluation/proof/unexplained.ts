import type { ReadLog } from './read-log.js'

/** Some entries of a log; the first by its index. */
export interface Unexplained {
  readonly count: number
  readonly first: number | undefined
}

interface Without {
  /** Keys of expected forecasts. */
  readonly claims: ReadonlySet<string>
  /** Indices of all others. */
  readonly others: readonly number[]
}

/**
 * Which entries of a log the rows of a history explain. A leaf binds its row, but no hash binds the key that the
 * log has for it: where there is no row, a key is a claim.
 */
export class UnexplainedEntries {
  /** By index, 1 where a row of the history has that leaf. */
  readonly #explained: Uint8Array
  /** By leaf, the key of an expected forecast that the log claims for it. */
  readonly #claims = new Map<string, string>()
  /** The first entry whose row is another than the log says. */
  relabelled: { readonly entry: number; readonly row: string } | undefined
  /** What was found without a row, until another row comes. */
  #without: Without | undefined

  constructor(private readonly log: ReadLog) {
    this.#explained = new Uint8Array(log.size)
    for (const [text, leaves] of log.byKey) for (const leaf of leaves) this.#claims.set(leaf, text)
  }

  /**
   * Notes the row of a leaf.
   * @param text - the key of the row where it is an expected forecast.
   * @param name - what messages call the row.
   * @returns the index of its entry; undefined where the log has none.
   */
  explain(leaf: string, text: string | undefined, name: () => string): number | undefined {
    const index = this.log.byLeaf.get(leaf)
    if (index === undefined) return undefined
    this.#explained[index] = 1
    this.#without = undefined
    const claimed = this.#claims.get(leaf)
    // An entry of a mirror may say no key; one that says any says that of its row.
    const isKeyed = claimed !== undefined || this.log.keyed[index] === 1
    if (isKeyed && claimed !== text && index < (this.relabelled?.entry ?? Infinity)) {
      this.relabelled = { entry: index, row: name() }
    }
    return index
  }

  /** Entries without a row that the log claims for expected forecasts: one for each key of which it has no row. */
  claimed(): number {
    return this.#withoutRow().claims.size
  }

  /** All others without a row. */
  unexplained(counts: (index: number) => boolean = () => true): Unexplained {
    const left = this.#withoutRow().others.filter(counts)
    const first = left.reduce((least, index) => Math.min(least, index), Infinity)
    return { count: left.length, first: left.length === 0 ? undefined : first }
  }

  #withoutRow(): Without {
    if (this.#without !== undefined) return this.#without
    const claims = new Set<string>()
    const others: number[] = []
    for (const [leaf, index] of this.log.byLeaf) {
      if (this.#explained[index]) continue
      const text = this.#claims.get(leaf)
      if (text === undefined || claims.has(text) || this.#hasRow(text)) others.push(index)
      else claims.add(text)
    }
    this.#without = { claims, others }
    return this.#without
  }

  /** Whether a row explains an entry that the log claims for this key. */
  #hasRow(text: string): boolean {
    return (this.log.byKey.get(text) ?? []).some(
      (leaf) => this.#explained[this.log.byLeaf.get(leaf) ?? -1] === 1,
    )
  }
}
