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
