import { type BigIntStats, statSync } from 'node:fs'
import { pause } from '../../../files/breathe.js'

/** Times of files are no finer: what was written to so shortly before may be written to again and look the same. */
const TICK_MS = 10
const LOOKS = 4

/** A file whose next change will show; one that is written to all the time, as it is now. */
export function settledStat(path: string): BigIntStats {
  for (let left = LOOKS; ; left--) {
    const stats = statSync(path, { bigint: true })
    if (left === 1 || !isYounger(stats, TICK_MS)) return stats
    pause(TICK_MS)
  }
}

/** Whether anything of it changed within so many milliseconds. */
export function isYounger({ ctimeNs }: BigIntStats, milliseconds: number): boolean {
  return Date.now() - Number(ctimeNs) / 1e6 < milliseconds
}

export function isSameInode(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/** What others did to a file between two looks; a copy that keeps the time of its source ends as a change of attributes. */
export function touchBetween(a: BigIntStats, b: BigIntStats): 'none' | 'attributes' | 'content' {
  if (a.size !== b.size || a.mtimeNs !== b.mtimeNs) return 'content'
  return a.ctimeNs === b.ctimeNs ? 'none' : 'attributes'
}
