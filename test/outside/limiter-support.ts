import { type Served, serve } from '../support/service/serve.js'
import { type Redis, startRedis } from './servers.js'

// Services that count their requests in one Redis.

export const PASSWORD = 'limiter/Secret@7%:x'
/** As it is in a URL. */
export const ESCAPED = encodeURIComponent(PASSWORD)

export const startLimiter = () => startRedis('--requirepass', PASSWORD, '--databases', '4')

/** A machine that is busy with tests is not to be taken for a Redis that hangs. */
export const urlOf = ({ port }: Redis, timeoutMs = 1000) =>
  `redis://:${ESCAPED}@127.0.0.1:${port}/3?prefix=test&timeout_ms=${timeoutMs}`

/** Says something to Redis as its owner; what it answers. */
export function say(redis: Redis, ...args: string[]): string {
  return redis.cli('--no-auth-warning', '-a', PASSWORD, '-n', '3', ...args)
}

/** Starts as many services on one limiter. */
export function replicas(
  redis: Redis,
  count: number,
  env: NodeJS.ProcessEnv = {},
): Promise<Served[]> {
  const common = {
    BTC_FORECAST_API_LIMITER: urlOf(redis),
    BTC_FORECAST_FINGERPRINT_SECRET: 'a-secret-of-all-replicas',
    BTC_FORECAST_API_RATE_LIMIT: '60',
    ...env,
  }
  return Promise.all(Array.from({ length: count }, () => serve({ env: common })))
}

export const isShared = async (served: Served) => (await served.figure('limiter_shared')) === 1
export const fallbacks = (served: Served) => served.figure('limiter_fallbacks_total')
