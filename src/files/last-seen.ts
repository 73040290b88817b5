import type { Stats } from 'node:fs'

/** File times are coarse: a file this young may change again and look the same. */
const SETTLED_MS = 2000

/** Remembers the `stat` of a file, to know whether it must be read again. */
export class LastSeen {
  #seen: Stats | undefined

  /**
   * False only if the file is certainly unchanged since the last call.
   * @param nowMs wall clock, to know whether the file has settled.
   */
  isNew(found: Stats, nowMs: number): boolean {
    const isSame = this.#seen !== undefined && same(found, this.#seen)
    const settled = Math.abs(nowMs - Math.max(found.mtimeMs, found.ctimeMs)) > SETTLED_MS
    this.#seen = settled ? found : undefined
    return !isSame
  }

  forget(): void {
    this.#seen = undefined
  }
}

function same(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}
