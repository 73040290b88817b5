import { createHash, randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { inspect } from 'node:util'
import type { Redis } from 'ioredis'
import { withTimeout } from '../../files/waiting.js'
import { type RateLimitResult, toRateLimitResult } from './limiter.js'
import type { RedisAddress } from './redis-address.js'

/** How long a connection may take to count its first request. */
export const OPEN_MS = 1000

/** The server's clock: microseconds of Unix time. */
const SERVER_CLOCK = `local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]`

/**
 * The sliding-window log of one key in Redis: a list of the instants (microseconds) of admitted requests, oldest first,
 * never more than its limit. See `SlidingWindow` for the algorithm and the reasons. KEYS: the list. ARGV: limit, length
 * of the window in microseconds. Returns the number of requests that were left, and microseconds until the oldest
 * counted one leaves the window.
 * @param clock - sets `clock`.
 */
export function takeScript(clock = SERVER_CLOCK): string {
  return `local log, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
${clock}
local now = clock
local count = redis.call('LLEN', log)
local function at(index)
  local instant = tonumber(redis.call('LINDEX', log, index))
  assert(instant, 'not a list of instants')
  return instant
end
local function gone(index)
  return at(index) + window <= now
end
if count > 0 then
  -- A clock that was set back does not move; by more than a window, and nothing is known of the last one.
  now = math.max(clock, at(-1))
  if now - clock > window then
    redis.call('DEL', log)
    count = 0
    now = clock
  end
end
if count > 0 and gone(0) then
  local first, last = 1, count
  while first < last do
    local middle = math.floor((first + last) / 2)
    if gone(middle) then first = middle + 1 else last = middle end
  end
  redis.call('LTRIM', log, first, -1)
  count = count - first
end
local free = limit - count
if free > 0 then
  redis.call('RPUSH', log, string.format('%.0f', now))
  redis.call('PEXPIRE', log, math.ceil((now - clock + window) / 1000))
end
return { free, at(math.max(0, -free)) + window - now }`
}

const SCRIPT = takeScript()
const SHA = createHash('sha1').update(SCRIPT).digest('hex')
const NOT_SHOWN = '(not shown)'

/** One connection to Redis, used until its first fault. */
export class RedisStore {
  /** Undefined while the connection lasts. */
  #fault: Error | undefined

  private constructor(
    private readonly client: Redis,
    private readonly address: RedisAddress,
    private readonly windowSeconds: number,
  ) {
    client.on('error', (fault: Error) => {
      this.#fault ??= fault
    })
  }

  /**
   * Connects, and counts once to check that Redis accepts it: it may be a replica, full, or belong to others. Waits for
   * a host name that is still being resolved, because further attempts would only queue behind it.
   * @throws why it cannot be used.
   * @param ended - stops the attempt.
   */
  static async open(
    address: RedisAddress,
    windowSeconds: number,
    ended: AbortSignal,
  ): Promise<RedisStore> {
    const { Redis } = await import('ioredis')
    await lookup(address.host)
    ended.throwIfAborted()
    const client = new Redis({
      host: address.host,
      port: address.port,
      ...(address.tls ? { tls: isIP(address.host) ? {} : { servername: address.host } } : {}),
      protocol: 2,
      lazyConnect: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      disableClientInfo: true,
      retryStrategy: null,
      // Do not wait for the end.
      disconnectTimeout: 0,
    })
    const store = new RedisStore(client, address, windowSeconds)
    const close = () => store.close()
    ended.addEventListener('abort', close)
    try {
      await withTimeout(OPEN_MS, store.#begin())
      return store
    } catch (cause) {
      close()
      throw store.#fault ?? cause
    } finally {
      ended.removeEventListener('abort', close)
    }
  }

  async #begin(): Promise<void> {
    const { username, password, database } = this.address
    await this.client.connect()
    // Not by the library's options, which continue if Redis rejects a password or a database.
    const user = username === '' ? [] : [username]
    if (password !== '') await this.client.call('AUTH', ...user, toHiddenBytes(password))
    if (database !== 0) await this.client.select(database)
    // An unused name, because the check has to write.
    await this.take(`probe:${randomUUID()}`, 1)
  }

  /** @throws if Redis is unreachable, does not answer in time, or gives an unexpected answer. */
  async take(key: string, limit: number): Promise<RateLimitResult> {
    const reply = await withTimeout(this.address.timeoutMs, this.#run(key, limit))
    const [free, wait] = Array.isArray(reply) ? reply : []
    const isSound = Number.isSafeInteger(free) && wait >= 0 && wait <= this.windowSeconds * 1e6
    if (!isSound || free > limit) throw new Error('no such answer')
    return toRateLimitResult(free, wait)
  }

  async #run(key: string, limit: number): Promise<unknown> {
    // The library's message would name one of its own options.
    if (!this.client.stream.writable) throw this.#ending()
    const name = `${this.address.prefix}:${this.windowSeconds}:${key}`
    const args = [name, limit, this.windowSeconds * 1e6] as const
    try {
      return await this.client.evalsha(SHA, 1, ...args)
    } catch (cause) {
      if (!(cause instanceof Error && cause.message.startsWith('NOSCRIPT'))) throw cause
      return await this.client.eval(SCRIPT, 1, ...args)
    }
  }

  /** Calls back when either side ends the connection. */
  onEnd(ended: (cause: Error) => void): void {
    const end = () => ended(this.#ending())
    if (this.client.status === 'end') end()
    else this.client.once('end', end)
  }

  #ending(): Error {
    return this.#fault ?? new Error('the connection was closed')
  }

  /** Closes the connection at once; running queries fail. */
  close(): void {
    this.client.disconnect()
  }
}

/** A text as bytes for the library, so that its DEBUG output does not show it. */
function toHiddenBytes(text: string): Buffer {
  const shown = () => NOT_SHOWN
  return Object.assign(Buffer.from(text), { toString: shown, [inspect.custom]: shown })
}
