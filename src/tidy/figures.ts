import type { ModelMeasures, ResultBounds } from '../evaluation/result/types.js'
import type { Measures } from '../scoring/measures.js'

/** One figure of a model in one cell. */
export interface TidyScore {
  readonly measure: string
  /** Null where there is no pair to take it from. */
  readonly estimate: number | null
  /** Pairs behind it. */
  readonly n: number
  /** Given over all origins, of point loss, coverage and shares below quantiles only. */
  readonly bounds?: ResultBounds | null
}

/** A name for every mean of a result; counts have none, they are beside the means. */
type NamesOf<T> = {
  readonly [K in keyof T as number extends T[K]
    ? null extends T[K]
      ? K
      : never
    : K]-?: null extends T[K] ? string : NamesOf<NonNullable<T[K]>>
}

/** What exported scores call the means, in their order; a mean of the schema without a name does not compile. */
const {
  direction: DIRECTION,
  interval: INTERVAL,
  ...POINT
}: NamesOf<Measures> = {
  point_loss: 'ae_point',
  absolute_percent_error: 'absolute_percent_error',
  log_return_bias: 'log_return_bias',
  percent_bias: 'percent_bias',
  direction: { error_rate: 'direction_error', accuracy: 'direction_accuracy' },
  interval: {
    score: 'interval_score',
    pinball: { '0.1': 'pinball_0.1', '0.5': 'pinball_0.5', '0.9': 'pinball_0.9' },
    coverage: 'interval_coverage_80',
    coverage_difference: 'coverage_difference',
    width: 'width',
    width_percent: 'width_percent',
  },
}

/** Every figure that a result has of a model in one cell, and the two that follow from its pinball losses. */
export function figuresIn({ direction, interval, below, ...point }: ModelMeasures): TidyScore[] {
  const { pinball } = interval
  const [lower, median, upper] = [pinball['0.1'], pinball['0.5'], pinball['0.9']]
  return [
    ...named(POINT, point, point.pairs, { point_loss: point.point_loss_bounds }),
    ...named(DIRECTION, direction, direction.eligible),
    ...named(INTERVAL, interval, interval.pairs, { coverage: interval.coverage_bounds }),
    { measure: 'ae_median', estimate: aeMedian(median), n: interval.pairs },
    { measure: 'wis', estimate: wis(lower, median, upper), n: interval.pairs },
    ...Object.entries(below ?? {}).map(([quantile, { share, pairs: n, bounds }]) => {
      return { measure: `below_${quantile}`, estimate: share, n, bounds }
    }),
  ]
}

/** Figures under their names; of a measure that came after the result's version of the scorer there is none. */
function named(
  names: object,
  figures: object,
  n: number,
  bounds: Readonly<Record<string, ResultBounds | null>> = {},
): TidyScore[] {
  return Object.entries(names).flatMap(([key, name]: [string, string | object]) => {
    const found = (figures as Record<string, number | null | object | undefined>)[key]
    if (found === undefined) return []
    if (typeof name === 'object') return named(name, found as object, n)
    return { measure: name, estimate: found as number | null, n, bounds: bounds[key] ?? null }
  })
}

/** A pinball loss, or the mean of some; null where there is none. */
type Pinball = number | null

/**
 * Absolute error of the median, as scoringutils has it: twice the pinball loss at 0.5. In log returns;
 * that is, on the scale of log prices.
 */
export function aeMedian(median: Pinball): number | null {
  return median === null ? null : 2 * median
}

/**
 * Weighted interval score of the median and the 80 % interval (Bracher et al. 2021), as scoringutils has
 * it: twice the mean of the three pinball losses, in log returns. Linear, so that of means is the mean.
 */
export function wis(lower: Pinball, median: Pinball, upper: Pinball): number | null {
  if (lower === null || median === null || upper === null) return null
  return (2 * (lower + median + upper)) / 3
}
