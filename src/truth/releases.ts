import type { Instant } from '../contract/instant.js'
import { later, type Offset } from '../periods/offset.js'
import type { Zone } from '../periods/zone.js'

/** What became public of an outcome at one instant, in force until the next one. */
export interface Release {
  readonly asOf: Instant
  /** Undefined where the value was withdrawn. */
  readonly value: number | undefined
}

/** All that became public of one outcome: ascending by `asOf`, no two at one instant. */
export type Releases = readonly Release[]

/** Which value of an outcome counts; `wait` is from when it could be public on. */
export type ReleaseRule =
  | { readonly rule: 'unrevised' | 'first'; readonly wait: Offset }
  | { readonly rule: 'as_of_lag'; readonly lag: Offset }
  | { readonly rule: 'as_of_instant'; readonly at: Instant }

/** In place of `asOf` where a table of outcomes does not say when they became public. */
export const ALWAYS: Instant = Number.MIN_SAFE_INTEGER

/** The value in force at an instant; undefined before the first, and where it was withdrawn. */
export function inForce(releases: Releases, at: Instant): number | undefined {
  return releases.findLast(({ asOf }) => asOf <= at)?.value
}

/** When the value that counts can no longer change. @param known - when it could be public at the earliest. */
export function settledAt(rule: ReleaseRule, end: Instant, known: Instant, zone: Zone): Instant {
  switch (rule.rule) {
    case 'as_of_lag':
      return later(end, rule.lag, zone)
    case 'as_of_instant':
      return rule.at
    default:
      return later(known, rule.wait, zone)
  }
}

/** The value that counts; undefined where there is none: the outcome is absent. @param settled - by `settledAt`. */
export function countedValue(
  { rule }: ReleaseRule,
  releases: Releases,
  settled: Instant,
): number | undefined {
  if (rule === 'as_of_lag' || rule === 'as_of_instant') return inForce(releases, settled)
  return releases.find(({ asOf, value }) => asOf <= settled && value !== undefined)?.value
}

/**
 * What a baseline may know at an instant: the releases until then. Of an outcome whose table does not say when it
 * became public, those that could be public by then.
 */
export function viewAt(releases: Releases, known: Instant, at: Instant): number | undefined {
  if (releases[0]?.asOf === ALWAYS && known > at) return undefined
  return inForce(releases, at)
}
