import { ForeproofError } from '../../contract/error.js'
import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import { createHourlyCloses } from '../../scoring/baselines/closes.js'
import { computeBaselines } from '../../scoring/baselines/compute.js'
import type { Closes } from '../../truth/closes/closes-truth.js'

/** Hourly closes in a row, without gaps. */
export interface MarketCloses {
  /** When the bar of the first close ended. */
  readonly first: Instant
  /** USD, greater than 0. */
  readonly values: Float64Array
}

/** The closes before a window, with gaps filled, and what was done to fill them. */
export interface PastCloses extends MarketCloses {
  /** Hours without a close, which got the previous close. */
  readonly filled: number
  /** Hours of the vintage from the window on, which are not used. */
  readonly cut: number
}

/** Errors of one built-in at every past origin with targets for all horizons. */
export interface ComparatorErrors {
  readonly name: string
  readonly horizons: readonly number[]
  /** Instant of the first origin. */
  readonly first: Instant
  /** Per horizon, ln(forecast / close at the target), by hourly origin. */
  readonly errors: readonly Float64Array[]
  /** Hourly log returns: the one at i ends i + 1 hours after the first origin. */
  readonly returns: Float64Array
  /** Mean absolute error per horizon. */
  readonly losses: readonly number[]
  /** Their mean. */
  readonly loss: number
}

/**
 * The closes of a vintage from its first to the last one before the window. The window itself must not influence its
 * plan.
 * @throws {ForeproofError} `invalid-input` if none is before the window.
 */
export function cutPastCloses(closes: Closes, window: Instant): PastCloses {
  const last = Math.min(closes.last, window - MICROS_PER_HOUR)
  const hours = (last - closes.first) / MICROS_PER_HOUR + 1
  if (hours < 1) {
    throw new ForeproofError('invalid-input', 'no close of the vintage lies before the window', {
      help: 'Give a vintage that begins earlier: a plan is judged by what was known before it.',
    })
  }
  const values = new Float64Array(hours)
  let filled = 0
  for (let hour = 0; hour < hours; hour++) {
    const close = closes.closeAt(closes.first + hour * MICROS_PER_HOUR)
    if (close === undefined) filled++
    values[hour] = close ?? (values[hour - 1] as number)
  }
  return { first: closes.first, values, filled, cut: (closes.last - last) / MICROS_PER_HOUR }
}

/**
 * The errors of built-ins over past closes, at the origins that all of them have.
 * @param pool what `strongest_simple` chooses from.
 * @throws {ForeproofError} `invalid-input` if there are too few closes.
 */
export function computeComparatorErrors(
  { first, values }: MarketCloses,
  names: readonly string[],
  horizons: readonly number[],
  pool: readonly string[],
): ComparatorErrors[] {
  const hours = createHourlyCloses({
    first,
    last: first + (values.length - 1) * MICROS_PER_HOUR,
    closeAt: (instant) => values[(instant - first) / MICROS_PER_HOUR],
  })
  const baselines = computeBaselines(hours, { names, horizons, pool })
  const listForecasts = (name: string) =>
    horizons.map((horizon) => baselines.get(name)!.get(horizon)!.forecast)
  // Without gaps in the closes, a baseline continues once it has begun.
  const begin = Math.max(
    ...names.flatMap(listForecasts).map((series) => series.findLastIndex(Number.isNaN) + 1),
  )
  const origins = values.length - Math.max(...horizons) - begin
  if (origins < 2) {
    const message = `${values.length} hours of closes before the window are too few for the comparators`
    const help = 'Give a vintage that begins earlier, by some months at best.'
    throw new ForeproofError('invalid-input', message, { help })
  }
  const returns = hours.returns.slice(begin + 1)
  return names.map((name) => {
    const errors = listForecasts(name).map((series, at) =>
      Float64Array.from({ length: origins }, (_, i) =>
        Math.log((series[begin + i] as number) / (values[begin + i + horizons[at]!] as number)),
      ),
    )
    const losses = errors.map((column) => mean(column.map(Math.abs)))
    const loss = mean(Float64Array.from(losses))
    const start = first + begin * MICROS_PER_HOUR
    return { name, horizons, first: start, errors, returns, losses, loss }
  })
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
