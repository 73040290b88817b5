import { type Instant, parseTimestamp } from '../contract/instant.js'

/** Few: what is remembered for long outlives garbage collections and swells the heap. */
const REMEMBERED = 32

/**
 * Reads stored timestamps, remembering the last texts: rows of one origin share most of theirs.
 * A text that is no timestamp is NaN.
 */
export class Clock {
  private texts = new Map<string, Instant>()
  private lastText = ''
  private last: Instant = Number.NaN

  read(text: string): Instant {
    // To compare a text is cheaper than to look it up.
    if (text === this.lastText) return this.last
    let instant = this.texts.get(text)
    if (instant === undefined) {
      const parsed = parseTimestamp(text)
      instant = parsed.ok ? parsed.instant : Number.NaN
      if (this.texts.size >= REMEMBERED) this.texts.clear()
      this.texts.set(text, instant)
    }
    this.lastText = text
    this.last = instant
    return instant
  }
}
