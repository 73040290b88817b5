/** The decision of the limiter on one request. */
export interface RateLimitResult {
  readonly admitted: boolean
  /** Requests left in the window after this one. */
  readonly remaining: number
  /**
   * Whole seconds, rounded up, until the oldest counted request leaves the window. After a rejection, the next request
   * is admitted after exactly this wait.
   */
  readonly resetSeconds: number
}

/** Counts the requests of keys, each against its limit. */
export interface Limiter {
  /** Requests per window of a key without its own limit. */
  readonly limit: number
  readonly windowSeconds: number
  /**
   * Requests admission for one request; never rejects.
   * @param key the fingerprint of the caller's key.
   * @param now milliseconds of a monotonic clock.
   * @param limit of this key, if it has its own.
   */
  take(key: string, now: number, limit?: number): RateLimitResult | Promise<RateLimitResult>
}

/**
 * @param free requests left before this one.
 * @param waitMicros until the oldest counted request leaves the window.
 */
export function toRateLimitResult(free: number, waitMicros: number): RateLimitResult {
  return {
    admitted: free > 0,
    remaining: Math.max(0, free - 1),
    resetSeconds: Math.max(1, Math.ceil(waitMicros / 1e6)),
  }
}

/** When requests of one key were admitted, oldest first; those before `first` have left the window. */
interface Admitted {
  times: number[]
  first: number
}

/**
 * A sliding-window log: at any instant, at most `limit` requests of a key were admitted within the last
 * `windowSeconds`. It is exact, not an approximation by buckets. Only admitted requests are kept, so a key needs at
 * most twice its limit of entries. Callers pass only accepted keys, so the number of keys is bounded too.
 */
export class SlidingWindow implements Limiter {
  private readonly keys = new Map<string, Admitted>()
  private readonly windowMicros: number

  constructor(
    readonly limit: number,
    readonly windowSeconds: number,
  ) {
    this.windowMicros = Math.round(windowSeconds * 1e6)
  }

  take(key: string, now: number, limit = this.limit): RateLimitResult {
    const log = this.keys.get(key) ?? { times: [], first: 0 }
    this.keys.set(key, log)
    // Sums of whole microseconds are exact; a rounding error could add a whole second.
    const at = Math.floor(now * 1000)
    // A request leaves the window after exactly its length.
    while ((log.times[log.first] ?? at) + this.windowMicros <= at) log.first++
    if (log.first > limit) {
      log.times = log.times.slice(log.first)
      log.first = 0
    }
    const free = limit - (log.times.length - log.first)
    if (free > 0) log.times.push(at)
    // After a limit was lowered, more than one must leave before another is admitted.
    const leaving = log.first + Math.max(0, -free)
    return toRateLimitResult(free, (log.times[leaving] ?? at) + this.windowMicros - at)
  }
}
