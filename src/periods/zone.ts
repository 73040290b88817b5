import { type Instant, MICROS_PER_DAY, MICROS_PER_SECOND } from '../contract/instant.js'

/** The time on a local clock, as if it were UTC: microseconds since 1970-01-01T00:00. */
export type WallTime = number

/** The table of an engine that does not name its table of time zones: Bun and browsers. */
export const UNKNOWN_TABLE = 'unknown'

/** The version of the table of time zones in use, such as `2026a`. */
export const zoneTable = (): string => process.versions.tz ?? UNKNOWN_TABLE

/** Local time, by the table of time zones of this Node. */
export interface Zone {
  readonly name: string
  /** Microseconds that the clock is ahead of UTC. */
  offsetAt(instant: Instant): number
  /** The instants when the clock shows a time: none if it skips the time, two if it is set back. */
  instantsAt(wall: WallTime): readonly Instant[]
  /** The first of them; for a skipped time, as if the clock had not been set forward yet. */
  instantAt(wall: WallTime): Instant
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/**
 * @param name - from the IANA table, such as `Europe/Berlin`.
 * @returns undefined if the table has no such zone.
 */
export function zoneNamed(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
  // Intl ignores case, other programs (Python) do not; of another name of a zone only the capitals can be asked for.
  const { timeZone } = format.resolvedOptions()
  const isMisspelt = timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()
  if (isMisspelt || /(?:^|\/)[a-z]/.test(name)) return undefined
  const askedAt = (instant: Instant): number => {
    const [, sign, ...parts] = OFFSET.exec(format.format(instant / 1000)) ?? []
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
    const ahead = (hours * 3600 + minutes * 60 + seconds) * MICROS_PER_SECOND
    return sign === '-' ? -ahead : ahead
  }
  /**
   * A cache of offsets at the start of days: the table is slow, and a list of periods asks hundreds of thousands of
   * times.
   */
  const days = new Map<number, number>()
  const offsetOn = (day: number): number => {
    const offset = days.get(day) ?? askedAt(day * MICROS_PER_DAY)
    days.set(day, offset)
    return offset
  }
  const offsetAt = (instant: Instant): number => {
    const day = Math.floor(instant / MICROS_PER_DAY)
    const before = offsetOn(day)
    return before === offsetOn(day + 1) ? before : askedAt(instant)
  }
  /** The offsets of the day before and after: no zone changes its clock twice in that time. */
  const around = (wall: WallTime) => [-1, 1].map((day) => offsetAt(wall + day * MICROS_PER_DAY))
  const instantsAt = (wall: WallTime) => {
    const instants = [...new Set(around(wall))].map((offset) => wall - offset)
    return instants.filter((instant) => instant + offsetAt(instant) === wall).sort((a, b) => a - b)
  }
  const instantAt = (wall: WallTime) => instantsAt(wall)[0] ?? wall - (around(wall)[0] ?? 0)
  return { name, offsetAt, instantsAt, instantAt }
}
