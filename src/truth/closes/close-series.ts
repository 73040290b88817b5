import {
  formatUtc,
  type Instant,
  isOnTheHour,
  MICROS_PER_HOUR,
  parseTimestamp,
} from '../../contract/instant.js'
import { isValue } from '../../contract/limits.js'
import { normalRows, notNormal } from '../vintage-files.js'

/** Consecutive hours without a close, both ends included, in UTC. */
export interface VintageGap {
  /** Close instant of the first missing bar: `2024-01-01T01:00:00Z`. */
  readonly from: string
  /** Close instant of the last missing bar. */
  readonly to: string
  readonly hours: number
}

const CLOSES_HEADER = 'close_at,close_usd'

/** Hourly closes from the first to the last; NaN for hours without a close. */
export interface CloseSeries {
  readonly first: Instant
  readonly closes: Float64Array
}

/** A series of closes by their instants, all on the hour and at least one. */
export function createCloseSeries(closes: ReadonlyMap<Instant, number>): CloseSeries {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const at of closes.keys()) {
    if (at < first) first = at
    if (at > last) last = at
  }
  const values = new Float64Array((last - first) / MICROS_PER_HOUR + 1).fill(Number.NaN)
  for (const [at, price] of closes) values[(at - first) / MICROS_PER_HOUR] = price
  return { first, closes: values }
}

export function lastInstant({ first, closes }: CloseSeries): Instant {
  return first + (closes.length - 1) * MICROS_PER_HOUR
}

/** The close of exactly this instant. */
export function closeIn({ first, closes }: CloseSeries, instant: Instant): number | undefined {
  const close = closes[(instant - first) / MICROS_PER_HOUR]
  return close === undefined || Number.isNaN(close) ? undefined : close
}

/** One line of the normal form, without its line break. */
function closeLine(at: Instant, price: number): string {
  return `${formatUtc(at)},${priceText(price)}`
}

/** The normal form of a series: header, one line per bar, ascending, each line ended by \n. */
export function closesText({ first, closes }: CloseSeries): string {
  const lines = [CLOSES_HEADER]
  closes.forEach((price, index) => {
    if (!Number.isNaN(price)) lines.push(closeLine(first + index * MICROS_PER_HOUR, price))
  })
  return `${lines.join('\n')}\n`
}

/** Runs of missing hours. */
export function findGaps({ first, closes }: CloseSeries): VintageGap[] {
  const gaps: VintageGap[] = []
  let begin = -1
  closes.forEach((price, index) => {
    if (Number.isNaN(price)) {
      if (begin === -1) begin = index
      return
    }
    if (begin === -1) return
    const at = (hour: number) => formatUtc(first + hour * MICROS_PER_HOUR)
    gaps.push({ from: at(begin), to: at(index - 1), hours: index - begin })
    begin = -1
  })
  return gaps
}

type PriceFault =
  | 'empty'
  | 'not-a-number'
  | 'grouped'
  | 'not-finite'
  | 'too-large'
  | 'zero'
  | 'negative'

type ParsedPrice =
  | { readonly ok: true; readonly price: number }
  | { readonly ok: false; readonly fault: PriceFault }

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i
const GROUPED = /^[+-]?\$?\d{1,3}(?:[, _']\d{3})+(?:\.\d*)?$/

/** Reads a close in USD: a decimal number greater than zero that a double can hold. */
export function parsePrice(text: string): ParsedPrice {
  if (!DECIMAL.test(text)) return { ok: false, fault: findFault(text) }
  const price = Number(text)
  if (!Number.isFinite(price)) return { ok: false, fault: 'not-finite' }
  if (!isValue(price)) return { ok: false, fault: 'too-large' }
  if (price > 0) return { ok: true, price }
  return { ok: false, fault: price === 0 ? 'zero' : 'negative' }
}

function findFault(text: string): PriceFault {
  if (text === '') return 'empty'
  if (NOT_FINITE.test(text)) return 'not-finite'
  return GROUPED.test(text) ? 'grouped' : 'not-a-number'
}

/**
 * The only spelling of a price in a vintage: the shortest decimal that reads back as the same double, with at least one
 * digit after the point (`42690.0`), without the zeros or exponent of the export.
 */
function priceText(price: number): string {
  const text = String(price)
  return Number.isInteger(price) && !text.includes('e') ? `${text}.0` : text
}

/** A gap longer than the age of Bitcoin is a mistake in a date. */
const LONGEST_SPAN_HOURS = 1_000_000

/**
 * Parses only the normal form of a series: every line must be exactly what the importer would write.
 * @throws {ForeproofError} `invalid-input` naming the line.
 */
export function parseNormalForm(text: string | Iterable<string>, file: string): CloseSeries {
  const values: number[] = []
  let first: Instant = 0
  const pieces = typeof text === 'string' ? [text] : text
  for (const [row, line] of normalRows(pieces, CLOSES_HEADER, file)) {
    const { instant, price } = parseLine(row, file, line)
    if (values.length === 0) first = instant
    const index = (instant - first) / MICROS_PER_HOUR
    if (index < values.length) notNormal(file, line, 'not later than the line before')
    if (index > LONGEST_SPAN_HOURS)
      notNormal(file, line, 'more than a century after the first line')
    while (values.length < index) values.push(Number.NaN)
    values.push(price)
  }
  if (values.length === 0) notNormal(file, 1, 'no closes')
  return { first, closes: Float64Array.from(values) }
}

function parseLine(text: string, file: string, line: number): { instant: Instant; price: number } {
  const comma = text.indexOf(',')
  const time = parseTimestamp(text.slice(0, comma))
  const price = parsePrice(text.slice(comma + 1))
  if (!time.ok || !isOnTheHour(time.instant))
    return notNormal(file, line, 'no close instant on the hour')
  if (!price.ok) return notNormal(file, line, 'no price greater than zero')
  const normal = closeLine(time.instant, price.price)
  if (text !== normal) notNormal(file, line, `not in normal form, which is ${normal}`)
  return { instant: time.instant, price: price.price }
}
