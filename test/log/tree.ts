import { type HashAt, nodeHash } from '../../src/log/merkle.js'

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** All whole subtrees of some leaves. */
export function treeOf(leaves: readonly Uint8Array[]) {
  const levels: (readonly Uint8Array[])[] = [leaves]
  for (let below = leaves; below.length > 1; below = levels.at(-1)!) {
    const count = Math.floor(below.length / 2)
    levels.push(
      Array.from({ length: count }, (_, at) => nodeHash(below[at * 2]!, below[at * 2 + 1]!)),
    )
  }
  return (level: number, index: number): Uint8Array => levels[level]![index]!
}

/** Hashes in a row, from a tree that gives them one by one. */
export const rangesOf = (hashAt: HashAt) => (level: number, from: number, to: number) =>
  Promise.all(Array.from({ length: to - from }, (_, at) => hashAt(level, from + at)))
