import type { Instant } from '../../../contract/instant.js'
import type { HistoryRow, OriginRow, RowKey } from '../../../forecast/row.js'
import type { PageFilters, PageQuery } from '../types.js'
import { pageSql, rangeSql } from './page-sql.js'
import type { Ask, Values } from './pool.js'
import { FORECAST_COLUMNS, historyRow, originRow } from './rows.js'
import { quotedName } from './tables.js'

/** Keyset pages; each is one question. */
export function createPages(ask: Ask, schema: string) {
  const forecasts = `${quotedName(schema)}.forecasts`
  return {
    async page(query: PageQuery): Promise<HistoryRow[]> {
      const statement = pageSql(schema, query)
      return statement === undefined ? [] : withOrigins(await ask(statement.sql, statement.values))
    },
    async newestOrigin(filters: PageFilters): Promise<Instant | undefined> {
      const statement = rangeSql(schema, { filters, limit: 1 }, 'f.origin_at')
      if (statement === undefined) return undefined
      const [row] = await ask(statement.sql, statement.values)
      return row && Number(row[0])
    },
    async count(): Promise<number> {
      return Number((await ask(`SELECT count(*) FROM ${forecasts}`))[0]?.[0])
    },
    /** See `HistoryReader.keysAt`. */
    async keysAt(offset: number, count: number, of: number): Promise<RowKey[]> {
      const behind = of - offset - count
      const fromNewest = behind >= offset || behind < 0
      const order = fromNewest
        ? 'origin_at DESC, horizon_hours, model'
        : 'origin_at, horizon_hours DESC, model DESC'
      const rows = await ask(
        `SELECT origin_at, horizon_hours, model FROM ${forecasts}
         ORDER BY ${order} LIMIT $1::bigint OFFSET $2::bigint`,
        [count, fromNewest ? offset : behind],
      )
      const keys = rows.map(readKey)
      return fromNewest ? keys : keys.reverse()
    },
  }
}

/** From a row's origin, horizon and model. */
export function readKey([origin, horizonHours, model]: Values): RowKey {
  return {
    origin: Number(origin),
    horizonHours: Number(horizonHours),
    model: String(model),
  }
}

/** Rows of which the first of an origin has that origin's columns behind its own. */
function withOrigins(rows: readonly Values[]): HistoryRow[] {
  let name: Values[number] | undefined
  let origin: OriginRow | undefined
  return rows.map((values) => {
    if (values[0] !== name) {
      name = values[0]
      origin = originRow(values, FORECAST_COLUMNS.length)
    }
    return historyRow(values, origin)
  })
}
