import type { ServiceSettings } from './config/settings.js'
import type { LimiterMetrics } from './health/limiter-metrics.js'
import { Redactor } from './keys/redact.js'
import { readRedisAddress, shownRedisAddress } from './limiter/redis-address.js'
import { SharedLimiter } from './limiter/shared.js'
import { faultText, type Logger, type Throttled } from './log.js'

/** Of what Redis says, so much goes into a line of the log. */
const LONGEST_REASON = 300

export interface LimiterParts {
  readonly logger: Logger
  readonly throttled: Throttled
  readonly metrics: LimiterMetrics
}

/** The limiter that a service shares with its replicas: its figures and its log. Uses Redis when it is started. */
export function shareLimiter(settings: ServiceSettings, parts: LimiterParts): SharedLimiter {
  const { logger, throttled, metrics } = parts
  const address = readRedisAddress(settings.limiter, 'limiter')
  const limiter = shownRedisAddress(address)
  const secrets = new Redactor(address.password === '' ? [] : [address.password])
  // A server may repeat what it was sent, and say as much as it likes.
  const shownReason = (cause: unknown) => {
    const reason = faultText(cause)
    return secrets.holdsKey(reason) ? '(not shown)' : reason.slice(0, LONGEST_REASON)
  }
  let told = false
  return new SharedLimiter(address, settings.rateLimit, settings.rateWindowSeconds, {
    shared() {
      metrics.shared.set(1)
      // Only where the log says that it was away: both lines come at most once a minute.
      if (told)
        logger.log('info', 'limiter-shared', 'all replicas count together again', { limiter })
      told = false
    },
    alone(cause) {
      metrics.shared.set(0)
      const text = `this process counts requests for itself: ${shownReason(cause)}`
      told = throttled.log('error', 'limiter-alone', text, { limiter }) || told
    },
    spoilt(name, cause) {
      const text = `one key is counted by this process for itself: ${shownReason(cause)}`
      const help = `Delete what is at ${name}, and keep others from writing there.`
      throttled.log('error', 'limiter-key-spoilt', text, { limiter, help })
    },
    fellBack: () => metrics.fallbacks.inc(),
  })
}
