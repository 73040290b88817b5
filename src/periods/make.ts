import { type Instant, MICROS_PER_DAY, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Period, PeriodList } from './list.js'
import type { WallTime, Zone } from './zone.js'

/** First and last day in a time zone, both included, each as its midnight. */
export interface DayRange {
  readonly from: WallTime
  readonly to: WallTime
}

export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

const formatDate = (wall: WallTime) => new Date(wall / 1000).toISOString().slice(0, 10)
const formatMinute = (wall: WallTime) => new Date(wall / 1000).toISOString().slice(0, 16)
/** 1970-01-01 was a Thursday. */
const weekday = (wall: WallTime) => (((Math.floor(wall / MICROS_PER_DAY) + 4) % 7) + 7) % 7

function* wallTimes(from: WallTime, to: WallTime, step: number): Generator<WallTime> {
  for (let at = from; at <= to; at += step) yield at
}

/**
 * Makes periods from labelled starts: each ends when the next one starts, the last at `end`. Skips a day that the clock
 * leaves out, as when a country crosses the date line.
 */
function upTo(
  end: Instant,
  starts: readonly (readonly [label: string, start: Instant])[],
): PeriodList {
  return starts
    .map(([label, start], at) => ({ label, start, end: starts[at + 1]?.[1] ?? end }))
    .filter((period) => period.end > period.start)
}

/** Periods of one length, in UTC. @param length - in microseconds; the last period may end after the last day. */
export function everyPeriods({ from, to }: DayRange, length: number): PeriodList {
  const isDays = length % MICROS_PER_DAY === 0
  return [...wallTimes(from, to + MICROS_PER_DAY - 1, length)].map((start) => ({
    label: isDays ? formatDate(start) : `${formatMinute(start)}Z`,
    start,
    end: start + length,
  }))
}

/** Local days, from midnight to midnight: 23 or 25 hours long when the clock changes. */
export const dayPeriods = (days: DayRange, zone: Zone): PeriodList =>
  clockPeriods(days, MICROS_PER_DAY, zone)

/** Local hours. */
export const hourPeriods = (days: DayRange, zone: Zone): PeriodList =>
  clockPeriods(days, MICROS_PER_HOUR, zone)

/** Whether a length divides a day, or is a number of whole days, so that its multiples fit local midnights. */
export const fitsClock = (length: number): boolean =>
  MICROS_PER_DAY % length === 0 || length % MICROS_PER_DAY === 0

/**
 * Periods of one length by local time: one starts at every multiple of the length. Below a day the label is the local
 * time, with `/2` the second time. If the clock changes by less than the length, one period is longer or shorter by
 * that much.
 * @param length - in microseconds, one that `fitsClock`; the last period may end after the last day.
 */
export function clockPeriods({ from, to }: DayRange, length: number, zone: Zone): PeriodList {
  const walls = [...wallTimes(from, to + MICROS_PER_DAY - 1, length)]
  const end = zone.instantAt((walls.at(-1) ?? from) + length)
  if (length % MICROS_PER_DAY === 0) {
    return upTo(
      end,
      walls.map((day) => [formatDate(day), zone.instantAt(day)]),
    )
  }
  const starts = walls.flatMap((wall) =>
    zone
      .instantsAt(wall)
      .map((start, repeat) => [`${formatMinute(wall)}${repeat > 0 ? '/2' : ''}`, start] as const),
  )
  // If the clock is set back over several starts, all first occurrences come before the second ones.
  return upTo(
    end,
    starts.sort(([, a], [, b]) => a - b),
  )
}

/** Local days from Monday to Friday without holidays, and the holidays that were excluded. */
export function businessDays(
  days: DayRange,
  holidays: ReadonlySet<string>,
  zone: Zone,
): { readonly periods: PeriodList; readonly leftOut: readonly string[] } {
  const isWeekend = ({ label }: Period) => weekday(Date.parse(label) * 1000) % 6 === 0
  const isHoliday = ({ label }: Period) => holidays.has(label)
  const weekdays = dayPeriods(days, zone).filter((day) => !isWeekend(day))
  return {
    periods: weekdays.filter((day) => !isHoliday(day)),
    leftOut: weekdays.filter(isHoliday).map(({ label }) => label),
  }
}

/** Local months or quarters that begin in the span. */
export function monthPeriods(
  { from, to }: DayRange,
  unit: 'month' | 'quarter',
  zone: Zone,
): PeriodList {
  const length = unit === 'month' ? 1 : 3
  const before = new Date(from / 1000 - 1)
  const next = (before.getUTCFullYear() - 1970) * 12 + before.getUTCMonth() + 1
  const starts: (readonly [label: string, start: Instant])[] = []
  let month = Math.ceil(next / length) * length
  for (; wallOfMonth(month) <= to; month += length) {
    const name = formatDate(wallOfMonth(month)).slice(0, 7)
    const label =
      unit === 'month' ? name : `${name.slice(0, 4)}-Q${(Number(name.slice(5)) + 2) / 3}`
    starts.push([label, zone.instantAt(wallOfMonth(month))])
  }
  return upTo(zone.instantAt(wallOfMonth(month)), starts)
}

/** @param month - counted from January 1970. */
const wallOfMonth = (month: number): WallTime => Date.UTC(1970, month) * 1000

/**
 * Local weeks that begin on one of the days. A week is numbered in the year that has most of its days: from Monday as
 * in ISO 8601, from Sunday as in the weeks of epidemiologists (MMWR).
 */
export function weekPeriods({ from, to }: DayRange, first: Weekday, zone: Zone): PeriodList {
  const ahead = (WEEKDAYS.indexOf(first) - weekday(from) + 7) % 7
  const weeks = [...wallTimes(from + ahead * MICROS_PER_DAY, to, 7 * MICROS_PER_DAY)]
  return weeks.map((week) => ({
    label: weekLabel(week),
    start: zone.instantAt(week),
    end: zone.instantAt(week + 7 * MICROS_PER_DAY),
  }))
}

function weekLabel(week: WallTime): string {
  const middle = formatDate(week + 3 * MICROS_PER_DAY)
  const year = middle.slice(0, 4)
  const dayOfYear = (Date.parse(middle) - Date.parse(`${year}-01-01`)) / 86_400_000
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}

export interface Origins {
  /** Every n-th period, starting with the one at `phase`; or those that end at a local time of day, in microseconds. */
  readonly at: { readonly every: number; readonly phase: number } | { readonly clock: number }
  /** For every origin; `tomorrow` for the periods that start on the next local day; default all horizons. */
  readonly steps?: readonly number[] | 'tomorrow' | undefined
}

/** The same periods with their origins and steps. An origin with a target outside the list is not an origin. */
export function withOrigins(periods: PeriodList, { at, steps }: Origins, zone: Zone): PeriodList {
  const wallAt = (instant: Instant): WallTime => instant + zone.offsetAt(instant)
  const dayAt = (instant: Instant) => Math.floor(wallAt(instant) / MICROS_PER_DAY)
  const days = periods.map(({ start }) => dayAt(start))
  const firsts = new Map(days.map((day, index) => [day, index] as const).reverse())
  const isAsked = ({ end }: Period, index: number) =>
    'clock' in at
      ? // One a day, also where the clock shows this time twice or skips it.
        end === zone.instantAt(dayAt(end) * MICROS_PER_DAY + at.clock)
      : index >= at.phase && (index - at.phase) % at.every === 0
  const tomorrow = (index: number): number[] => {
    const day = dayAt((periods[index] as Period).end) + 1
    const ahead: number[] = []
    for (let to = firsts.get(day) ?? periods.length; days[to] === day; to++) ahead.push(to - index)
    return ahead
  }
  return periods.map((period, index) => {
    if (!isAsked(period, index)) return { ...period, origin: false }
    const asked = steps === 'tomorrow' ? tomorrow(index) : steps
    const inside = asked?.every((step) => periods[index + step] !== undefined) ?? true
    if (!inside || asked?.length === 0) return { ...period, origin: false }
    return { ...period, origin: true, ...(asked !== undefined && { steps: asked }) }
  })
}
