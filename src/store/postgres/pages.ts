import type { Instant } from '../../contract/instant.js'
import type { HistoryRow, OriginRow } from '../../forecast/row.js'
import { type Asking, askOne, type Dialect, type Values } from '../dialect.js'
import { historyRow, originRow } from '../rows.js'
import type { PageFilters, PageQuery } from '../types.js'
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
