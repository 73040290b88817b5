import { formatStored, type Instant, MICROS_PER_SECOND } from '../contract/instant.js'
import type { Freshness } from '../contract/types.js'

/**
 * How fresh an observation is at `now`: `fresh` up to and including the threshold, then `stale`. It is `unknown` if the
 * origin is ahead of the clock by more than the threshold: one of the two clocks is wrong, and age (never negative)
 * cannot show which. Without an observation, as in an empty history, it is `unknown`, observed now, with age 0.
 * @param now - and `observed`: microseconds since 1970.
 */
export function freshnessAt(
  observed: Instant | undefined,
  now: Instant,
  staleAfterSeconds: number,
): Freshness {
  if (observed === undefined) {
    return { observed_at: formatStored(now), age_seconds: 0, status: 'unknown' }
  }
  const age = (now - observed) / MICROS_PER_SECOND
  const isKnown = age >= -staleAfterSeconds
  return {
    observed_at: formatStored(observed),
    age_seconds: Math.max(0, age),
    status: isKnown ? (age <= staleAfterSeconds ? 'fresh' : 'stale') : 'unknown',
  }
}
