/** What the limiter says of one request. */
export interface Verdict {
  readonly admitted: boolean
  /** Requests still free in the window after this one. */
  readonly remaining: number
  /**
   * Whole seconds, rounded up, until the oldest counted request leaves the window: when refused, after
   * exactly this wait the next request is admitted.
   */
  readonly resetSeconds: number
}

const FIRST_CAPACITY = 16

/** The times of the admitted requests of one key, oldest first, in a ring that grows up to the limit. */
class Ring {
  private times = new Float64Array(FIRST_CAPACITY)
  private head = 0
  count = 0

  oldest(): number {
    return this.times[this.head] ?? 0
  }

  dropOldest(): void {
    this.head = (this.head + 1) % this.times.length
    this.count--
  }

  push(time: number): void {
    if (this.count === this.times.length) this.grow()
    this.times[(this.head + this.count) % this.times.length] = time
    this.count++
  }

  private grow(): void {
    const larger = new Float64Array(this.times.length * 2)
    larger.set(this.times.subarray(this.head))
    larger.set(this.times.subarray(0, this.head), this.times.length - this.head)
    this.times = larger
    this.head = 0
  }
}

/**
 * A sliding-window log: at any instant, at most `limit` requests of a key were admitted within the
 * last `windowSeconds`. Exact, not an approximation by buckets. Only admitted requests are kept, so a
 * key needs at most `limit` entries; callers ask only for keys they accept, so the number of keys is
 * bounded too.
 */
export class SlidingWindow {
  private readonly rings = new Map<string, Ring>()
  private readonly windowMicros: number

  constructor(
    readonly limit: number,
    readonly windowSeconds: number,
  ) {
    this.windowMicros = Math.round(windowSeconds * 1e6)
  }

  /** @param now milliseconds of a clock that never goes back. */
  take(key: string, now: number): Verdict {
    let ring = this.rings.get(key)
    if (ring === undefined) {
      ring = new Ring()
      this.rings.set(key, ring)
    }
    // In whole microseconds sums are exact; a fraction too much would become a second too many.
    const at = Math.floor(now * 1000)
    // A request leaves the window once exactly its length has passed.
    while (ring.count > 0 && ring.oldest() + this.windowMicros <= at) ring.dropOldest()
    const admitted = ring.count < this.limit
    if (admitted) ring.push(at)
    const wait = ring.oldest() + this.windowMicros - at
    return {
      admitted,
      remaining: this.limit - ring.count,
      resetSeconds: Math.max(1, Math.ceil(wait / 1e6)),
    }
  }
}
