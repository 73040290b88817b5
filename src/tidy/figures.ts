import type { ModelMeasures, ResultBounds } from '../evaluation/result/types.js'
import { aeMedian, wis } from './quantile-scores.js'

/** One figure of a model in one cell. */
export interface TidyScore {
  readonly measure: string
  /** Null where there is no pair to take it from. */
  readonly estimate: number | null
  /** Pairs behind it. */
  readonly n: number
  /** Given over all origins, of two measures only. */
  readonly bounds?: ResultBounds | null
}

/** Every figure that a result has of a model in one cell, and the two that follow from its pinball losses. */
export function figuresIn({ pairs, direction, interval, ...point }: ModelMeasures): TidyScore[] {
  const { pinball } = interval
  const [lower, median, upper] = [pinball['0.1'], pinball['0.5'], pinball['0.9']]
  const figures: readonly (readonly [
    measure: string,
    n: number,
    estimate: number | null,
    bounds?: ResultBounds | null,
  ])[] = [
    ['ae_point', pairs, point.point_loss, point.point_loss_bounds],
    ['absolute_percent_error', pairs, point.absolute_percent_error],
    ['log_return_bias', pairs, point.log_return_bias],
    ['percent_bias', pairs, point.percent_bias],
    ['direction_error', direction.eligible, direction.error_rate],
    ['direction_accuracy', direction.eligible, direction.accuracy],
    ['interval_score', interval.pairs, interval.score],
    ['pinball_0.1', interval.pairs, lower],
    ['pinball_0.5', interval.pairs, median],
    ['pinball_0.9', interval.pairs, upper],
    ['interval_coverage_80', interval.pairs, interval.coverage, interval.coverage_bounds],
    ['coverage_difference', interval.pairs, interval.coverage_difference],
    ['width', interval.pairs, interval.width],
    ['width_percent', interval.pairs, interval.width_percent],
    ['ae_median', interval.pairs, aeMedian(median)],
    ['wis', interval.pairs, wis(lower, median, upper)],
  ]
  return figures.map(([measure, n, estimate, bounds]) => ({
    measure,
    n,
    estimate,
    bounds: bounds ?? null,
  }))
}
