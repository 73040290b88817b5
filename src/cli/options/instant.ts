import { ForeproofError } from '../../contract/error.js'
import { type Instant, parseTimestamp } from '../../contract/instant.js'

/** An option that takes an instant, `--from` for one; `instantOption` reads it. */
export function anInstant(describe: string) {
  return { type: 'string' as const, describe: `${describe}; a date alone is midnight UTC` }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * The instant that an option of the command line gives: an RFC 3339 timestamp, or a date, which stands
 * for its first moment in UTC.
 * @throws {ForeproofError} `usage` for any other text.
 */
export function instantOption(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const parsed = parseTimestamp(DATE.test(text) ? `${text}T00:00:00Z` : text)
  if (parsed.ok) return parsed.instant
  throw new ForeproofError('usage', `--${name} ${text}: ${FAULTS[parsed.fault]}`, {
    help: 'Write it like 2024-01-01T00:00:00Z, or 2024-01-01 for midnight UTC.',
  })
}

const FAULTS = {
  syntax: 'neither a date nor an RFC 3339 timestamp',
  'offset-missing': 'no offset from UTC',
  'space-for-plus': 'a space stands where the + of the offset belongs',
  calendar: 'the calendar has no such time',
  'leap-second': 'a leap second has no instant of its own',
  precision: 'finer than a microsecond',
  range: 'out of range',
} as const
