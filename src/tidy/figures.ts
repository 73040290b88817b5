import type { ModelMeasures, ResultBounds } from '../evaluation/result/types.js'
import { figureIn, type MeasureName, PAIR_MEASURES, PLACED_FIGURES } from '../scoring/measures.js'
import { tidyName } from './cells.js'

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

/** Every mean that a result has of a model in one cell, and the two that follow from its pinball losses. */
export function figuresIn(cell: ModelMeasures): TidyScore[] {
  const { direction, interval, below, point_loss_bounds, pairs } = cell
  const bounds: Readonly<Record<string, ResultBounds | null>> = {
    point_loss: point_loss_bounds,
    coverage: interval.coverage_bounds,
  }
  const countOf = (measure: MeasureName): number => {
    if (measure === 'direction_error') return direction.eligible
    return PAIR_MEASURES[measure].estimand === 'interval' ? interval.pairs : pairs
  }
  const means = PLACED_FIGURES.flatMap((figure) => {
    const { name, measure } = figure
    const estimate = figureIn(cell, figure)
    if (name === undefined || estimate === undefined) return []
    return { measure: tidyName(name), estimate, n: countOf(measure), bounds: bounds[name] ?? null }
  })
  const { '0.1': lower, '0.5': median, '0.9': upper } = interval.pinball
  return [
    ...means,
    { measure: 'ae_median', estimate: aeMedian(median), n: interval.pairs },
    { measure: 'wis', estimate: wis(lower, median, upper), n: interval.pairs },
    ...Object.entries(below ?? {}).map(([quantile, { share, pairs: n, bounds }]) => {
      return { measure: `below_${quantile}`, estimate: share, n, bounds }
    }),
  ]
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
