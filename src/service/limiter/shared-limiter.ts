import { performance } from 'node:perf_hooks'
import { withTimeout } from '../../files/waiting.js'
import type { ServiceSettings } from '../config/settings.js'
import type { Metrics } from '../health/metrics.js'
import { Redactor } from '../keys/keys.js'
import { type FaultLog, faultText } from '../log.js'
import { type Limiter, type RateLimitResult, SlidingWindow } from './limiter.js'
import { displayRedisAddress, parseRedisAddress, type RedisAddress } from './redis-address.js'
import { OPEN_MS, RedisStore } from './redis-store.js'

/** How often Redis is retried while it cannot be used. */
const RETRY_MS = 1000
/** How much of an error of Redis is shown. */
const MAX_REASON_CHARACTERS = 300

/**
 * Counts in Redis, for all processes with the same address. If that fails, this process counts by itself: with what was
 * admitted before, it then admits at most one limit per window. It keeps retrying Redis, and no request waits for this.
 */
export class SharedLimiter implements Limiter {
  readonly limit: number
  readonly windowSeconds: number
  readonly #address: RedisAddress
  readonly #local: SlidingWindow
  #store: RedisStore | undefined
  readonly #ended = new AbortController()
  #retry: NodeJS.Timeout | undefined
  /** Until then the window may contain a request that Redis does not know. */
  #mixedUntil = Number.NEGATIVE_INFINITY

  constructor(
    { limiter, rateLimit, rateWindowSeconds }: ServiceSettings,
    private readonly faults: FaultLog,
    private readonly metrics: Metrics,
  ) {
    this.limit = rateLimit
    this.windowSeconds = rateWindowSeconds
    this.#address = parseRedisAddress(limiter, 'limiter')
    this.#local = new SlidingWindow(rateLimit, rateWindowSeconds)
  }

  /** Starts to use Redis; if it is unreachable, the service starts anyway. */
  async start(): Promise<void> {
    await withTimeout(2 * OPEN_MS, this.#open()).catch((cause) => this.#logAlone(cause))
  }

  take(key: string, now: number, limit = this.limit): RateLimitResult | Promise<RateLimitResult> {
    if (this.#store === undefined) return this.#alone(key, now, limit)
    return this.#ask(this.#store, key, limit)
  }

  /** Stops using Redis at once. */
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
      const local = this.#local.take(key, now, limit)
      return local.admitted || now >= this.#mixedUntil ? verdict : local
    } catch (cause) {
      this.#lose(store, cause)
      return this.#alone(key, performance.now(), limit)
    }
  }

  #alone(key: string, now: number, limit: number): RateLimitResult {
    this.#mix(now)
    this.metrics.count('limiter_fallbacks_total')
    return this.#local.take(key, now, limit)
  }

  /** For one window, Redis may not know all admitted requests. */
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

  /** Releases all that wait for this connection. */
  #lose(store: RedisStore, cause: unknown): void {
    if (this.#store !== store) return
    this.#store = undefined
    // When it returns, it may have lost its counts.
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
    this.faults.report('limiter', 'limiter-alone', text, {
      limiter: displayRedisAddress(this.#address),
    })
  }
}

/** Why Redis cannot be used. A server may repeat what it was sent, and its text may have any length. */
export function displayReason(cause: unknown, { password }: RedisAddress): string {
  const reason = faultText(cause)
  const isSecret = new Redactor(password === '' ? [] : [password]).holdsKey(reason)
  return isSecret ? '(not shown)' : reason.slice(0, MAX_REASON_CHARACTERS)
}
