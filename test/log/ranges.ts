import type { HashAt } from '../../src/log/merkle.js'

/** Hashes in a row, from a tree that gives them one by one. */
export const rangesOf = (hashAt: HashAt) => (level: number, from: number, to: number) =>
  Promise.all(Array.from({ length: to - from }, (_, at) => hashAt(level, from + at)))
