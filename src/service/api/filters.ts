import { type Instant, parseTimestamp, type TimestampFault } from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import { nearest } from '../../contract/nearest.js'
import type { PageFilters } from '../../history/store/types.js'
import { readQuery } from '../http/target.js'
import { type Continuation, openCursor } from './cursor.js'
import { invalidRequest } from './fault.js'

/** What a request for a page asks for. */
export interface PageRequest {
  readonly filters: PageFilters
  readonly limit: number
  /** Undefined for the first page. That its row exists is not known yet. */
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

/** What is longer is no slip of the fingers. */
const LONGEST_MISSPELLING = 32

const WHOLE_NUMBER = /^[1-9][0-9]*$/

/**
 * Reads the query of the history route.
 * @throws {RequestFault} 400 for an unknown or repeated parameter, or a value that is malformed, the cursor's too.
 */
export function readPageRequest(query: string): PageRequest {
  const given = readQuery(query)
  for (const name of given.keys()) if (!NAMES.some((known) => known === name)) throw unknown(name)
  const filters = {
    originFrom: timestamp('origin_from', given.get('origin_from')),
    originTo: timestamp('origin_to', given.get('origin_to')),
    horizonHours: wholeNumber('horizon_hours', given.get('horizon_hours')),
    model: text('model', given.get('model')),
    runId: text('run_id', given.get('run_id')),
  }
  const limit = pageSize(given.get('limit'))
  const cursor = text('cursor', given.get('cursor'))
  const continuation = cursor === undefined ? undefined : openCursor(filters, cursor)
  return { filters, limit, continuation }
}

/** @throws {RequestFault} 400 when a route without parameters gets one. */
export function refuseParameters(query: string): void {
  if (readQuery(query).size > 0) throw invalidRequest('This route takes no query parameters.')
}

/** Names the nearest parameter, not the one that was sent: that may be anything, a key too. */
function unknown(name: string) {
  const close = name.length > LONGEST_MISSPELLING ? undefined : nearest(name, NAMES)
  const advice = close === undefined ? `Known are ${NAMES.join(', ')}.` : `Did you mean ${close}?`
  return invalidRequest(`Unknown query parameter. ${advice}`)
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === '') throw invalidRequest(`${name} is empty.`)
  return value
}

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!WHOLE_NUMBER.test(value) || !Number.isSafeInteger(number)) {
    throw invalidRequest(
      `${name} must be a positive whole number in decimal digits, without sign or leading zero.`,
    )
  }
  return number
}

function pageSize(value: string | undefined): number {
  const size = wholeNumber('limit', value)
  if (size !== undefined && size > LIMITS.pageMaximum) {
    throw invalidRequest(`limit must be from ${LIMITS.pageMinimum} to ${LIMITS.pageMaximum}.`)
  }
  return size ?? LIMITS.pageDefault
}

const TIMESTAMP_ADVICE: Record<Exclude<TimestampFault, 'range'>, string> = {
  syntax: 'is not an RFC 3339 timestamp such as 2026-01-02T03:04:05Z.',
  'offset-missing': 'needs an offset from UTC, such as Z at its end.',
  'space-for-plus':
    'has a space where its offset begins: send the + of the offset as %2B, or use Z.',
  calendar: 'names a date or time that does not exist.',
  'leap-second': 'must not name a leap second.',
  precision: 'has more than six significant digits in its fraction of a second.',
}

/** `9999-12-31T23:59:59Z` and the like mean no bound: no history reaches as far as instants do. */
function farthest(timestamp: string): Instant {
  return timestamp < '2000' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
}

function timestamp(name: string, value: string | undefined): Instant | undefined {
  if (value === undefined) return undefined
  const parsed = parseTimestamp(value)
  if (parsed.ok) return parsed.instant
  if (parsed.fault === 'range') return farthest(value)
  throw invalidRequest(`${name} ${TIMESTAMP_ADVICE[parsed.fault]}`)
}
