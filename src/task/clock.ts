import { type Instant, parseTimestamp } from '../contract/instant.js'

/** Few: what is remembered for long outlives garbage collections and swells the heap. */
const REMEMBERED = 32

/** A function that remembers what it gave last, for some arguments. @param compute never gives undefined. */
export function remembering<K, V>(compute: (of: K) => V, most = REMEMBERED): (of: K) => V {
  const known = new Map<K, V>()
  return (of) => {
    let value = known.get(of)
    if (value === undefined) {
      value = compute(of)
      if (known.size >= most) known.clear()
      known.set(of, value)
    }
    return value
  }
}

/**
 * Reads stored timestamps, remembering the last texts: rows of one origin share most of theirs.
 * A text that is no timestamp is NaN.
 */
export class Clock {
  readonly #read = remembering((text: string): Instant => {
    const parsed = parseTimestamp(text)
    return parsed.ok ? parsed.instant : Number.NaN
  })
  private lastText = ''
  private last: Instant = Number.NaN

  read(text: string): Instant {
    // To compare a text is cheaper than to look it up.
    if (text === this.lastText) return this.last
    this.last = this.#read(text)
    this.lastText = text
    return this.last
  }
}
