/**
 * Pinball loss of one predicted quantile.
 *
 * Definition: the distance to the outcome, weighted by the quantile's level on the side where the
 * outcome should lie more often.
 * Formula: max(q·(y − Q), (q − 1)·(y − Q)); y the realised log return, Q the quantile's.
 * Range: [0, ∞), in log returns. Orientation: lower is better; in expectation least at the true
 * quantile (a strictly consistent score).
 * Missing data: NaN where y or Q is NaN. Ties: 0 where y = Q.
 * Variant: not doubled, so that at level 0.5 it is half the absolute error.
 * Reference: Gneiting & Raftery (2007), Strictly proper scoring rules, §6.1; Hyndman &
 * Athanasopoulos §5.9 print twice this figure.
 *
 * @param level in (0, 1).
 */
export function pinball(level: number, quantile: number, realised: number): number {
  const error = realised - quantile
  return Math.max(level * error, (level - 1) * error)
}
