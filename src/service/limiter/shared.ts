import { performance } from 'node:perf_hooks'
import { type Limiter, type RateLimitResult, SlidingWindow } from './limiter.js'
import type { RedisAddress } from './redis-address.js'
import { OPEN_MS, RedisStore } from './redis-store.js'
import { within } from './within.js'

/** How often Redis is tried while it cannot be used. */
const RETRY_MS = 1000

/** What a shared limiter tells its owner. */
export interface SharedObserver {
  /** Redis counts, for all who ask it. */
  shared(): void
  /** Redis cannot be used: told at every try, as long as it lasts. */
  alone(cause: unknown): void
  /** What Redis holds under a name is not ours. */
  spoilt(name: string, cause: unknown): void
  /** A request was counted by this process alone. */
  fellBack(): void
}

/**
 * Counts in Redis, for all processes that ask the same. Where that cannot be used, this process counts for
 * itself: what it lets through then is at most one limit a window, with what was let through before. It tries
 * Redis again all the time, with no request waiting for it.
 */
export class SharedLimiter implements Limiter {
  readonly #own: SlidingWindow
  #store: RedisStore | undefined
  readonly #ended = new AbortController()
  #retry: NodeJS.Timeout | undefined
  /** Until then a request may be in the window that Redis does not know of. */
  #mixedUntil = Number.NEGATIVE_INFINITY

  constructor(
    private readonly address: RedisAddress,
    readonly limit: number,
    readonly windowSeconds: number,
    private readonly told: SharedObserver,
  ) {
    this.#own = new SlidingWindow(limit, windowSeconds)
  }

  /** Begins to use Redis; where it is away, the service starts nevertheless. */
  async start(): Promise<void> {
    await within(2 * OPEN_MS, this.#open()).catch((cause) => this.told.alone(cause))
  }

  take(key: string, now: number, limit = this.limit): RateLimitResult | Promise<RateLimitResult> {
    if (this.#store === undefined) return this.#alone(key, now, limit)
    return this.#ask(this.#store, key, limit)
  }

  /** Gives Redis up at once. */
  close(): void {
    this.#ended.abort()
    clearTimeout(this.#retry)
    this.#store?.close()
    this.#store = undefined
  }

  async #ask(store: RedisStore, key: string, limit: number): Promise<RateLimitResult> {
    try {
      const verdict = await store.take(key, limit)
      if (!verdict.admitted) return verdict
      const now = performance.now()
      const own = this.#own.take(key, now, limit)
      return own.admitted || now >= this.#mixedUntil ? verdict : own
    } catch (cause) {
      if (isOfName(cause)) this.told.spoilt(store.nameOf(key), cause)
      else this.#lose(store, cause)
      return this.#alone(key, performance.now(), limit)
    }
  }

  #alone(key: string, now: number, limit: number): RateLimitResult {
    this.#mix(now)
    this.told.fellBack()
    return this.#own.take(key, now, limit)
  }

  /** For a window, Redis may not know of all that was let through. */
  #mix(now: number): void {
    this.#mixedUntil = now + this.windowSeconds * 1000
  }

  /** Never rejects. */
  async #open(): Promise<void> {
    try {
      const { signal } = this.#ended
      const store = await RedisStore.open(this.address, this.windowSeconds, signal)
      if (signal.aborted) return store.close()
      this.#store = store
      this.told.shared()
      store.onEnd((cause) => this.#lose(store, cause))
    } catch (cause) {
      this.#failed(cause)
    }
  }

  /** Whatever waits for this connection is let go. */
  #lose(store: RedisStore, cause: unknown): void {
    if (this.#store !== store) return
    this.#store = undefined
    // When it comes back, it may have lost what it had counted.
    this.#mix(performance.now())
    store.close()
    this.#failed(cause)
  }

  #failed(cause: unknown): void {
    if (this.#ended.signal.aborted) return
    this.told.alone(cause)
    this.#retry = setTimeout(() => this.#open(), RETRY_MS).unref()
  }
}

/** Whether only what lies under one name is at fault; older servers say it in the middle of a message. */
function isOfName(cause: unknown): boolean {
  return cause instanceof Error && /\bWRONGTYPE\b/.test(cause.message)
}
