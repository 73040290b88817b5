import {
  formatStored,
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
} from '../../contract/instant.js'
import type { PeriodList } from '../../periods/list.js'

/** Periods by their positions: in a list from 0, of all full hours the number of hours since 1970 at their end. */
export interface Calendar {
  /** NaN for a text that names no period; of an instant between two hours, a number between theirs. */
  position(label: string): number
  /** Empty for a position without a period. */
  label(position: number): string
  /** A target as rows state it beside their origin; null where they do not. */
  stated(position: number): string | null
  /** NaN for a position without a period. */
  start(position: number): Instant
  end(position: number): Instant
}

/** Between two hours where it is none. */
export const hourAt = (instant: Instant): number => instant / MICROS_PER_HOUR

/** All full hours, each named by its end, in whatever spelling of that instant. */
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

/** The hour and the rest of it apart: so every microsecond comes out as it went in. NaN beyond all instants. */
function instantAt(hours: number): Instant {
  const whole = Math.floor(hours)
  const instant = whole * MICROS_PER_HOUR + Math.round((hours - whole) * MICROS_PER_HOUR)
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
