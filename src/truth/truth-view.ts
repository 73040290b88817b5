import type { Instant } from '../contract/instant.js'
import type { SeriesTimes } from '../periods/series-times.js'
import type { SeriesTruth } from './series-truth.js'

/** The instant at which a value becomes public, or is withdrawn (NaN). */
interface Change {
  readonly at: Instant
  readonly period: number
  readonly value: number
}

/**
 * Shows only what is public of one series at an instant, so a forecast made from a view cannot look ahead. `show` moves
 * the instant.
 */
export class TruthView {
  readonly #changes: readonly Change[]
  readonly #values: Float64Array
  readonly #since: Float64Array
  #next = 0
  #at: Instant = Number.NEGATIVE_INFINITY
  #newest = -1

  /** @param count - of periods. */
  constructor(
    truth: SeriesTruth,
    series: number,
    private readonly count: number,
    { known: knownAt }: Pick<SeriesTimes, 'known'>,
  ) {
    const changes: Change[] = []
    for (let period = 0; period < count; period++) {
      // A row that is dated earlier than its value could be known becomes visible only then.
      const knownTime = knownAt(period)
      for (const { asOf, value = Number.NaN } of truth.releases(series, period)) {
        changes.push({ at: Math.max(asOf, knownTime), period, value })
      }
    }
    // If the list does not state when a value could be known, it is never shown.
    this.#changes = changes.filter(({ at }) => !Number.isNaN(at)).sort((a, b) => a.at - b.at)
    this.#values = new Float64Array(count).fill(Number.NaN)
    this.#since = new Float64Array(count)
  }

  /** The last shown instant. */
  get at(): Instant {
    return this.#at
  }

  /** Position of the last period that has a value; −1 if none has. */
  get newest(): number {
    return this.#newest
  }

  /** The value in force; NaN if there is none. */
  value(period: number): number {
    return this.#values[period] ?? Number.NaN
  }

  /** When the value in force became public. @param period - that has one. */
  since(period: number): Instant {
    return this.#since[period] ?? Number.NaN
  }

  /** Shows what is public at an instant. @returns the periods that may have changed. */
  show(at: Instant): readonly number[] {
    const touched: number[] = []
    if (at < this.#at) {
      this.#values.fill(Number.NaN)
      this.#newest = -1
      this.#next = 0
      for (let period = 0; period < this.count; period++) touched.push(period)
    }
    this.#at = at
    for (;;) {
      const change = this.#changes[this.#next]
      if (change === undefined || !(change.at <= at)) return touched
      this.#next++
      touched.push(change.period)
      this.#set(change)
    }
  }

  #set({ at, period, value }: Change): void {
    this.#values[period] = value
    this.#since[period] = at
    if (!Number.isNaN(value)) this.#newest = Math.max(this.#newest, period)
    while (this.#newest >= 0 && Number.isNaN(this.value(this.#newest))) this.#newest--
  }
}
