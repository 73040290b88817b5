import { ForeproofError } from '../contract/error.js'
import { type Instant, isOnTheHour, MICROS_PER_HOUR, parseTimestamp } from '../contract/instant.js'
import { parsePrice } from './price.js'
import { CLOSES_HEADER, type CloseSeries, closeLine } from './series.js'

/** A longer stretch without closes than Bitcoin is old is a mistake in a date. */
const LONGEST_SPAN_HOURS = 1_000_000

/**
 * Reads the normal form of a series and nothing else: every line must be, to the byte, what the
 * importer would write.
 * @throws {ForeproofError} `invalid-input` naming the line.
 */
export function parseNormalForm(text: string, file: string): CloseSeries {
  if (!text.startsWith(`${CLOSES_HEADER}\n`)) bad(file, 1, `the header is not ${CLOSES_HEADER}`)
  const values: number[] = []
  let first: Instant = 0
  let at = CLOSES_HEADER.length + 1
  for (let line = 2; at < text.length; line++) {
    const end = text.indexOf('\n', at)
    if (end === -1) bad(file, line, 'the last line has no line break: it may be cut off')
    const { instant, price } = parseLine(text.slice(at, end), file, line)
    if (values.length === 0) first = instant
    const index = (instant - first) / MICROS_PER_HOUR
    if (index < values.length) bad(file, line, 'not later than the line before')
    if (index > LONGEST_SPAN_HOURS) bad(file, line, 'more than a century after the first line')
    while (values.length < index) values.push(Number.NaN)
    values.push(price)
    at = end + 1
  }
  if (values.length === 0) bad(file, 1, 'no closes')
  return { first, closes: Float64Array.from(values) }
}

function parseLine(text: string, file: string, line: number): { instant: Instant; price: number } {
  const comma = text.indexOf(',')
  const time = parseTimestamp(text.slice(0, comma))
  const price = parsePrice(text.slice(comma + 1))
  if (!time.ok || !isOnTheHour(time.instant)) return bad(file, line, 'no close instant on the hour')
  if (!price.ok) return bad(file, line, 'no price greater than zero')
  const normal = closeLine(time.instant, price.price)
  if (text !== normal) bad(file, line, `not in normal form, which is ${normal}`)
  return { instant: time.instant, price: price.price }
}

function bad(file: string, line: number, says: string): never {
  throw new ForeproofError('invalid-input', says, {
    file,
    position: { line, column: 1 },
    help: 'A vintage is what foreproof outcomes import writes: import this file first.',
  })
}
