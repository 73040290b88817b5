import {
  formatStored,
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
} from '../../contract/instant.js'
import type { PeriodList } from '../../periods/list.js'

/** Periods by their positions: in a list, from 0; for all full hours, the number of hours since 1970 at their end. */
export interface Calendar {
  /** NaN for a text that names no period; for an instant between two hours, a number between theirs. */
  position(label: string): number
  /** Empty for a position without a period. */
  label(position: number): string
  /** A target as rows state it with their origin; null if they do not. */
  stated(position: number): string | null
  /** NaN for a position without a period. */
  start(position: number): Instant
  end(position: number): Instant
}

/** A fraction for an instant between two hours. */
export const hourAt = (instant: Instant): number => instant / MICROS_PER_HOUR

/** All full hours, each named by its end, in any spelling of that instant. */
export const HOURS: Calendar & { stated(position: number): string } = {
  position: (label) => hourAt(instantOrNaN(label)),
  label: (position) => formatUtc(instantAt(position)),
  stated: (position) => {
    const instant = instantAt(position)
    return Number.isNaN(instant) ? '' : formatStored(instant)
  },
  start: (position) => instantAt(position - 1),
  end: instantAt,
}

/**
 * Converts the whole and the fractional hour separately, so that every microsecond is preserved. NaN outside of the
 * range of instants.
 */
function instantAt(hours: number): Instant {
  const fullHours = Math.floor(hours)
  const instant = fullHours * MICROS_PER_HOUR + Math.round((hours - fullHours) * MICROS_PER_HOUR)
  return Number.isSafeInteger(instant) ? instant : Number.NaN
}

export function listCalendar(periods: PeriodList): Calendar {
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  return {
    position: (label) => positions.get(label) ?? Number.NaN,
    label: (position) => periods[position]?.label ?? '',
    stated: () => null,
    start: (position) => periods[position]?.start ?? Number.NaN,
    end: (position) => periods[position]?.end ?? Number.NaN,
  }
}
