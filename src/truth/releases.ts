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

/** The same releases, where it is not known when they became public as of when they could be. */
export function datedReleases(releases: Releases, known: Instant): Releases {
  if (releases[0]?.asOf !== ALWAYS) return releases
  return releases.map((each) => (each.asOf === ALWAYS ? { ...each, asOf: known } : each))
}
