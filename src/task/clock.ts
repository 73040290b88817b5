import { type Instant, parseTimestamp } from '../contract/instant.js'
import { FEW, remembering } from './remembering.js'

/**
 * Reads stored timestamps, remembering the last texts: rows of one origin share most of theirs.
 * A text that is no timestamp is NaN.
 */
export class Clock {
  readonly #read = remembering((text: string): Instant => {
    const parsed = parseTimestamp(text)
    return parsed.ok ? parsed.instant : Number.NaN
  }, FEW)
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
