import { checkPlan } from '../contract/check-registration.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { pointerTo } from '../contract/pointer.js'
import type { Plan, Protocol } from '../contract/types.js'
import { commitmentFindings } from './commitment-rules.js'
import { inferenceFindings } from './inference-rules.js'
import { modelFindings, poolFindings } from './model-rules.js'
import { unwatchedMinutes, worthOfLag } from './publication-lag.js'
import { strataFindings } from './strata-rules.js'
import { timeFindings } from './time-rules.js'

/** The limits that hold where a plan gives none of its own. */
export const DEFAULT_LIMITS = {
  per_horizon_regression: 0.05,
  directional_loss: 0.02,
  direction_epsilon: 1e-6,
  availability_limit: 0.02,
  availability_limit_stratum: 0.05,
} as const

/** Minutes after its origin in which a prospective forecast has to be made, where a plan does not say. */
export const DEFAULT_PUBLICATION_LAG = 60

/**
 * How many times the minimum of pairs a comparator has to call a direction before it is asked about
 * one: without a margin, a handful of origins would decide whether there is a test.
 */
export const DIRECTION_PAIRS_FACTOR = 1.1

/**
 * Everything that stands in the way of registering a plan under a protocol, in one run, with a
 * pointer to each; warnings do not stand in the way.
 * @param now the time of registration.
 */
export function planFindings(value: unknown, protocol: Protocol, now: Instant): Finding[] {
  const open = placeholders(value, '')
  const schema = checkPlan(value).filter(
    ({ pointer }) => !open.some((placeholder) => placeholder.pointer === pointer),
  )
  if (open.length > 0 || schema.length > 0) return [...open, ...schema]
  const plan = value as Plan
  return [
    ...timeFindings(plan, protocol.horizons_hours, now),
    ...modelFindings(plan, protocol),
    ...poolFindings(plan, protocol),
    ...strataFindings(plan.strata, protocol.sampling.strata),
    ...limitFindings(plan),
    ...lagFindings(plan, protocol),
    ...inferenceFindings(plan, protocol),
    ...commitmentFindings(plan),
    ...outcomeFindings(plan),
  ]
}

/** What the template left to be filled in stands in angle brackets. */
function placeholders(value: unknown, pointer: string): Finding[] {
  if (typeof value === 'string') {
    return /^<.*>$/.test(value) ? [finding('plan-placeholder', { found: value }, { pointer })] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    placeholders(child, pointerTo(pointer, key)),
  )
}

/** Looser limits than the usual ones are allowed, and told. */
function limitFindings({ limits = {}, publication_lag_minutes: lag = 0 }: Plan): Finding[] {
  const usualLag = DEFAULT_PUBLICATION_LAG
  const late =
    lag <= usualLag
      ? []
      : [
          finding(
            'limit-loosened',
            { limit: lag, usual: usualLag },
            { pointer: '/publication_lag_minutes' },
          ),
        ]
  const loosened = Object.entries(DEFAULT_LIMITS).flatMap(([key, usual]) => {
    const limit = limits[key as keyof typeof DEFAULT_LIMITS]
    if (limit === undefined || limit <= usual) return []
    return [finding('limit-loosened', { limit, usual }, { pointer: `/limits/${key}` })]
  })
  return [...loosened, ...late]
}

/** What may be known after an origin, where nobody asks when it was known. */
function lagFindings(plan: Plan, { horizons_hours: horizons }: Protocol): Finding[] {
  const { publication_lag_minutes: registered = DEFAULT_PUBLICATION_LAG } = plan
  const minutes = unwatchedMinutes({ ...plan, publication_lag_minutes: registered })
  if (minutes === 0) return []
  const worth = worthOfLag(minutes, horizons)
  return [
    finding('lag-without-provenance', { minutes, worth }, { pointer: '/provenance_required' }),
  ]
}

function outcomeFindings({ mode, outcomes }: Plan): Finding[] {
  const known = outcomes.vintage_sha256 !== undefined
  if (mode === 'retrospective' && !known) {
    return [finding('vintage-not-registered', {}, { pointer: '/outcomes' })]
  }
  if (mode === 'prospective' && known) {
    return [finding('vintage-known-too-early', {}, { pointer: '/outcomes/vintage_sha256' })]
  }
  return []
}
