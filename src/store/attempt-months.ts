import { ForeproofError } from '../contract/error.js'
import { type Asking, ask, askOne, type Dialect } from './dialect.js'
import type { AttemptMark, AttemptMonth } from './types.js'

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** How many attempts are recorded, and the one written last; undefined where there are none. */
export function* attemptMark(dialect: Dialect): Asking<AttemptMark | undefined> {
  const [table, added] = [dialect.table('attempts'), dialect.added('attempts')]
  const [last] = yield* ask(
    `SELECT (SELECT count(*) FROM ${table}), ${added}, ${dialect.attempts.plain} FROM ${table} p
     ORDER BY ${added} DESC LIMIT 1`,
  )
  if (last === undefined) return undefined
  const [count, row, ...values] = last
  return { count: Number(count), row: Number(row), last: JSON.stringify(values) }
}

/**
 * The months that have recorded attempts, in order. `changed` is false only where all of a month's
 * attempts were there at the mark: a mark that does not fit the table any more changes every month.
 * @param file - what messages call the history.
 * @throws {ForeproofError} `invalid-input` where an origin is no timestamp.
 */
export function* attemptMonths(
  dialect: Dialect,
  file: string,
  since: AttemptMark | undefined,
): Asking<AttemptMonth[]> {
  const fitting = since !== undefined && (yield* fits(dialect, since))
  const after = fitting ? since.row : Number.MIN_SAFE_INTEGER
  const periods = yield* ask(
    `SELECT ${dialect.period}, count(*), max(${dialect.added('attempts')})
     FROM ${dialect.table('attempts')} GROUP BY 1 ORDER BY 1`,
  )
  const months = new Map<string, AttemptMonth>()
  for (const [period = null, attempts, last] of periods) {
    const month = dialect.monthOf(period)
    if (!MONTH.test(month)) throw noMonth(file, month)
    const known = months.get(month)
    months.set(month, {
      month,
      attempts: (known?.attempts ?? 0) + Number(attempts),
      changed: known?.changed === true || Number(last) > after,
    })
  }
  return [...months.values()]
}

/** Whether the table is the one of the mark, with nothing but later rows besides. */
function* fits(dialect: Dialect, { count, row, last }: AttemptMark): Asking<boolean> {
  const [table, added] = [dialect.table('attempts'), dialect.added('attempts')]
  const [found] = yield* ask(
    `SELECT ${dialect.attempts.plain} FROM ${table} p WHERE ${added} = $1`,
    [row],
  )
  if (found === undefined || JSON.stringify(found) !== last) return false
  return (yield* askOne(`SELECT count(*) FROM ${table} WHERE ${added} <= $1`, [row])) === count
}

function noMonth(file: string, month: string): ForeproofError {
  return new ForeproofError('invalid-input', `a recorded attempt's origin begins with ${month}`, {
    file,
    help: '`foreproof history verify` names what is wrong in every row.',
  })
}
