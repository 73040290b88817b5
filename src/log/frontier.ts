import { emptyRoot, nodeHash } from './merkle.js'

/** The right edge of a tree that grows leaf by leaf: at most 53 hashes. */
export class Frontier {
  readonly #waiting: (Uint8Array | undefined)[]
  #size: number

  /**
   * @param waiting - by level, the root of a complete subtree without a right neighbour; together they have `size`
   * leaves.
   */
  constructor(size = 0, waiting: readonly (Uint8Array | undefined)[] = []) {
    this.#size = size
    this.#waiting = [...waiting]
  }

  /** Leaves so far. */
  get size(): number {
    return this.#size
  }

  /** @param onSubtree - called with root and level (from 1) of each subtree that the leaf completes. */
  append(leaf: Uint8Array, onSubtree?: (root: Uint8Array, level: number) => void): void {
    this.#size++
    let hash = leaf
    let level = 0
    for (let left = this.#waiting[0]; left !== undefined; left = this.#waiting[level]) {
      hash = nodeHash(left, hash)
      this.#waiting[level] = undefined
      level++
      onSubtree?.(hash, level)
    }
    this.#waiting[level] = hash
  }

  /** The root of the leaves so far. */
  root(): Uint8Array {
    let root: Uint8Array | undefined
    for (const left of this.#waiting) {
      if (left !== undefined) root = root === undefined ? left : nodeHash(left, root)
    }
    return root ?? emptyRoot()
  }
}
