import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { PairingTruth, ShownValues } from '../shown-values.js'

/** Hourly closes without their source. */
export interface Closes {
  /** Close instants of the first and the last bar. */
  readonly first: Instant
  readonly last: Instant
  /** The close in USD of the bar that closes exactly then; undefined if missing. */
  closeAt(instant: Instant): number | undefined
}

/** Closes, each public at the end of its hour. */
export function closesTruth({ first, closeAt }: Pick<Closes, 'first' | 'closeAt'>): PairingTruth {
  const value = (hour: number) => closeAt(hour * MICROS_PER_HOUR) ?? Number.NaN
  return { value: (_, hour) => value(hour), shown: () => new ShownCloses(value, first) }
}

class ShownCloses implements ShownValues {
  newest = -1
  #shown: number
  readonly #first: number

  constructor(
    readonly value: (hour: number) => number,
    first: Instant,
  ) {
    this.#first = first / MICROS_PER_HOUR
    this.#shown = this.#first - 1
  }

  show(at: Instant): void {
    const last = Math.floor(at / MICROS_PER_HOUR)
    // Skips values that were already shown.
    const end = last > this.#shown ? this.#shown : this.#first - 1
    let hour = last
    while (hour > end && Number.isNaN(this.value(hour))) hour--
    if (hour > end) this.newest = hour
    else if (last < this.#shown) this.newest = -1
    this.#shown = last
  }
}
