import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '../../contract/instant.js'
import type { HistoryRow, OriginRow, RowKey } from '../../forecast/row.js'
import { type Asking, ask, askOne, type Dialect, type Values } from '../dialect.js'
import { historyRow, originRow } from '../rows.js'
import type { PageFilters, PageQuery, RowMark } from '../types.js'
import { FORECAST_COLUMNS } from './dialect.js'
import { pageSql, rangeSql } from './page-sql.js'

/** Keyset pages; each is one question. */
export function* pageOf(dialect: Dialect, schema: string, query: PageQuery): Asking<HistoryRow[]> {
  const found = pageSql(schema, query)
  return found === undefined ? [] : withOrigins(dialect, yield found)
}

export function* newestOriginOf(
  schema: string,
  filters?: PageFilters,
): Asking<Instant | undefined> {
  const found = rangeSql(schema, { filters, limit: 1 }, 'f.origin_at')
  const [row] = found === undefined ? [] : yield found
  return row && Number(row[0])
}

export function* forecastCount(dialect: Dialect): Asking<number> {
  return Number(yield* askOne(`SELECT count(*) FROM ${dialect.table('forecasts')}`))
}

/** The row written last, or that of a place in the order of writing. */
export function* markAt(dialect: Dialect, place?: number): Asking<RowMark | undefined> {
  const where = place === undefined ? 'ORDER BY added DESC LIMIT 1' : 'WHERE added = $1'
  const [row] = yield* ask(
    `SELECT origin_at, horizon_hours, model, added FROM ${dialect.table('forecasts')} ${where}`,
    place === undefined ? [] : [place],
  )
  if (row === undefined) return undefined
  const { model, horizonHours } = readKey(row)
  return { row: Number(row[3]), originAt: String(dialect.instant(row[0])), model, horizonHours }
}

/** See `HistoryReader.rowsSince`. */
export function* rowsSince(dialect: Dialect, mark: RowMark): Asking<RowKey[] | undefined> {
  if (!isDeepStrictEqual(yield* markAt(dialect, mark.row), mark)) return undefined
  const rows = yield* ask(
    `SELECT origin_at, horizon_hours, model FROM ${dialect.table('forecasts')}
     WHERE added > $1 ORDER BY added`,
    [mark.row],
  )
  return rows.map(readKey)
}

function readKey([origin, horizonHours, model]: Values): RowKey {
  return { origin: Number(origin), horizonHours: Number(horizonHours), model: String(model) }
}

/** Rows of which the first of an origin has that origin's columns behind its own. */
function withOrigins(dialect: Dialect, rows: readonly Values[]): HistoryRow[] {
  let name: Values[number] | undefined
  let origin: OriginRow | undefined
  return rows.map((values) => {
    if (values[0] !== name) {
      name = values[0]
      const columns = values.slice(FORECAST_COLUMNS.length)
      origin = columns[0] === null ? undefined : originRow(dialect, columns)
    }
    return historyRow(dialect, values, origin)
  })
}
