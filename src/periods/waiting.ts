import type { Instant } from '../contract/instant.js'

/** What a value describes: the end of its period, such as a price, or the whole period, such as a total. */
export type ValueOver = 'end' | 'period'

/**
 * Largest share of the registered keys of a step whose targets may have begun when they are due: above it the step is a
 * nowcast.
 */
export const MOST_BEGUN = 0.05

/**
 * Largest share of a comparator's loss that waiting may be worth: above it, the rest is too small to judge a candidate
 * by.
 */
export const MOST_WAITING = 0.6

/** The period of a target. */
interface Stretch {
  readonly start: Instant
  readonly end: Instant
}

/** Whether a part of a target has passed when its forecast is due; a target that starts exactly then has not begun. */
export const hasBegun = ({ start, end }: Stretch, due: Instant, over: ValueOver): boolean =>
  over === 'end' ? end <= due : start < due

/**
 * The share of a comparator's loss that a forecast is compared with: the time left when it is due, divided by the time
 * since the newest value that baselines see. The rest is gained by waiting, without any skill.
 * @param seen - end of the newest period with such a value; null if they see none, and nothing is charged.
 * @returns 0 to 1; 0 if the target has begun, or the value of a later period is seen.
 */
export function computeShareLeft(
  target: Stretch,
  due: Instant,
  seen: Instant | null,
  over: ValueOver,
): number {
  if (hasBegun(target, due, over)) return 0
  if (seen === null) return 1
  if (seen >= target.end) return 0
  return Math.min(1, (target.end - due) / (target.end - seen))
}
