import { formatUtc, type Instant } from '../contract/instant.js'
import type { PairedAttempt } from './types.js'

/** The columns of an attempt, in the order in which NDJSON and CSV have them. */
export const COLUMNS = [
  'origin_at',
  'target_at',
  'horizon_hours',
  'model',
  'expected',
  'status',
  'reason',
  'interval_status',
  'origin_close_usd',
  'target_close_usd',
  'predicted_price_usd',
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'vintage_id',
  'vintage_sha256',
] as const

/** Writes attempts as lines: the same attempt always gives the same bytes. */
export interface LineWriter {
  readonly header: string
  line(attempt: PairedAttempt): string
}

export function ndjsonWriter(): LineWriter {
  const time = timeTexts((text) => `"${text}"`, 'null')
  const text = remembered((value: string) => JSON.stringify(value))
  const optional = (value: string | null) => (value === null ? 'null' : text(value))
  return {
    header: '',
    line: (a) => {
      const origin = a.originText === undefined ? time(a.origin) : JSON.stringify(a.originText)
      return (
        `{"origin_at":${origin},"target_at":${time(a.target)},"horizon_hours":${number(a.horizon)}` +
        `,"model":${text(a.model)},"expected":${a.expected},"status":"${a.status}"` +
        `,"reason":"${a.reason}","interval_status":"${a.intervalStatus}"` +
        `,"origin_close_usd":${number(a.p0)},"target_close_usd":${number(a.p1)}` +
        `,"predicted_price_usd":${number(a.forecast)},"q10_usd":${number(a.q10)}` +
        `,"q50_usd":${number(a.q50)},"q90_usd":${number(a.q90)}` +
        `,"vintage_id":${optional(a.vintageId)},"vintage_sha256":${optional(a.vintageSha256)}}\n`
      )
    },
  }
}

/** RFC 4180, with \n line ends and an empty cell for null. */
export function csvWriter(): LineWriter {
  const time = timeTexts((text) => text, '')
  const text = remembered(cell)
  const amount = (value: number | null) => (finite(value) ? `${value}` : '')
  return {
    header: `${COLUMNS.join()}\n`,
    line: (a) =>
      `${a.originText === undefined ? time(a.origin) : cell(a.originText)},${time(a.target)}` +
      `,${amount(a.horizon)},${text(a.model)},${a.expected},${a.status},${a.reason}` +
      `,${a.intervalStatus},${amount(a.p0)},${amount(a.p1)},${amount(a.forecast)}` +
      `,${amount(a.q10)},${amount(a.q50)},${amount(a.q90)}` +
      `,${text(a.vintageId ?? '')},${text(a.vintageSha256 ?? '')}\n`,
  }
}

function finite(value: number | null): value is number {
  return value !== null && value - value === 0
}

/** JSON has no word for NaN and the infinities: the reason of the attempt says what they were. */
function number(value: number | null): string {
  return finite(value) ? `${value}` : 'null'
}

function cell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Attempts share their times with their neighbours. */
function timeTexts(wrap: (text: string) => string, none: string) {
  const text = remembered((instant: Instant) => wrap(formatUtc(instant)))
  return (instant: Instant | null) => (instant === null ? none : text(instant))
}

function remembered<T>(make: (value: T) => string): (value: T) => string {
  const known = new Map<T, string>()
  return (value) => {
    let text = known.get(value)
    if (text === undefined) {
      text = make(value)
      if (known.size > 512) known.clear()
      known.set(value, text)
    }
    return text
  }
}
