import { hash } from 'node:crypto'

/**
 * The Merkle tree of RFC 6962 and RFC 9162 over SHA-256. Sizes and indices go up to 2^53 - 1, so halving uses
 * arithmetic: bit operators of JavaScript end at 2^31.
 */

/** Hashes are 32 bytes. */
export const HASH_BYTES = 32

/**
 * The root of the complete subtree of 2^level leaves that begins at leaf index · 2^level; level 0 has the leaf
 * hashes.
 */
export type HashAt = (level: number, index: number) => Uint8Array | Promise<Uint8Array>

/** SHA-256(0x00 ‖ entry). @param entry - a text counts as its UTF-8. */
export function leafHash(entry: string | Uint8Array): Uint8Array {
  return sha256(typeof entry === 'string' ? `\0${entry}` : Buffer.concat([LEAF, entry]))
}

/** SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([NODE, left, right]))
}

/** The root of a tree without leaves: SHA-256 of nothing. */
export function emptyRoot(): Uint8Array {
  return sha256('')
}

/** The root of the first `size` leaves. */
export async function computeRoot(size: number, hashAt: HashAt): Promise<Uint8Array> {
  return size === 0 ? emptyRoot() : rangeHash(0, size, hashAt)
}

/**
 * The path from a leaf to the root of the first `size` leaves, starting with the leaf's neighbour.
 * @throws {RangeError} if the tree has no such leaf.
 */
export async function inclusionProof(
  index: number,
  size: number,
  hashAt: HashAt,
): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in ${size}`)
  const proof: Uint8Array[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const middle = from + leftSize(to - from)
    if (index < middle) {
      proof.push(await rangeHash(middle, to, hashAt))
      to = middle
    } else {
      proof.push(await rangeHash(from, middle, hashAt))
      from = middle
    }
  }
  return proof.reverse()
}

/**
 * The proof that the tree of `from` leaves is a prefix of the tree of `size`. Empty if `from` is 0 or `size`.
 * @throws {RangeError} if `from` is larger than `size`.
 */
export async function consistencyProof(
  from: number,
  size: number,
  hashAt: HashAt,
): Promise<Uint8Array[]> {
  if (!(from >= 0 && from <= size)) throw new RangeError(`${from} leaves are not in ${size}`)
  if (from === 0 || from === size) return []
  const proof: Uint8Array[] = []
  let start = 0
  let to = size
  while (from !== to) {
    const middle = start + leftSize(to - start)
    if (from <= middle) {
      proof.push(await rangeHash(middle, to, hashAt))
      to = middle
    } else {
      proof.push(await rangeHash(start, middle, hashAt))
      start = middle
    }
  }
  // The verifier knows the root of the earlier tree, so the left edge is omitted.
  if (start > 0) proof.push(await rangeHash(start, to, hashAt))
  return proof.reverse()
}

/** Whether a path leads from a leaf's hash to a root. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!areSizes(index, size) || index >= size) return false
  const climbed = climbToRoot(index, size - 1, leaf, proof)
  return climbed !== undefined && sameHash(climbed.later, root)
}

/** Whether a proof shows that the tree of `from` leaves is a prefix of the tree of `size`. */
export function verifyConsistency(
  from: number,
  size: number,
  proof: readonly Uint8Array[],
  fromRoot: Uint8Array,
  root: Uint8Array,
): boolean {
  if (!areSizes(from, size) || from > size) return false
  if (from === 0) return proof.length === 0
  if (from === size) return proof.length === 0 && sameHash(fromRoot, root)
  let at = from - 1
  let last = size - 1
  while (isOdd(at)) [at, last] = [half(at), half(last)]
  const [first, ...path] = at === 0 ? [fromRoot, ...proof] : proof
  if (first === undefined) return false
  const climbed = climbToRoot(at, last, first, path)
  if (climbed === undefined) return false
  return sameHash(climbed.earlier, fromRoot) && sameHash(climbed.later, root)
}

/**
 * Computes the root from a node, its position and the last position of its level.
 * @returns the root, and the root without everything right of the node; undefined if the path has the wrong length.
 */
function climbToRoot(index: number, end: number, node: Uint8Array, path: readonly Uint8Array[]) {
  let [at, last] = [index, end]
  let [earlier, later] = [node, node]
  for (const next of path) {
    if (last === 0) return undefined
    if (isOdd(at) || at === last) {
      earlier = nodeHash(next, earlier)
      later = nodeHash(next, later)
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)]
    } else {
      later = nodeHash(later, next)
    }
    at = half(at)
    last = half(last)
  }
  return last === 0 ? { earlier, later } : undefined
}

/**
 * The root of a complete subtree.
 * @param hashes - of one of its levels, concatenated, 32 bytes each.
 */
export function subtreeRoot(hashes: Uint8Array): Uint8Array {
  if (hashes.length === HASH_BYTES) return hashes
  const middle = hashes.length / 2
  return nodeHash(subtreeRoot(hashes.subarray(0, middle)), subtreeRoot(hashes.subarray(middle)))
}

/** Whether two hashes are equal. */
export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

const LEAF = new Uint8Array([0])
const NODE = new Uint8Array([1])

/**
 * One call with hex output takes a third of the time of a Hash object. A text counts as its UTF-8.
 */
function sha256(data: string | Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', data), 'hex')
}

/** The root of the leaves `from` to `to`, which are a subtree of some tree. */
async function rangeHash(from: number, to: number, hashAt: HashAt): Promise<Uint8Array> {
  const size = to - from
  const level = levelUpTo(size)
  const left = 2 ** level
  const hash = await hashAt(level, from / left)
  return left === size ? hash : nodeHash(hash, await rangeHash(from + left, to, hashAt))
}

/** The largest power of two below a size from 2 up. */
const leftSize = (size: number): number => 2 ** levelUpTo(size - 1)

/** The level of the largest complete subtree in a tree of a size from 1. */
function levelUpTo(size: number): number {
  let level = 0
  while (2 ** (level + 1) <= size) level++
  return level
}

function areSizes(...sizes: readonly number[]): boolean {
  return sizes.every((size) => Number.isSafeInteger(size) && size >= 0)
}

function isOdd(value: number): boolean {
  return value % 2 === 1
}

function half(value: number): number {
  return Math.floor(value / 2)
}
