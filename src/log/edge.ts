import { subtreeRoot } from './merkle.js'

/** Levels of a tree from one kept hash to the next; 2^8 of them make one. */
export const KEPT_LEVELS = 8
const FAN_OUT = 2 ** KEPT_LEVELS

/** The hash of a whole subtree of 256^n leaves, which a store keeps beside the entries. */
export interface KeptSubtree {
  /** Of its root: 8, 16, …; leaves have level 0. */
  readonly level: number
  readonly index: number
  readonly hash: Uint8Array
}

/** Kept hashes of one level, `to` not included. */
interface KeptRange {
  readonly level: number
  readonly from: number
  readonly to: number
}

const NONE: readonly KeptSubtree[] = []

/** The right edge of a log: with it, entries are appended without a question to the store. */
export class LogEdge {
  #size: number
  /** By kept level, the hashes that are in no whole subtree of the next one yet. */
  readonly #waiting: Uint8Array[][]

  /** @param waiting - the hashes of `edgeRanges(size)`, in that order. */
  constructor(size: number, waiting: Uint8Array[][]) {
    this.#size = size
    this.#waiting = waiting
  }

  get size(): number {
    return this.#size
  }

  /** @returns the subtrees that the leaf makes whole: they are to be kept. */
  append(leaf: Uint8Array): readonly KeptSubtree[] {
    this.#size++
    return this.#append(leaf, 0)
  }

  #append(hash: Uint8Array, step: number): readonly KeptSubtree[] {
    this.#waiting[step] ??= []
    const waiting = this.#waiting[step]
    waiting.push(hash)
    if (waiting.length < FAN_OUT) return NONE
    const level = (step + 1) * KEPT_LEVELS
    const above = subtreeRoot(Buffer.concat(waiting.splice(0)))
    const whole = { level, index: this.#size / 2 ** level - 1, hash: above }
    return [whole, ...this.#append(above, step + 1)]
  }
}

/** How many hashes a store keeps beside the entries of a log of some size. */
export function keptCount(size: number): number {
  let count = 0
  for (let above = Math.floor(size / FAN_OUT); above > 0; above = Math.floor(above / FAN_OUT)) {
    count += above
  }
  return count
}

/** Where the right edge of a log of some size is. */
export function edgeRanges(size: number): KeptRange[] {
  const ranges: KeptRange[] = []
  for (let level = 0; 2 ** level <= size; level += KEPT_LEVELS) {
    const to = Math.floor(size / 2 ** level)
    ranges.push({ level, from: to - (to % FAN_OUT), to })
  }
  return ranges
}
