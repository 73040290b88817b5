/** What every key that foreproof makes begins with: it is known where the key itself is not. */
export const KEY_MARK = 'fpk_'

/** A piece of a key this long, or the whole key where it is shorter, must appear in no output. */
const PIECE_LENGTH = 8
const LONGEST_PATH = 256

/**
 * Keeps keys out of what is written down, also where a client puts one in a path or a request id by
 * mistake. The pieces stay in memory only.
 */
export class Redactor {
  private readonly pieces = new Set<string>()
  private readonly lengths = new Set<number>()

  constructor(keys: readonly string[]) {
    this.add(keys)
  }

  /** Keeps these out as well; a key that is no longer accepted may still be somebody's secret. */
  add(keys: readonly string[]): void {
    for (const key of keys) {
      const length = Math.min(PIECE_LENGTH, key.length)
      this.lengths.add(length)
      for (let at = 0; at + length <= key.length; at++) {
        this.pieces.add(key.slice(at, at + length).toLowerCase())
      }
    }
  }

  holdsKey(text: string): boolean {
    const lower = text.toLowerCase()
    if (lower.includes(KEY_MARK)) return true
    for (const length of this.lengths) {
      for (let at = 0; at + length <= lower.length; at++) {
        if (this.pieces.has(lower.slice(at, at + length))) return true
      }
    }
    return false
  }

  /** A path as it may be written down: shortened, and blotted out whole where a part of a key is in it. */
  path(path: string): string {
    const shown = path.slice(0, LONGEST_PATH)
    if (this.holdsKey(shown) || this.holdsKey(decoded(shown))) return '[redacted]'
    return shown.length < path.length ? `${shown}...` : shown
  }
}

function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
