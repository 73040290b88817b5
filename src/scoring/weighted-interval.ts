import { pinball } from './pinball.js'

/**
 * Weighted interval score of a forecast by its quantiles.
 *
 * Definition: the mean over all levels of twice the pinball loss.
 * Formula: (1/K) Σ 2·max(q·(y − Q), (q − 1)·(y − Q)). With levels symmetric about 0.5 it is the weighted sum of the
 * interval scores and of the error of the median in the paper, whose weights are α/2 and 1/2.
 * Range: [0, ∞), on the scale of y. Orientation: lower is better.
 * Missing data: NaN where y or a quantile is NaN. Ties: none.
 * Reference: Bracher, Ray, Gneiting & Reich (2021), Evaluating epidemic forecasts in an interval format.
 *
 * @param levels in (0, 1), at least one.
 * @param quantiles - of the same levels.
 */
export function weightedInterval(
  levels: readonly number[],
  quantiles: ArrayLike<number>,
  realised: number,
): number {
  let sum = 0
  for (const [at, level] of levels.entries()) {
    sum += 2 * pinball(level, quantiles[at] ?? Number.NaN, realised)
  }
  return sum / levels.length
}
