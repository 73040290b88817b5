import { formatUtc, type Instant, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { PeriodList } from '../../periods/list.js'

/** Periods by their positions: in a list from 0, of all full hours the number of hours since 1970 at their end. */
export interface Calendar {
  /** NaN for a text that names no period. */
  position(label: string): number
  /** Empty for a position without a period. */
  label(position: number): string
  /** NaN for a position without a period. */
  start(position: number): Instant
  end(position: number): Instant
}

/** All full hours, each named by its end, in whatever spelling of that instant. */
export const HOURS: Calendar = {
  position: (label) => {
    const hour = instantOrNaN(label) / MICROS_PER_HOUR
    return Number.isInteger(hour) ? hour : Number.NaN
  },
  label: (position) => formatUtc(position * MICROS_PER_HOUR),
  start: (position) => (position - 1) * MICROS_PER_HOUR,
  end: (position) => position * MICROS_PER_HOUR,
}

export function listCalendar(periods: PeriodList): Calendar {
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  return {
    position: (label) => positions.get(label) ?? Number.NaN,
    label: (position) => periods[position]?.label ?? '',
    start: (position) => periods[position]?.start ?? Number.NaN,
    end: (position) => periods[position]?.end ?? Number.NaN,
  }
}
