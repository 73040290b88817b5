import {
  type Instant,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
} from '../contract/instant.js'
import type { Zone } from './zone.js'

/** A duration, negative for earlier. Days move the local date, the rest moves the instant. */
export interface Offset {
  readonly days: number
  /** Microseconds. */
  readonly time: number
}

const FORM = /^(-?)P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/

/**
 * Parses an ISO 8601 duration of days, hours, minutes and seconds: `P28D`, `-PT73H`, `P1DT12H`. Weeks, months and years
 * are not accepted, because their length depends on the start.
 */
export function parseOffset(text: string): Offset | undefined {
  const [, sign, days, hours, minutes, seconds] = FORM.exec(text) ?? []
  const given = [days, hours, minutes, seconds].filter((part) => part !== undefined)
  if (given.length === 0 || text.endsWith('T')) return undefined
  const factor = sign === '-' ? -1 : 1
  const time =
    Number(hours ?? 0) * MICROS_PER_HOUR +
    Number(minutes ?? 0) * MICROS_PER_MINUTE +
    Number(seconds ?? 0) * MICROS_PER_SECOND
  return { days: factor * Number(days ?? 0) || 0, time: factor * time || 0 }
}

/** Adds an offset to an instant. 28 days after midnight it is midnight again, even if the clock changed meanwhile. */
export function later(instant: Instant, { days, time }: Offset, zone: Zone): Instant {
  if (days === 0) return instant + time
  const wall = instant + zone.offsetAt(instant)
  return zone.instantAt(wall + days * MICROS_PER_DAY) + time
}
