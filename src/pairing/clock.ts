import { formatStored, type Instant, parseTimestamp } from '../contract/instant.js'

/**
 * Reads stored timestamps, remembering the last texts: rows of one origin share most of theirs.
 * NaN stands for a text that is no timestamp.
 */
export class Clock {
  private texts = new Map<string, Instant>()

  read(text: string): Instant {
    let instant = this.texts.get(text)
    if (instant === undefined) {
      const parsed = parseTimestamp(text)
      instant = parsed.ok ? parsed.instant : Number.NaN
      if (this.texts.size > 512) this.texts.clear()
      this.texts.set(text, instant)
    }
    return instant
  }
}

/** One horizon of one origin: what all models share. */
export interface Target {
  readonly instant: Instant
  /** The target as histories store it, to compare without reading it again. */
  readonly text: string
  /** The close at the target; undefined where the vintage has none. */
  readonly close: number | undefined
}

export function targetOf(
  instant: Instant,
  closeAt: (instant: Instant) => number | undefined,
): Target {
  return { instant, text: formatStored(instant), close: closeAt(instant) }
}
