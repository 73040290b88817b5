import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, parseTimestamp } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { PairingRow } from '../forecast/row.js'

/** Sees that rows come by origin, horizon and model: pairing would silently miss the others. */
export class RowOrder {
  #origin: Instant = Number.NEGATIVE_INFINITY
  #row: PairingRow | undefined

  /** @throws {ForeproofError} `invalid-input` for a row that comes too late. */
  check(origin: Instant, row: PairingRow): void {
    const before = this.#row
    const late =
      origin < this.#origin ||
      (origin === this.#origin && before !== undefined && compareWithinOrigin(before, row) > 0)
    if (late && before !== undefined) throw outOfOrder(this.#origin, before, origin, row)
    this.#origin = origin
    this.#row = row
  }
}

/** Horizon, then model by code point; a horizon that is no number comes last. */
export function compareWithinOrigin(a: PairingRow, b: PairingRow): number {
  if (a.horizon !== b.horizon) {
    const last = Number.POSITIVE_INFINITY
    const x = Number.isNaN(a.horizon) ? last : a.horizon
    const y = Number.isNaN(b.horizon) ? last : b.horizon
    if (x !== y) return x - y
  }
  return compareText(a.model, b.model)
}

function outOfOrder(
  origin: Instant,
  row: PairingRow,
  nextOrigin: Instant,
  next: PairingRow,
): ForeproofError {
  const key = (at: Instant, { horizon, model }: PairingRow) =>
    `${formatUtc(at)}:${model}:${horizon}`
  return new ForeproofError(
    'invalid-input',
    `the rows are not in order: ${key(nextOrigin, next)} comes after ${key(origin, row)}`,
    { help: 'Give them by origin, then horizon, then model name.' },
  )
}

/** Few: what is remembered for long outlives garbage collections and swells the heap. */
const REMEMBERED = 32

/**
 * Reads stored timestamps, remembering the last texts: rows of one origin share most of theirs.
 * A text that is no timestamp is NaN.
 */
export class Clock {
  private texts = new Map<string, Instant>()

  read(text: string): Instant {
    let instant = this.texts.get(text)
    if (instant === undefined) {
      const parsed = parseTimestamp(text)
      instant = parsed.ok ? parsed.instant : Number.NaN
      if (this.texts.size >= REMEMBERED) this.texts.clear()
      this.texts.set(text, instant)
    }
    return instant
  }
}
