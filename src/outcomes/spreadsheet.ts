import type { Instant } from '../contract/instant.js'

const NUMBERS = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})/
const CLOCK = /^[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?$/i
const ROUNDED = /^\d(?:[.,]\d+)?E\+?\d+$/i

/** True for a number that a spreadsheet wrote in scientific notation, with digits lost. */
export function isRounded(text: string): boolean {
  return ROUNDED.test(text)
}

/** True for a date as spreadsheets write it again: `4/10/2023 0:00`, with or without the time. */
export function isRewrittenDate(text: string): boolean {
  return readingsOf(text).length > 0
}

/**
 * True when a rewritten date can mean this instant in UTC: month or day may come first, the year may
 * have two digits, and a time that was dropped is any time of that day.
 */
export function mayMean(text: string, instant: Instant): boolean {
  const date = new Date(instant / 1000)
  return readingsOf(text).some(({ year, month, day, minutes }) => {
    const sameYear = [date.getUTCFullYear(), date.getUTCFullYear() % 100].includes(year)
    const sameDay = month === date.getUTCMonth() + 1 && day === date.getUTCDate()
    const now = date.getUTCHours() * 60 + date.getUTCMinutes()
    return sameYear && sameDay && (minutes === undefined || minutes === now)
  })
}

interface Reading {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Since midnight; undefined where only the day is given. */
  readonly minutes: number | undefined
}

function readingsOf(text: string): Reading[] {
  const match = NUMBERS.exec(text)
  if (match === null) return []
  const clock = text.slice(match[0].length)
  const minutes = clock === '' ? undefined : minutesOf(clock)
  if (minutes !== undefined && Number.isNaN(minutes)) return []
  const [first = '', middle, last = ''] = [match[1], Number(match[3]), match[4]]
  if (first.length === 4)
    return [{ year: Number(first), month: middle, day: Number(last), minutes }]
  if (last.length !== 2 && last.length !== 4) return []
  const year = Number(last)
  return [
    { year, month: Number(first), day: middle, minutes },
    { year, month: middle, day: Number(first), minutes },
  ]
}

/** NaN for what is no time of day. */
function minutesOf(clock: string): number {
  const match = CLOCK.exec(clock)
  if (match === null || Number(match[3] ?? 0) !== 0) return Number.NaN
  const hours = Number(match[1])
  const half = match[4]?.toUpperCase()
  const hour = half === undefined ? hours : (hours % 12) + (half === 'P' ? 12 : 0)
  return hour * 60 + Number(match[2])
}
