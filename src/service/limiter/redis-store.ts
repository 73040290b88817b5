import { createHash, randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { inspect } from 'node:util'
import type { Redis } from 'ioredis'
import { withTimeout } from '../../files/waiting.js'
import { type RateLimitResult, toRateLimitResult } from './limiter.js'
import type { RedisAddress } from './redis-address.js'

/** How long a connection may take until it has counted its first request. */
export const OPEN_MS = 1000

/** The server's clock: microseconds of Unix time. */
const SERVER_CLOCK = `local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]`

/**
 * The sliding-window log of one key in Redis: a list of the instants (microseconds) of admitted requests, oldest
 * first, never more of them than its limit. `SlidingWindow` beside it says what it does, and why.
 * KEYS: the list. ARGV: limit, length of the window in microseconds. Returns the places that were free, and
 * microseconds until the first that is taken comes free.
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

/** One connection to Redis, which is used until its first fault. */
export class RedisStore {
  /** Undefined as long as the connection lasts. */
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
   * Connects, and counts once to see that Redis takes it: it may be a replica, full, or belong to others.
   * @throws why it cannot be used. As long as the name of the host is not resolved, it waits: further tries would
   * only queue up behind this one.
   * @param ended - ends the try.
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
      // How long an end is waited for: not at all.
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
    // Not by the library's options, which go on where Redis refuses a password or a database.
    const user = username === '' ? [] : [username]
    if (password !== '') await this.client.call('AUTH', ...user, toHiddenBytes(password))
    if (database !== 0) await this.client.select(database)
    // A name that was never used: it has to be written.
    await this.take(`probe:${randomUUID()}`, 1)
  }

  /** @throws where Redis cannot be asked, does not answer in time, or not what it should. */
  async take(key: string, limit: number): Promise<RateLimitResult> {
    const reply = await withTimeout(this.address.timeoutMs, this.#run(key, limit))
    const [free, wait] = Array.isArray(reply) ? reply : []
    const isSound = Number.isSafeInteger(free) && wait >= 0 && wait <= this.windowSeconds * 1e6
    if (!isSound || free > limit) throw new Error('no such answer')
    return toRateLimitResult(free, wait)
  }

  async #run(key: string, limit: number): Promise<unknown> {
    // The library would name an option of its own.
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

  /** Calls back when the connection ends, at either side. */
  onEnd(ended: (cause: Error) => void): void {
    const end = () => ended(this.#ending())
    if (this.client.status === 'end') end()
    else this.client.once('end', end)
  }

  #ending(): Error {
    return this.#fault ?? new Error('the connection was closed')
  }

  /** Gives the connection up at once; what is being asked fails. */
  close(): void {
    this.client.disconnect()
  }
}

/** A text as bytes that the library sends, and does not show where DEBUG asks it to show what it sends. */
function toHiddenBytes(text: string): Buffer {
  const shown = () => NOT_SHOWN
  return Object.assign(Buffer.from(text), { toString: shown, [inspect.custom]: shown })
}
