// 2 / alpha with alpha = 0.2, written out: 1 - 0.8 is not 0.2 in binary.
export const PENALTY = 10

/**
 * Interval score (Winkler score) of one central interval.
 *
 * Definition: the width, plus a penalty for how far the outcome lies outside.
 * Formula: (U − L) + (2/α)(L − y)·1[y < L] + (2/α)(y − U)·1[y > U], α = 0.2 unless a penalty of 2/α is given.
 * Range: [0, ∞), on the scale of y. Orientation: lower is better; narrow intervals are rewarded only
 * as long as they hold the outcome.
 * Missing data: NaN where y or a bound is NaN. Ties: an outcome on a bound has no penalty.
 * Identity, at α = 0.2: 10 × (pinball at 0.1 + pinball at 0.9) of the same row.
 * Reference: Gneiting & Raftery (2007) §6.2; Winkler (1972).
 */
export function intervalScore(
  lower: number,
  upper: number,
  realised: number,
  penalty = PENALTY,
): number {
  const width = upper - lower
  if (realised < lower) return width + penalty * (lower - realised)
  if (realised > upper) return width + penalty * (realised - upper)
  return width + 0 * realised
}
