import type { ServiceSettings } from './config/settings.js'
import type { FaultLog } from './fault-log.js'
import type { LimiterMetrics } from './health/limiter-metrics.js'
import { Redactor } from './keys/redact.js'
import { type RedisAddress, readRedisAddress, shownRedisAddress } from './limiter/redis-address.js'
import { SharedLimiter } from './limiter/shared.js'
import { faultText } from './log.js'

/** Of what Redis says, so much is shown. */
const LONGEST_REASON = 300

/** Why Redis cannot be used. A server may repeat what it was sent, and say as much as it likes. */
export function shownReason(cause: unknown, { password }: RedisAddress): string {
  const reason = faultText(cause)
  const isSecret = new Redactor(password === '' ? [] : [password]).holdsKey(reason)
  return isSecret ? '(not shown)' : reason.slice(0, LONGEST_REASON)
}

export interface LimiterParts {
  readonly faults: FaultLog
  readonly metrics: LimiterMetrics
}

/** The limiter that a service shares with its replicas: its figures and its log. Uses Redis when it is started. */
export function shareLimiter(settings: ServiceSettings, parts: LimiterParts): SharedLimiter {
  const { faults, metrics } = parts
  const address = readRedisAddress(settings.limiter, 'limiter')
  const limiter = shownRedisAddress(address)
  return new SharedLimiter(address, settings.rateLimit, settings.rateWindowSeconds, {
    shared() {
      metrics.shared.set(1)
      faults.over('limiter', 'limiter-shared', 'all replicas count together again')
    },
    alone(cause) {
      metrics.shared.set(0)
      const text = `this process counts requests for itself: ${shownReason(cause, address)}`
      faults.met('limiter', 'limiter-alone', text, { limiter })
    },
    spoilt(name, cause) {
      const text = `one key is counted by this process for itself: ${shownReason(cause, address)}`
      const help = `Delete what is at ${name}, and keep others from writing there.`
      faults.metOnce(`limiter ${name}`, 'limiter-key-spoilt', text, { limiter, help })
    },
    fellBack: () => metrics.fallbacks.inc(),
  })
}
