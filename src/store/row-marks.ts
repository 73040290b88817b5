import { isDeepStrictEqual } from 'node:util'
import { formatStored, instantOf } from '../contract/instant.js'
import type { RowKey } from '../forecast/row.js'
import { type Asking, ask, type Dialect, type Values } from './dialect.js'
import type { RowMark } from './types.js'

/**
 * The row at a place in the order of writing, or the last one: its place and the columns of its key.
 * Undefined where there is none, or the store has no such order.
 */
export function* rowAt(
  dialect: Dialect,
  table: 'forecasts' | 'attempts',
  place?: number,
): Asking<Values | undefined> {
  const added = dialect.added(table)
  if (added === undefined) return undefined
  const where = place === undefined ? `ORDER BY ${added} DESC LIMIT 1` : `WHERE ${added} = $1`
  const rows = yield* ask(
    `SELECT ${added}, ${dialect.key.join(', ')} FROM ${dialect.table(table)} ${where}`,
    place === undefined ? [] : [place],
  )
  return rows[0]
}

/** The mark of the forecast at a place in the order of writing, or of the last one. */
export function* markAt(dialect: Dialect, place?: number): Asking<RowMark | undefined> {
  const values = yield* rowAt(dialect, 'forecasts', place)
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
export function* rowsSince(dialect: Dialect, mark: RowMark): Asking<RowKey[] | undefined> {
  if (!isDeepStrictEqual(yield* markAt(dialect, mark.row), mark)) return undefined
  const added = dialect.added('forecasts')
  const rows = yield* ask(
    `SELECT origin_at, horizon_hours, ${dialect.model} FROM ${dialect.table('forecasts')}
     WHERE ${added} > $1 ORDER BY ${added}`,
    [mark.row],
  )
  const since: RowKey[] = []
  for (const [stored, horizonHours, model] of rows) {
    const originAt = dialect.instant(stored)
    const origin = instantOf(originAt)
    if (origin === undefined || formatStored(origin) !== originAt) return undefined
    since.push({ origin, horizonHours: Number(horizonHours), model: String(model) })
  }
  return since
}
