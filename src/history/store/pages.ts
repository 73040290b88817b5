import { formatStored, instantOf, NO_INSTANT } from '../../contract/instant.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import type { Catalogue, Stretch } from './catalogue.js'
import { historyRow, predictionColumns, sideJoins } from './columns.js'
import type { Opened } from './connection.js'
import { handedRows, type RowQuery } from './handed-rows.js'
import type { Order } from './order.js'
import { createOrigins } from './origins.js'
import type { Tracking } from './tracking.js'
import type { PageFilters, PageQuery } from './types.js'

const COUNT_BATCH = 1000

type Parameters = Readonly<Record<string, string | number>>

export interface Pages {
  page(query: PageQuery): HistoryRow[]
  find(key: RowKey): HistoryRow | undefined
  has(key: RowKey): boolean
  /** See `HistoryReader.keysAt`. */
  keysAt(offset: number, count: number, of: number): RowKey[] | undefined
  /** Rows of all pages together. */
  count(): number
}

/**
 * Keyset pages over one opening of a file. SQL is led along the origin's index by range; inside an
 * origin SQLite sorts the few rows itself where the file has no index in reading order. Unary plus
 * keeps any other index, which would cost a sort of the whole history, out of the plan.
 */
export function createPages(opened: Opened, tracking: Tracking): Pages {
  const { db, layout } = opened
  const prepare = handedRows(db)
  const queries = new Map<string, RowQuery<Parameters>>()
  const origins = createOrigins(opened, prepare)
  const begin = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const exists = db
    .prepare<[string, string, number], number>(
      'SELECT 1 FROM forecast_predictions WHERE origin_at = ? AND model_name = ? AND horizon_hours = ?',
    )
    .pluck()

  const query = (order: Order, filters: PageFilters, after: boolean) => {
    const { horizonHours, model, runId } = filters
    const parts = [horizonHours !== undefined, model !== undefined, runId !== undefined, after]
    const name = `${order.kind} ${parts.join()}`
    let found = queries.get(name)
    if (found === undefined) {
      found = prepare<Parameters>(predictionColumns(layout), pageSql(opened, order, parts))
      queries.set(name, found)
    }
    return found
  }
  const pageNow = ({ filters = {}, after, limit }: PageQuery): HistoryRow[] => {
    const order = tracking.order()
    const rows: HistoryRow[] = []
    const bounds = boundsOf(order, filters, after)
    if (bounds === undefined) return rows
    const fixed = parametersOf(order, filters, after)
    for (const [low, high] of stretchesOf(order, tracking.catalogue(), filters, bounds)) {
      const read = query(order, filters, after !== undefined)
      const wanted = limit - rows.length
      const found = read({ ...fixed, low, high, limit: wanted })
      if (order.kind === 'text') origins.readAhead(found)
      for (const values of found) rows.push(historyRow(values, origins.of(values[0] ?? null)))
      if (rows.length >= limit) break
    }
    return rows
  }
  const rowCount = db.prepare<[], number>('SELECT count(*) FROM forecast_predictions').pluck()

  const keysFrom = (order: string) =>
    db
      .prepare<[number, number], [unknown, unknown, unknown]>(
        `SELECT origin_at, horizon_hours, model_name FROM forecast_predictions
         ORDER BY ${order} LIMIT ? OFFSET ?`,
      )
      .raw()
  const fromNewest = keysFrom('origin_at DESC, horizon_hours, model_name')
  const fromOldest = keysFrom('origin_at, horizon_hours DESC, model_name DESC')

  return {
    has(key) {
      if (tracking.order().kind !== 'text') return this.find(key) !== undefined
      return exists.get(formatStored(key.origin), key.model, key.horizonHours) !== undefined
    },
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
    page(query) {
      begin.run()
      try {
        return withoutDoubles(query, pageNow)
      } finally {
        if (db.inTransaction) commit.run()
      }
    },
    find(key) {
      const [row] = this.page({
        filters: {
          originFrom: key.origin,
          originTo: key.origin,
          horizonHours: key.horizonHours,
          model: key.model,
        },
        limit: 1,
      })
      return row
    },
  }
}

function pageSql(
  { layout }: Opened,
  order: Order,
  [horizon, model, run, after]: boolean[],
): string {
  const own = layout.origins.has('experiment_run_id') ? 'o.experiment_run_id' : 'NULL'
  const runId = layout.resources
    ? `CASE WHEN w.origin_at IS NULL THEN ${own} ELSE w.run_id END`
    : own
  return `
    FROM ${order.from} ${sideJoins(layout)}
    ${run ? 'LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at' : ''}
    WHERE ${order.key} BETWEEN :low AND :high
    ${horizon ? 'AND +p.horizon_hours = :horizon' : ''}
    ${model ? 'AND +p.model_name = :model' : ''}
    ${run ? `AND ${runId} = :run` : ''}
    ${after ? `AND (${order.key} < :afterOrigin OR +p.horizon_hours > :afterHorizon OR (+p.horizon_hours = :afterHorizon AND +p.model_name > :afterModel))` : ''}
    ORDER BY ${order.key} DESC, p.horizon_hours, p.model_name${order.kind === 'text' ? '' : ', p.origin_at'}
    LIMIT :limit`
}

function parametersOf(order: Order, filters: PageFilters, after: RowKey | undefined): Parameters {
  const { horizonHours, model, runId } = filters
  return {
    ...(horizonHours !== undefined && { horizon: horizonHours }),
    ...(model !== undefined && { model }),
    ...(runId !== undefined && { run: runId }),
    ...(after !== undefined && {
      afterOrigin: order.keyOf(after.origin),
      afterHorizon: after.horizonHours,
      afterModel: after.model,
    }),
  }
}

type Bounds = readonly [low: string | number, high: string | number]

function boundsOf(order: Order, filters: PageFilters, after?: RowKey): Bounds | undefined {
  const tops = [filters.originTo, after?.origin].filter((top) => top !== undefined)
  const low = filters.originFrom === undefined ? order.lowest : order.keyOf(filters.originFrom)
  const high = tops.length === 0 ? order.highest : order.keyOf(Math.min(...tops))
  return low <= high ? [low, high] : undefined
}

function stretchesOf(
  order: Order,
  catalogue: Catalogue | undefined,
  filters: PageFilters,
  bounds: Bounds,
): Iterable<Bounds> {
  const { model, horizonHours, runId } = filters
  const narrows = model !== undefined || horizonHours !== undefined || runId !== undefined
  const short = filters.originFrom !== undefined && filters.originFrom === filters.originTo
  if (catalogue === undefined || order.kind !== 'text' || !narrows || short) return [bounds]
  while (!catalogue.warm(runId !== undefined)) {
    // Reads the next stretch.
  }
  return catalogue.stretches(filters, ...(bounds as Stretch))
}

/**
 * Two spellings of one instant make two rows of one key (a broken file): the first is shown. Only
 * pages that held such a pair are filled up again.
 */
function withoutDoubles(query: PageQuery, page: (query: PageQuery) => HistoryRow[]): HistoryRow[] {
  const rows: HistoryRow[] = []
  let after = query.after
  while (rows.length < query.limit) {
    const limit = query.limit - rows.length
    const more = page({ ...query, after, limit })
    for (const row of more) {
      const before = rows.at(-1)
      if (before === undefined || !sameKey(before, row)) rows.push(row)
    }
    const last = rows.at(-1)
    if (more.length < limit || last === undefined || rows.length === query.limit) break
    after = rowKey(last)
  }
  return rows
}

function sameKey(a: HistoryRow, b: HistoryRow): boolean {
  if (a.model !== b.model || a.horizonHours !== b.horizonHours) return false
  const instant = instantOf(a.originAt)
  return instant !== undefined && instant === instantOf(b.originAt)
}
