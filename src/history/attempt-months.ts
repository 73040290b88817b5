import { ForeproofError } from '../contract/error.js'
import type { Opened } from './connection.js'
import type { AttemptMark } from './types.js'

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** How many attempts are recorded, and the place of the last one; undefined where there are none. */
export function attemptMark({ db, layout }: Opened): AttemptMark | undefined {
  if (!layout.attempts) return undefined
  const sql = 'SELECT count(*), max(rowid) FROM foreproof_attempts'
  const [count, row] = db.prepare<[], [number, number]>(sql).raw().get() ?? [0, 0]
  return count === 0 ? undefined : { count, row }
}

/**
 * The months (`2026-01`, UTC, of the origin) that have attempts written after a mark, in order: all
 * months without one, or where the mark does not fit the table any more.
 * @throws {ForeproofError} `invalid-input` where an origin is no timestamp.
 */
export function attemptMonths(
  path: string,
  { db, layout }: Opened,
  since: AttemptMark | undefined,
): string[] {
  if (!layout.attempts) return []
  const before = 'SELECT count(*) FROM foreproof_attempts WHERE rowid <= ?'
  const known =
    since !== undefined &&
    db.prepare<[number], number>(before).pluck().get(since.row) === since.count
  const months = db
    .prepare<[number], string>(
      `SELECT DISTINCT substr(origin_at, 1, 7) FROM foreproof_attempts WHERE rowid > ? ORDER BY 1`,
    )
    .pluck()
    .all(known ? since.row : Number.MIN_SAFE_INTEGER)
  const odd = months.find((month) => !MONTH.test(month))
  if (odd === undefined) return months
  throw new ForeproofError('invalid-input', `a recorded attempt's origin begins with ${odd}`, {
    file: path,
    help: '`foreproof history verify` names what is wrong in every row.',
  })
}
