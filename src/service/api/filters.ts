import { type Instant, parseTimestamp, type TimestampFault } from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import { nearest } from '../../contract/nearest.js'
import type { PageFilters } from '../../store/history-reader.js'
import { parseQuery } from '../http/target.js'
import { type Continuation, decodeCursor, type FinerBounds } from './cursor.js'
import { invalidRequest } from './fault.js'

/** A parsed request for a page. */
export interface PageRequest {
  readonly filters: PageFilters
  /** Digits of its bounds beyond the microseconds in `filters`; a cursor depends on them too. */
  readonly finer: FinerBounds
  readonly limit: number
  /** Undefined for the first page. Its row may not exist. */
  readonly continuation: Continuation | undefined
}

const NAMES = [
  'origin_from',
  'origin_to',
  'horizon_hours',
  'model',
  'run_id',
  'limit',
  'cursor',
] as const

/** Longer names are not typos. */
const MAX_MISSPELLING_CHARACTERS = 32

const WHOLE_NUMBER = /^[1-9][0-9]*$/

/**
 * Parses the query of the history route.
 * @throws {RequestFault} 400 for an unknown or repeated parameter, or a malformed value or cursor.
 */
export function parsePageRequest(query: string): PageRequest {
  const given = parseQuery(query)
  for (const name of given.keys())
    if (!NAMES.some((other) => other === name)) throw unknownParameter(name)
  const from = parseBound('origin_from', given.get('origin_from'), 1)
  const to = parseBound('origin_to', given.get('origin_to'), 0)
  const filters = {
    originFrom: from.instant,
    originTo: to.instant,
    horizonHours: parseWholeNumber('horizon_hours', given.get('horizon_hours')),
    model: text('model', given.get('model')),
    runId: text('run_id', given.get('run_id')),
  }
  const limit = parsePageSize(given.get('limit'))
  const cursor = text('cursor', given.get('cursor'))
  const finer = [from.finer, to.finer] as const
  const continuation = cursor === undefined ? undefined : decodeCursor(filters, finer, cursor)
  return { filters, finer, limit, continuation }
}

/** @throws {RequestFault} 400 when a route without parameters gets one. */
export function assertNoParameters(query: string): void {
  if (parseQuery(query).size > 0) throw invalidRequest('This route takes no query parameters.')
}

/** Suggests the nearest parameter. The one that was sent is not shown, because it may be a key. */
function unknownParameter(name: string) {
  const close = name.length > MAX_MISSPELLING_CHARACTERS ? undefined : nearest(name, NAMES)
  const advice = close === undefined ? `Known are ${NAMES.join(', ')}.` : `Did you mean ${close}?`
  return invalidRequest(`Unknown query parameter. ${advice}`)
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === '') throw invalidRequest(`${name} is empty.`)
  return value
}

function parseWholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  // A horizon beyond the largest possible one matches nothing.
  if (WHOLE_NUMBER.test(value)) return Math.min(Number(value), Number.MAX_VALUE)
  const message = 'must be a positive whole number in decimal digits, without sign or leading zero.'
  throw invalidRequest(`${name} ${message}`)
}

function parsePageSize(value: string | undefined): number {
  const size = parseWholeNumber('limit', value)
  if (size !== undefined && size > LIMITS.pageMaximum) {
    throw invalidRequest(`limit must be from ${LIMITS.pageMinimum} to ${LIMITS.pageMaximum}.`)
  }
  return size ?? LIMITS.pageDefault
}

const TIMESTAMP_ADVICE: Record<Exclude<TimestampFault, 'precision' | 'range'>, string> = {
  syntax: 'is not an RFC 3339 timestamp such as 2026-01-02T03:04:05Z.',
  'offset-missing': 'needs an offset from UTC, such as Z at its end.',
  'space-for-plus':
    'has a space where its offset begins: send the + of the offset as %2B, or use Z.',
  calendar: 'names a date or time that does not exist.',
  'leap-second': 'must not name a leap second.',
}

/** Microseconds of a fraction, and the digits after them. */
const FINE_FRACTION = /(\.\d{6})(\d+)/

interface Bound {
  /** Undefined if no bound was given. */
  readonly instant: Instant | undefined
  /** Digits of a second beyond the sixth, without zeros at the end; empty for most bounds. */
  readonly finer: string
}

/**
 * Parses a bound of a window. Origins have whole microseconds, so a finer bound is rounded into the window; the
 * origins inside stay the same.
 * @param inwards added to a rounded bound: 1 µs for the lower one.
 */
function parseBound(name: string, value: string | undefined, inwards: 0 | 1): Bound {
  if (value === undefined) return { instant: undefined, finer: '' }
  const finer = FINE_FRACTION.exec(value)?.[2]?.replace(/0+$/, '') ?? ''
  const instant = parseTimestampParameter(name, value.replace(FINE_FRACTION, '$1'))
  return { instant: finer === '' ? instant : instant + inwards, finer }
}

function parseTimestampParameter(name: string, value: string): Instant {
  const parsed = parseTimestamp(value)
  if (parsed.ok) return parsed.instant
  if (parsed.fault === 'range' || parsed.fault === 'precision') {
    // `9999-12-31T23:59:59Z` and the like mean no bound, because no history has such origins.
    return value < '2000' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  }
  throw invalidRequest(`${name} ${TIMESTAMP_ADVICE[parsed.fault]}`)
}
