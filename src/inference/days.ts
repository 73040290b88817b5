import { type Instant, MICROS_PER_MINUTE } from '../contract/instant.js'
import { remembering } from '../contract/remembering.js'

/** With fewer days of pairs, a difference that lasts half a day can pass for skill. */
export const LEAST_DAYS = 16

/**
 * An hour less than a day, so that one forecast a day by a local clock still counts as one a day when clocks go
 * forward.
 */
const STRETCH_HOURS = 23

/** The largest number of origins in one day; `members` is 1 where an origin counts; default: all count. */
export type OriginsADay = (members?: Uint8Array) => number

/**
 * The largest number of origins whose forecasts are due within one stretch of 23 hours, its end excluded; 23, one every
 * hour, count as the 24 of a day. The count for a level of a stratum is computed once for all its tests.
 *
 * @param dues - in microseconds, one an origin, in any order
 * @returns 1 or more
 */
export function countOriginsADay(dues: ArrayLike<Instant>): OriginsADay {
  return remembering((members?: Uint8Array) => {
    const sorted = Float64Array.from(dues)
      .filter((_, at) => members === undefined || members[at] === 1)
      .sort()
    let largest = 1
    for (let first = 0, end = 0; first < sorted.length; first++) {
      const until = (sorted[first] as Instant) + STRETCH_HOURS * 60 * MICROS_PER_MINUTE
      while (end < sorted.length && (sorted[end] as Instant) < until) end++
      largest = Math.max(largest, end - first)
    }
    return largest === STRETCH_HOURS ? 24 : largest
  })
}
