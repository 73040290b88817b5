import { ForeproofError } from '../../../contract/error.js'
import type { AttemptMark, AttemptMonth } from '../types.js'
import type { Opened } from './connection.js'

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

type Last = readonly [row: number, ...values: unknown[]]

/** How many attempts are recorded, and the one written last; undefined where there are none. */
export function attemptMark({ db, layout }: Opened): AttemptMark | undefined {
  if (!layout.attempts) return undefined
  const last = db
    .prepare<[], Last>('SELECT rowid, * FROM foreproof_attempts ORDER BY rowid DESC LIMIT 1')
    .raw()
    .get()
  if (last === undefined) return undefined
  const [row, ...values] = last
  const count = db.prepare<[], number>('SELECT count(*) FROM foreproof_attempts').pluck().get()
  return { count: count ?? 0, row, last: JSON.stringify(values) }
}

/**
 * The months that have recorded attempts, in order. `changed` is false only where all of a month's
 * attempts were there at the mark: a mark that does not fit the table any more changes every month.
 * @throws {ForeproofError} `invalid-input` where an origin is no timestamp.
 */
export function attemptMonths(
  path: string,
  opened: Opened,
  since: AttemptMark | undefined,
): AttemptMonth[] {
  const { db, layout } = opened
  if (!layout.attempts) return []
  const after = since !== undefined && fits(opened, since) ? since.row : Number.MIN_SAFE_INTEGER
  const months = db
    .prepare<[], [month: string, attempts: number, last: number]>(
      `SELECT substr(origin_at, 1, 7), count(*), max(rowid) FROM foreproof_attempts
       GROUP BY 1 ORDER BY 1`,
    )
    .raw()
    .all()
  return months.map(([month, attempts, last]) => {
    if (MONTH.test(month)) return { month, attempts, changed: last > after }
    throw new ForeproofError('invalid-input', `a recorded attempt's origin begins with ${month}`, {
      file: path,
      help: '`foreproof history verify` names what is wrong in every row.',
    })
  })
}

/** Whether the table is the one of the mark, with nothing but later rows besides. */
function fits({ db }: Opened, { count, row, last }: AttemptMark): boolean {
  const found = db.prepare<[number], unknown[]>('SELECT * FROM foreproof_attempts WHERE rowid = ?')
  if (JSON.stringify(found.raw().get(row)) !== last) return false
  const before = 'SELECT count(*) FROM foreproof_attempts WHERE rowid <= ?'
  return db.prepare<[number], number>(before).pluck().get(row) === count
}
