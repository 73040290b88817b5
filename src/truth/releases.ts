import type { Instant } from '../contract/instant.js'
import type { RulesData } from '../contract/types.js'

/** The value of an outcome that became public at one instant, in force until the next release. */
export interface Release {
  readonly asOf: Instant
  /** Undefined if the value was withdrawn. */
  readonly value: number | undefined
}

/** All releases of one outcome: ascending by `asOf`, which is unique. */
export type Releases = readonly Release[]

/** The `asOf` if a table of outcomes does not state when its values became public. */
export const ALWAYS: Instant = Number.MIN_SAFE_INTEGER

/** The value in force at an instant; undefined before the first release, or if it was withdrawn. */
export function inForce(releases: Releases, at: Instant): number | undefined {
  return releases.findLast(({ asOf }) => asOf <= at)?.value
}

/** The value that counts; undefined if the outcome is absent. @param settled - when it can no longer change. */
export function countedValue(
  { rule }: Pick<RulesData['outcome']['release'], 'rule'>,
  releases: Releases,
  settled: Instant,
): number | undefined {
  if (rule === 'as_of_lag' || rule === 'as_of_instant') return inForce(releases, settled)
  return releases.find(({ asOf, value }) => asOf <= settled && value !== undefined)?.value
}

/** For a period: when it ends, and when its value could be known; NaN if the list does not state it. */
export interface ValueTimes {
  readonly end: Instant
  readonly known: Instant
}

/** Whether a row is dated before its period ended and before its value could be known, so that it does not count. */
export const isTooEarly = (asOf: Instant, { end, known }: ValueTimes): boolean =>
  asOf !== ALWAYS && asOf < end && !(asOf >= known)

/** The releases that are not dated too early. */
export function withoutTooEarly(releases: Releases, times: ValueTimes): Releases {
  const isValue = ({ asOf }: Release) => !isTooEarly(asOf, times)
  return releases.every(isValue) ? releases : releases.filter(isValue)
}

/**
 * The releases that count. If it is unknown when they became public, they are dated when they could be, at the earliest
 * at the end of the period.
 */
export function datedReleases(releases: Releases, times: ValueTimes): Releases {
  const values = withoutTooEarly(releases, times)
  if (values[0]?.asOf !== ALWAYS) return values
  const asOf = Math.max(times.end, times.known)
  return values.map((each) => (each.asOf === ALWAYS ? { ...each, asOf } : each))
}

export type DomainFault = 'minimum' | 'integer'

/** The values that rules, or a document of version 2, allow. */
export interface Domain {
  readonly minimum?: string | number | null
  readonly integer: boolean
}

/** Why a protocol cannot score a value; undefined if it can. */
export function findDomainFault(
  value: number,
  { minimum = null, integer }: Domain,
): DomainFault | undefined {
  if (minimum !== null && value < Number(minimum)) return 'minimum'
  return integer && !Number.isInteger(value) ? 'integer' : undefined
}
