import { performance } from 'node:perf_hooks'
import { withTimeout } from '../../files/waiting.js'
import type { ServiceSettings } from '../config/settings.js'
import type { Metrics } from '../health/metrics.js'
import { Redactor } from '../keys/keys.js'
import { type FaultLog, faultText } from '../log.js'
import { type Limiter, type RateLimitResult, SlidingWindow } from './limiter.js'
import { displayRedisAddress, parseRedisAddress, type RedisAddress } from './redis-address.js'
import { OPEN_MS, RedisStore } from './redis-store.js'

/** How often Redis is tried while it cannot be used. */
const RETRY_MS = 1000
/** Of what Redis says, so much is shown. */
const MAX_REASON_CHARACTERS = 300

/**
 * Counts in Redis, for all processes that ask the same. Where that cannot be used, this process counts for
 * itself: what it lets through then is at most one limit a window, with what was let through before. It tries
 * Redis again all the time, with no request waiting for it.
 */
export class SharedLimiter implements Limiter {
  readonly limit: number
  readonly windowSeconds: number
  readonly #address: RedisAddress
  readonly #own: SlidingWindow
  #store: RedisStore | undefined
  readonly #ended = new AbortController()
  #retry: NodeJS.Timeout | undefined
  /** Until then a request may be in the window that Redis does not know of. */
  #mixedUntil = Number.NEGATIVE_INFINITY

  constructor(
    { limiter, rateLimit, rateWindowSeconds }: ServiceSettings,
    private readonly faults: FaultLog,
    private readonly metrics: Metrics,
  ) {
    this.limit = rateLimit
    this.windowSeconds = rateWindowSeconds
    this.#address = parseRedisAddress(limiter, 'limiter')
    this.#own = new SlidingWindow(rateLimit, rateWindowSeconds)
  }

  /** Begins to use Redis; where it is away, the service starts nevertheless. */
  async start(): Promise<void> {
    await withTimeout(2 * OPEN_MS, this.#open()).catch((cause) => this.#logAlone(cause))
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
      this.#lose(store, cause)
      return this.#alone(key, performance.now(), limit)
    }
  }

  #alone(key: string, now: number, limit: number): RateLimitResult {
    this.#mix(now)
    this.metrics.count('limiter_fallbacks_total')
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
      const store = await RedisStore.open(this.#address, this.windowSeconds, signal)
      if (signal.aborted) return store.close()
      this.#store = store
      this.metrics.set('limiter_shared', 1)
      this.faults.over('limiter', 'limiter-shared', 'all replicas count together again')
      store.onEnd((cause) => this.#lose(store, cause))
    } catch (cause) {
      this.#failed(cause)
    }
  }

  /** All that waits for this connection is let go. */
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
    this.#logAlone(cause)
    this.#retry = setTimeout(() => this.#open(), RETRY_MS).unref()
  }

  #logAlone(cause: unknown): void {
    this.metrics.set('limiter_shared', 0)
    const text = `this process counts requests for itself: ${displayReason(cause, this.#address)}`
    this.faults.met('limiter', 'limiter-alone', text, {
      limiter: displayRedisAddress(this.#address),
    })
  }
}

/** Why Redis cannot be used. A server may repeat what it was sent, and say as much as it likes. */
export function displayReason(cause: unknown, { password }: RedisAddress): string {
  const reason = faultText(cause)
  const isSecret = new Redactor(password === '' ? [] : [password]).holdsKey(reason)
  return isSecret ? '(not shown)' : reason.slice(0, MAX_REASON_CHARACTERS)
}
