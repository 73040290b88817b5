import { ForeproofError } from '../../contract/error.js'
import { type Instant, MICROS_PER_DAY, parseTimestamp } from '../../contract/instant.js'
import type { Context } from '../command.js'

/** An option that takes an instant, `--from` for one; `instantOption` reads it. */
export function anInstant(describe: string) {
  return { type: 'string' as const, describe: `${describe}; a date alone is midnight UTC` }
}

/** An option that takes the last instant of a span, `--to`; `endOption` reads it. */
export function anEnd(describe: string) {
  return { type: 'string' as const, describe: `${describe}; a date alone is that whole day, UTC` }
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
    help: 'Write it like 2024-01-01T00:00:00Z, or as a date, 2024-01-01, in UTC.',
  })
}

/**
 * The last instant that counts, as `--to` gives it: an RFC 3339 timestamp, or a date, which stands for its whole day in
 * UTC; that is said on `stderr`.
 * @param step - the distance of what is counted, in microseconds: the last of a day lies so far before midnight.
 * @throws {ForeproofError} `usage` for any other text.
 */
export function endOption(
  name: string,
  text: string | undefined,
  { stderr }: Pick<Context, 'stderr'>,
  step = 1,
): Instant | undefined {
  const instant = instantOption(name, text)
  if (instant === undefined || text === undefined || !DATE.test(text)) return instant
  stderr.write(`--${name} ${text}: the whole day, UTC\n`)
  return instant + MICROS_PER_DAY - step
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
