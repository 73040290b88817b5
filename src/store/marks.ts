import { isDeepStrictEqual } from 'node:util'
import { ForeproofError } from '../contract/error.js'
import { formatStored, parseInstant } from '../contract/instant.js'
import type { RowKey } from '../forecast/row.js'
import { type Dialect, queryRows, queryValue, type SqlTask, type Values } from './dialect.js'
import type { AttemptMark, AttemptMonth, RowMark } from './history-reader.js'

/**
 * The row at a position in the order of writing (default: the last): its position and key columns.
 */
export function* rowAt(
  dialect: Dialect,
  table: 'forecasts' | 'attempts',
  position?: number,
): SqlTask<Values | undefined> {
  const { added } = dialect
  const where = position === undefined ? `ORDER BY ${added} DESC LIMIT 1` : `WHERE ${added} = $1`
  const rows = yield* queryRows(
    `SELECT ${added}, ${dialect.key.join(', ')} FROM ${dialect.table(table)} ${where}`,
    position === undefined ? [] : [position],
  )
  return rows[0]
}

/** The mark of the forecast at a position in the order of writing (default: the last). */
export function* markAt(dialect: Dialect, position?: number): SqlTask<RowMark | undefined> {
  const values = yield* rowAt(dialect, 'forecasts', position)
  if (values === undefined) return undefined
  const [row, origin, horizonHours, model] = values
  return {
    row: Number(row),
    originAt: String(dialect.instant(origin)),
    model: String(model),
    horizonHours: Number(horizonHours),
  }
}

/** See `HistoryReader.rowsSince`. */
export function* rowsSince(dialect: Dialect, mark: RowMark): SqlTask<RowKey[] | undefined> {
  if (!isDeepStrictEqual(yield* markAt(dialect, mark.row), mark)) return undefined
  const { added } = dialect
  const rows = yield* queryRows(
    `SELECT origin_at, horizon_hours, ${dialect.model} FROM ${dialect.table('forecasts')}
     WHERE ${added} > $1 ORDER BY ${added}`,
    [mark.row],
  )
  const since: RowKey[] = []
  for (const [stored, horizonHours, model] of rows) {
    const originAt = dialect.instant(stored)
    const origin = parseInstant(originAt)
    if (origin === undefined || formatStored(origin) !== originAt) return undefined
    since.push({ origin, horizonHours: Number(horizonHours), model: String(model) })
  }
  return since
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** The number of recorded attempts, and the last written one; undefined without attempts. */
export function* readAttemptMark(dialect: Dialect): SqlTask<AttemptMark | undefined> {
  const [table, added] = [dialect.table('attempts'), dialect.added]
  const [last] = yield* queryRows(
    `SELECT (SELECT count(*) FROM ${table}), ${added}, ${dialect.attempts.plain} FROM ${table} p
     ORDER BY ${added} DESC LIMIT 1`,
  )
  if (last === undefined) return undefined
  const [count, row, ...values] = last
  return { count: Number(count), row: Number(row), last: JSON.stringify(values) }
}

/**
 * The months with recorded attempts, in order. `changed` is false only if all attempts of a month existed at the mark.
 * If the mark no longer fits the table, every month counts as changed.
 * @param file - the name of the history in messages.
 * @throws {ForeproofError} `invalid-input` if an origin is not a timestamp.
 */
export function* attemptMonths(
  dialect: Dialect,
  file: string,
  since: AttemptMark | undefined,
): SqlTask<AttemptMonth[]> {
  const fitting = since !== undefined && (yield* fits(dialect, since))
  const after = fitting ? since.row : Number.MIN_SAFE_INTEGER
  const origins = yield* queryRows(
    `SELECT origin_at, count(*), max(${dialect.added}) FROM ${dialect.table('attempts')}
     GROUP BY 1 ORDER BY 1`,
  )
  const months = new Map<string, AttemptMonth>()
  for (const [origin, attempts, last] of origins) {
    const month = String(dialect.instant(origin)).slice(0, 7)
    if (!MONTH.test(month)) throw notAMonthError(file, month)
    const earlier = months.get(month)
    months.set(month, {
      month,
      attempts: (earlier?.attempts ?? 0) + Number(attempts),
      changed: earlier?.changed === true || Number(last) > after,
    })
  }
  return [...months.values()]
}

/** Whether the table still has all rows of the mark, and otherwise only later rows. */
function* fits(dialect: Dialect, { count, row, last }: AttemptMark): SqlTask<boolean> {
  const [table, added] = [dialect.table('attempts'), dialect.added]
  const [stored] = yield* queryRows(
    `SELECT ${dialect.attempts.plain} FROM ${table} p WHERE ${added} = $1`,
    [row],
  )
  if (stored === undefined || JSON.stringify(stored) !== last) return false
  return (yield* queryValue(`SELECT count(*) FROM ${table} WHERE ${added} <= $1`, [row])) === count
}

function notAMonthError(file: string, month: string): ForeproofError {
  return new ForeproofError('invalid-input', `a recorded attempt's origin begins with ${month}`, {
    file,
    help: '`foreproof history verify` names what is wrong in every row.',
  })
}
