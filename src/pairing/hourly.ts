import { formatStored, formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import { compareText } from '../contract/order.js'
import type { PairingRow } from '../forecast/row.js'
import { Clock } from '../task/clock.js'
import type { TaskOrigins } from '../task/types.js'
import type { PairingPlan, PairingRules, Status, Target } from './types.js'

/** What pairing needs of a vintage of closes. */
export interface CloseLookup {
  /** The first that there is. */
  readonly first: Instant
  closeAt(instant: Instant): number | undefined
}

/** A plan of version 1: models × hourly origins of [from, to] × horizons of one market. */
export interface HourlyPlan
  extends Omit<PairingPlan, 'origins' | 'cells' | 'rules' | 'asksWhenMade'> {
  /** Hours. */
  readonly horizons: readonly number[]
  /**
   * In prospective mode, how long after its origin a forecast may be made, in microseconds; absent
   * where a registration asks only that it was made before its target, as early ones do.
   */
  readonly publicationLag?: number
}

/** The plan of hourly closes. */
export function hourlyPlan(plan: HourlyPlan, vintage: CloseLookup): PairingPlan {
  const { horizons, publicationLag: lag, ...rest } = plan
  return {
    ...rest,
    models: [...new Set(plan.models)].sort(compareText),
    origins: hourlyOrigins(plan.from, plan.to),
    cells: [...new Set(horizons)]
      .sort((a, b) => a - b)
      .map((horizon) => ({ id: horizon, series: '', horizon })),
    asksWhenMade: lag !== undefined,
    rules: hourlyRules(vintage, plan.asOf, lag),
  }
}

/** The full hours of a window. */
function hourlyOrigins(from: Instant, to: Instant): TaskOrigins {
  const first = Math.ceil(from / MICROS_PER_HOUR) * MICROS_PER_HOUR
  const last = Math.floor(to / MICROS_PER_HOUR) * MICROS_PER_HOUR
  return hoursFrom(first, Math.max(0, (last - first) / MICROS_PER_HOUR + 1))
}

export function hoursFrom(first: Instant, count: number): TaskOrigins {
  return {
    count,
    placeOf: (index) => first + index * MICROS_PER_HOUR,
    indexOf: (place) => {
      const index = (place - first) / MICROS_PER_HOUR
      return Number.isInteger(index) && index >= 0 && index < count ? index : undefined
    },
  }
}

function hourlyRules(vintage: CloseLookup, asOf: Instant, lag: number | undefined): PairingRules {
  const clock = new Clock()
  const seen = newestClose(vintage)
  return {
    place: (text) => clock.read(text),
    textOf: formatUtc,
    target: (origin, { horizon }): Target => {
      const place = origin + horizon * MICROS_PER_HOUR
      if (!Number.isSafeInteger(place)) {
        const none = { text: '', outcome: undefined, matured: true }
        return { place: Number.NaN, ...none, latest: Number.NaN }
      }
      return {
        place,
        text: formatStored(place),
        outcome: vintage.closeAt(place),
        matured: place <= asOf,
        latest: lastMoment(origin, place, lag),
      }
    },
    seen: (origin) => ({ seen: seen(origin), base: vintage.closeAt(origin) ?? null }),
    due: (origin) => origin,
    fault: (row) =>
      isPrice(row.forecast) && isPrice(row.sourcePrice) ? undefined : 'out_of_range',
    interval: hourlyInterval,
  }
}

/** Until when a forecast may be made: within the lag, and not after its target. */
export function lastMoment(
  origin: Instant,
  target: Instant,
  lag = Number.POSITIVE_INFINITY,
): Instant {
  return Math.min(origin + lag, target)
}

/** True for a price that a logarithm can be taken of. */
function isPrice(value: number | null | undefined): boolean {
  return value != null && value > 0 && value < Number.POSITIVE_INFINITY
}

/** Finds the newest hour with a close, not after an origin; quick for origins that ascend. */
function newestClose({ first, closeAt }: CloseLookup): (origin: Instant) => Instant | null {
  let from = Number.POSITIVE_INFINITY
  let found: Instant | null = null
  return (origin) => {
    const last = Math.floor(origin / MICROS_PER_HOUR) * MICROS_PER_HOUR
    for (let hour = last; ; hour -= MICROS_PER_HOUR) {
      if (hour === from) break
      const isThere = closeAt(hour) !== undefined
      if (isThere || !(hour >= first)) {
        found = isThere ? hour : null
        break
      }
    }
    from = last
    return found
  }
}

/**
 * The status of the interval, an estimand of its own: without bounds it is missing, with bounds
 * that are no prices or cross it failed, at another level it is ineligible, otherwise it ended as
 * the point did. Equal bounds do not cross.
 */
function hourlyInterval(
  { quantiles, level }: Pick<PairingRow, 'quantiles' | 'level'>,
  point: Status,
): Status {
  const [q10, q50, q90] = quantiles
  if (q10 === null && q50 === null && q90 === null) return 'missing'
  const ordered = isPrice(q10) && isPrice(q50) && isPrice(q90) && q10! <= q50! && q50! <= q90!
  if (!ordered) return 'failed'
  return level === INTERVAL_LEVEL ? point : 'ineligible'
}
