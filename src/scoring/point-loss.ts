/**
 * Point loss of one forecast: the primary measure.
 *
 * Definition: distance between the predicted and the realised log return.
 * Formula: |r̂ − r|, r̂ = ln(P̂/P0), r = ln(P1/P0), P0 and P1 the closes at origin and target.
 * Range: [0, ∞), in log returns. Orientation: lower is better; 0 is a perfect forecast.
 * Missing data: NaN where either return is NaN; such a pair takes no part in a mean.
 * Aggregation: the mean over a horizon's pairs; overall, the unweighted mean of the horizons' means,
 * so that a horizon with more pairs does not weigh more.
 * Ties: a difference of 0 between two models counts as a pair and favours neither.
 * Reference: mean absolute error, Hyndman & Athanasopoulos, Forecasting: Principles and Practice
 * (3rd ed.) §5.8, on log returns, which makes it independent of the level of the price.
 */
export function pointLoss(predicted: number, realised: number): number {
  return Math.abs(predicted - realised)
}
