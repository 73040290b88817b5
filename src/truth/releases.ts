import type { Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'

/** What became public of an outcome at one instant, in force until the next one. */
export interface Release {
  readonly asOf: Instant
  /** Undefined where the value was withdrawn. */
  readonly value: number | undefined
}

/** All that became public of one outcome: ascending by `asOf`, no two at one instant. */
export type Releases = readonly Release[]

/** In place of `asOf` where a table of outcomes does not say when they became public. */
export const ALWAYS: Instant = Number.MIN_SAFE_INTEGER

/** The value in force at an instant; undefined before the first, and where it was withdrawn. */
export function inForce(releases: Releases, at: Instant): number | undefined {
  return releases.findLast(({ asOf }) => asOf <= at)?.value
}

/** The value that counts; undefined where there is none: the outcome is absent. @param settled - when it can no longer change. */
export function countedValue(
  { rule }: SeriesProtocol['outcome']['release'],
  releases: Releases,
  settled: Instant,
): number | undefined {
  if (rule === 'as_of_lag' || rule === 'as_of_instant') return inForce(releases, settled)
  return releases.find(({ asOf, value }) => asOf <= settled && value !== undefined)?.value
}

/** Of a period: when it ends, and when its value could be known; NaN where the list does not say that. */
export interface ValueTimes {
  readonly end: Instant
  readonly known: Instant
}

/** Whether a row is dated before its period ended and before its value could be known: it is no value. */
export const isTooEarly = (asOf: Instant, { end, known }: ValueTimes): boolean =>
  asOf !== ALWAYS && asOf < end && !(asOf >= known)

/** Those that are values. */
export function withoutTooEarly(releases: Releases, times: ValueTimes): Releases {
  const isValue = ({ asOf }: Release) => !isTooEarly(asOf, times)
  return releases.every(isValue) ? releases : releases.filter(isValue)
}

/** Those that are values; where it is not known when they became public, as of when they could be, and no earlier than the end. */
export function datedReleases(releases: Releases, times: ValueTimes): Releases {
  const values = withoutTooEarly(releases, times)
  if (values[0]?.asOf !== ALWAYS) return values
  const asOf = Math.max(times.end, times.known)
  return values.map((each) => (each.asOf === ALWAYS ? { ...each, asOf } : each))
}
