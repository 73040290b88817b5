/**
 * Coverage of one interval: a diagnostic.
 *
 * Definition: whether the interval holds the outcome. Its mean is the coverage, compared with the
 * nominal 0.8.
 * Formula: 1[L ≤ y ≤ U]. Range: 0 or 1.
 * Orientation: none; a coverage above the nominal level is as wrong as one below it, so a test of
 * coverages has no better side.
 * Missing data: NaN where y or a bound is NaN. Ties: an outcome on a bound is covered.
 * Reference: Christoffersen (1998), Evaluating interval forecasts.
 */
export function covered(lower: number, upper: number, realised: number): number {
  if (Number.isNaN(lower + upper + realised)) return Number.NaN
  return lower <= realised && realised <= upper ? 1 : 0
}
