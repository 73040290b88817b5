import type { Instant } from '../contract/instant.js'

/** What a value is of: the end of its period, such as a price, or all of it, such as a total. */
export type ValueOver = 'end' | 'period'

/** The share of the registered keys of a step that may have begun when they are due: with more it is a nowcast. */
export const MOST_BEGUN = 0.05

/** So much of a comparator's loss that waiting may be worth: beyond it what is left is too little to be judged by. */
export const MOST_WAITING = 0.6

/** The period of a target. */
interface Stretch {
  readonly start: Instant
  readonly end: Instant
}

/** Whether a part of a target is over when its forecast is due; one that is due exactly at its start has not begun. */
export const hasBegun = ({ start, end }: Stretch, due: Instant, over: ValueOver): boolean =>
  over === 'end' ? end <= due : start < due

/**
 * The share of a comparator's loss that a forecast is held to: the time that is left when it is due, of that since the
 * newest value which baselines see. The rest is what whoever waits gets without any skill.
 * @param seen - end of the newest period with such a value; null where they see none, and nothing is charged.
 * @returns 0 to 1; 0 where the target has begun, or the value of a later period is seen.
 */
export function shareLeft(
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
