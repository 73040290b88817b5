import { type Instant, instantOrNaN, MICROS_PER_DAY } from '../contract/instant.js'
import type { EarliestVerdict } from '../lint/earliest.js'
import { grouped } from './wording.js'

const DAYS_A_MONTH = 365.25 / 12

/** When the first verdict is possible, as text; empty if none is, which a finding says of a list. */
export function earliestText(earliest: EarliestVerdict | undefined, now: Instant): string {
  if (earliest === undefined || earliest.at === null) return ''
  const { origins, at } = earliest
  // Between the dates, as a reader counts them.
  const toDay = (instant: Instant) => Math.floor(instant / MICROS_PER_DAY)
  const days = toDay(instantOrNaN(at)) - toDay(now)
  const months = Math.round(days / DAYS_A_MONTH)
  const span = months > 2 ? `${grouped(months)} months` : `${grouped(days)} days`
  return `The earliest verdict on a window that is registered now is on ${at.slice(0, 10)}, in ${span}: it takes ${grouped(origins)} origins.\n`
}
