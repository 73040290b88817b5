import { instantOf, NO_INSTANT } from '../../../contract/instant.js'
import {
  type HistoryRow,
  type OriginRow,
  type RawValue,
  type RowKey,
  rowKey,
} from '../../../forecast/row.js'
import type { PageQuery } from '../types.js'
import { historyRow, originLookup } from './columns.js'
import type { Opened } from './connection.js'
import type { PreparedStatement } from './driver.js'
import { type PageParameters, pageParameters, pageSql } from './page-sql.js'
import type { Tracking } from './tracking.js'

const COUNT_BATCH = 1000

type Values = readonly RawValue[]

export interface Pages {
  page(query: PageQuery): HistoryRow[]
  find(key: RowKey): HistoryRow | undefined
  /** See `HistoryReader.keysAt`. */
  keysAt(offset: number, count: number, of: number): RowKey[] | undefined
  /** Rows of all pages together. */
  count(): number
}

/** Keyset pages over one opening of a file. */
export function createPages({ db, layout }: Opened, tracking: Tracking): Pages {
  const statements = new Map<string, PreparedStatement<[PageParameters], Values>>()
  const originOf = originLookup(db, layout)
  const rowCount = db.prepare<[], number>('SELECT count(*) FROM forecast_predictions').pluck()
  const keysFrom = (order: string) =>
    db
      .prepare<[number, number], Values>(
        `SELECT origin_at, horizon_hours, model_name FROM forecast_predictions
         ORDER BY ${order} LIMIT ? OFFSET ?`,
      )
      .raw()
  const fromNewest = keysFrom('origin_at DESC, horizon_hours, model_name')
  const fromOldest = keysFrom('origin_at, horizon_hours DESC, model_name DESC')

  const statementOf = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare<[PageParameters], Values>(sql).raw()
    statements.set(sql, known)
    return known
  }
  const pageNow = (query: PageQuery): HistoryRow[] => {
    const order = tracking.order()
    const parameters = pageParameters(order, query)
    if (parameters === undefined) return []
    const rows = statementOf(pageSql(layout, order, query)).all(parameters)
    let origin: OriginRow | undefined
    let name: RawValue | undefined
    return rows.map((values) => {
      if (values[0] !== name) {
        name = values[0] ?? null
        origin = originOf(name)
      }
      return historyRow(values, origin)
    })
  }

  return {
    keysAt(offset, count, of) {
      if (tracking.order().kind !== 'text') return undefined
      const behind = of - offset - count
      const keys =
        behind >= offset || behind < 0
          ? fromNewest.all(count, offset)
          : fromOldest.all(count, behind).reverse()
      return keys.map(([origin, horizon, model]) => ({
        origin: instantOf(origin) ?? NO_INSTANT,
        horizonHours: Number(horizon),
        model: String(model),
      }))
    },
    count() {
      if (tracking.order().kind === 'text') return rowCount.get() ?? 0
      // Two spellings of one key are one row of a page: only reading tells how many.
      let count = 0
      for (let after: RowKey | undefined; ; ) {
        const rows: HistoryRow[] = this.page({ after, limit: COUNT_BATCH })
        count += rows.length
        const last = rows.at(-1)
        if (last === undefined || rows.length < COUNT_BATCH) return count
        after = rowKey(last)
      }
    },
    page: (query) => withoutDoubles(query, pageNow),
    find({ origin, horizonHours, model }) {
      const filters = { originFrom: origin, originTo: origin, horizonHours, model }
      return this.page({ filters, limit: 1 })[0]
    },
  }
}

/**
 * Two spellings of one instant make two rows of one key (a broken file): the first is shown. Only
 * pages that held such a pair are filled up again.
 */
function withoutDoubles(query: PageQuery, page: (query: PageQuery) => HistoryRow[]): HistoryRow[] {
  const rows: HistoryRow[] = []
  let { after, withAfter = false } = query
  while (rows.length < query.limit) {
    const limit = query.limit - rows.length
    const more = page({ ...query, after, withAfter, limit })
    for (const row of more) {
      const before = rows.at(-1)
      if (before === undefined || !sameKey(before, row)) rows.push(row)
    }
    const last = rows.at(-1)
    if (more.length < limit || last === undefined || rows.length === query.limit) break
    after = rowKey(last)
    withAfter = false
  }
  return rows
}

function sameKey(a: HistoryRow, b: HistoryRow): boolean {
  if (a.model !== b.model || a.horizonHours !== b.horizonHours) return false
  const instant = instantOf(a.originAt)
  return instant !== undefined && instant === instantOf(b.originAt)
}
