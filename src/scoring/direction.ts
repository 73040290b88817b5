import type { ScoredPairs } from './scored-pairs.js'

/**
 * Direction error of one forecast.
 *
 * Definition: whether the forecast points to the other side than the price then went.
 * Formula: 1 where sign(r̂) ≠ sign(r), else 0; its mean is the error rate, 1 minus it the accuracy.
 * Range: 0 or 1. Orientation: lower is better; a fair coin has a rate of 0.5.
 * Missing data: NaN where either return is NaN, or there is no price at the origin: the outcome has then not moved.
 * Ties: a return within ±epsilon, the edge included, has no direction, and the pair is excluded
 * (NaN). A forecast of no change therefore never has one, and persistence no direction error.
 * Reference: Pesaran & Timmermann (1992), A simple nonparametric test of predictive performance.
 *
 * Formula, of any series: the same with r̂ = T(f) − T(b) and r = T(y) − T(b), b being what persistence says when
 * the forecast is due and T the transform of the score.
 *
 * @param epsilon half width of the band without direction, in the unit of the moves; of log returns 1e-6 unless
 * registered otherwise.
 */
export function directionError(predicted: number, realised: number, epsilon: number): number {
  if (!(Math.abs(predicted) > epsilon) || !(Math.abs(realised) > epsilon)) return Number.NaN
  return predicted > 0 === realised > 0 ? 0 : 1
}

/** The error charged if a candidate calls no direction although the outcome moved: that of a coin toss. */
export const UNCALLED_ERROR = 0.5

/**
 * Direction errors of a candidate with a penalty for silence: half an error if it calls no direction although the
 * outcome moved. A comparison uses them where its comparator called one. So a candidate gains nothing by forecasting
 * the last price whenever it is unsure.
 *
 * @param errors its direction errors, NaN if it calls none
 * @param move from one value to another, in the unit of epsilon
 */
export function withUncalled(
  errors: Float64Array,
  { p0, p1, forecast }: Pick<ScoredPairs, 'p0' | 'p1' | 'forecast'>,
  epsilon: number,
  move: (to: number, from: number) => number,
): Float64Array {
  return errors.map((error, at) => {
    const made = !Number.isNaN(forecast[at])
    const moved = Math.abs(move(p1[at] as number, p0[at] as number)) > epsilon
    return Number.isNaN(error) && made && moved ? UNCALLED_ERROR : error
  })
}
