import { quantile } from 'simple-statistics'
import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { trailingReturnAt, volatilityAt } from './strata.js'

interface CutPointRequest {
  readonly by: 'volatility' | 'trailing_return'
  readonly lookbackHours: number
  /** Ascending, in (0, 1): a third and two thirds make three levels of equal size. */
  readonly shares: readonly number[]
  /** The origins that are looked at, both included. */
  readonly from: Instant
  readonly until: Instant
  /** Least share of these origins that must have the quantity; any by default. */
  readonly covered?: number
}

interface Closes {
  readonly first: Instant
  closeAt(instant: Instant): number | undefined
}

/**
 * Cut-points that part some origins of a vintage into levels: sample quantiles
 * of the quantity at every hourly origin that has one, to four significant digits. They only
 * propose: what a registration freezes is the figures, so the library's variant of a quantile
 * decides nothing. Undefined where fewer than a hundred origins have one, or than the share asked for.
 */
export function cutPoints(closes: Closes, request: CutPointRequest): number[] | undefined {
  const { by, lookbackHours, shares, from, until, covered = 0 } = request
  const valueAt = by === 'volatility' ? volatilityAt : trailingReturnAt
  const values: number[] = []
  const closeAt = (instant: Instant) => closes.closeAt(instant)
  for (let origin = Math.max(from, closes.first); origin <= until; origin += MICROS_PER_HOUR) {
    const value = valueAt(closeAt, origin, lookbackHours)
    if (!Number.isNaN(value)) values.push(value)
  }
  const origins = Math.floor((until - from) / MICROS_PER_HOUR) + 1
  if (values.length < Math.max(100, covered * origins)) return undefined
  const quantiles = quantile(values, [...shares])
  return quantiles.map((cut) => Number(cut.toPrecision(4)))
}
