import { type Finding, finding } from '../../contract/findings/finding.js'
import { KEPT_LEVELS, keptCount } from '../store/log-edge.js'
import type { HistoryReader } from '../store/types.js'
import { sameHash } from './merkle.js'

/** Roots of those subtrees whose hashes a store keeps beside the entries of a log, made from the entries. */
export class KeptRoots {
  /** By level, from left to right. */
  readonly #made = new Map<number, Uint8Array[]>()

  /** Takes a root as `Frontier.append` tells of it. */
  readonly add = (root: Uint8Array, level: number): void => {
    if (level % KEPT_LEVELS !== 0) return
    const before = this.#made.get(level)
    if (before === undefined) this.#made.set(level, [root])
    else before.push(root)
  }

  /**
   * Holds what is kept of the log against these roots.
   * @returns the first hash that is not that of its entries, or how many are kept of no entries; undefined
   * where all is well.
   */
  async differing(reader: HistoryReader, log: string | undefined): Promise<Finding | undefined> {
    const named = log === undefined ? {} : { log }
    for (const [level, roots] of this.#made) {
      const kept = await reader.logHashes(level, 0, roots.length, log)
      const at = roots.findIndex((root, index) => !sameHash(root, kept[index] as Uint8Array))
      if (at < 0) continue
      const each = 2 ** level
      return finding('log-kept-hash', { from: at * each, last: (at + 1) * each - 1, ...named })
    }
    // Hashes first: those that are written in between have entries that are counted, too.
    const count = await reader.keptHashes(log)
    const more = count - keptCount(await reader.logSize(log))
    return more > 0 ? finding('log-kept-more', { more, ...named }) : undefined
  }
}
