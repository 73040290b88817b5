import type { ModelMeasures, ResultBounds } from '../evaluation/result/types.js'
import { figureIn, type MeasureName, PAIR_MEASURES, PLACED_FIGURES } from '../scoring/measures.js'
import { tidyName } from './cells.js'

/** One figure of a model in one cell. */
export interface TidyScore {
  readonly measure: string
  /** Null without pairs. */
  readonly estimate: number | null
  /** Pairs behind it. */
  readonly n: number
  /** Only over all origins, for point loss, coverage and shares below quantiles. */
  readonly bounds?: ResultBounds | null
}

/** Every mean of a model in one cell, and the two figures that follow from its pinball losses. */
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

/** A pinball loss, or a mean of them; null if there is none. */
type Pinball = number | null

/**
 * Absolute error of the median as in scoringutils: twice the pinball loss at 0.5. In log returns, that is, on the scale
 * of log prices.
 */
export function aeMedian(median: Pinball): number | null {
  return median === null ? null : 2 * median
}

/**
 * Weighted interval score of the median and the 80 % interval (Bracher et al. 2021) as in scoringutils: twice the mean
 * of the three pinball losses, in log returns. It is linear, so the score of means is the mean of scores.
 */
export function wis(lower: Pinball, median: Pinball, upper: Pinball): number | null {
  if (lower === null || median === null || upper === null) return null
  return (2 * (lower + median + upper)) / 3
}
