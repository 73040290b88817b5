import { instantOf } from '../../contract/instant.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import { ask, askOne, type Dialect, type Question, type ScanOrder } from '../dialect.js'
import { markAt, rowsSince } from '../marks.js'
import { rowsWithOrigins } from '../rows.js'
import type { PageQuery, RowMark } from '../types.js'
import type { Opened } from './connection.js'
import type { AnswersAtOnce } from './dialect.js'
import type { HistoryLayout } from './layout.js'
import { chooseOrder, TEXT_ORDER } from './order.js'

const COUNT_BATCH = 1000

/** Keyset pages over one opening of a file. */
export function createPages(
  { layout }: Opened,
  dialect: Dialect,
  answer: AnswersAtOnce,
  tracking: Tracking,
) {
  const pageNow = (query: PageQuery): HistoryRow[] => {
    const question = pageSql(layout, dialect, tracking.order(), query)
    if (question === undefined) return []
    return answer(rowsWithOrigins(dialect, answer(ask(question.sql, question.values))))
  }
  return {
    /** Rows of all pages together. */
    count(): number {
      if (!tracking.order().areMixed) {
        return Number(answer(askOne('SELECT count(*) FROM forecast_predictions')))
      }
      // Two spellings of one key are one row of a page: only reading shows how many.
      let count = 0
      for (let after: RowKey | undefined; ; ) {
        const rows: HistoryRow[] = this.page({ after, limit: COUNT_BATCH })
        count += rows.length
        const last = rows.at(-1)
        if (last === undefined || rows.length < COUNT_BATCH) return count
        after = rowKey(last)
      }
    },
    page: (query: PageQuery): HistoryRow[] => withoutDoubles(query, pageNow),
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

/**
 * The SQL of a page; undefined where its bounds leave nothing between them. Rows come along an index by range: that of
 * the reading order, or where the file is foreproof's own, that of a model or a horizon. In a file without them SQLite
 * sorts the few rows of each origin, and a rare filter scans. Names are compared by code point with any collation that a
 * producer gave its columns. Unary plus keeps any other index, which would cost a sort of the whole history, out of the
 * plan.
 */
export function pageSql(
  layout: HistoryLayout,
  { forecasts }: Dialect,
  order: ScanOrder,
  query: PageQuery,
): Question | undefined {
  const { filters = {}, after, withAfter = false, limit } = query
  const { originFrom, originTo, model, horizonHours, runId } = filters
  const tops = [originTo, after?.origin].filter((top) => top !== undefined)
  const low = originFrom === undefined ? order.lowest : order.keyOf(originFrom)
  const high = tops.length === 0 ? order.highest : order.keyOf(Math.min(...tops))
  if (low > high) return undefined
  const values: unknown[] = [low, high, limit]
  const given = (value: unknown) => `$${values.push(value)}`
  const run = runId === undefined ? '' : given(runId)
  const byRun = !order.areMixed && runId !== undefined
  const byModel = !order.areMixed && !byRun && layout.modelIndex
  const byHorizon = !order.areMixed && !byRun && layout.horizonIndex && model === undefined
  const key = byRun ? 'r.origin_at' : order.key
  const conditions = [
    `${key} BETWEEN $1 AND $2`,
    model !== undefined && `${byModel ? '' : '+'}p.model_name = ${given(model)} COLLATE BINARY`,
    horizonHours !== undefined && `${byHorizon ? '' : '+'}p.horizon_hours = ${given(horizonHours)}`,
    runId !== undefined && `${runOf(layout)} = ${run} COLLATE BINARY`,
    after !== undefined && afterSql(key, order, after, withAfter, given),
  ].filter((condition) => condition !== false)
  const sql = `
    SELECT ${forecasts.columns}
    FROM ${byRun ? runOrigins(layout, run) : order.from} ${forecasts.joins}
    ${runId === undefined ? '' : 'LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at'}
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${key} DESC, p.horizon_hours, p.model_name COLLATE BINARY${order.areMixed ? ', p.origin_at' : ''}
    LIMIT $3`
  return { sql, values }
}

function afterSql(
  key: string,
  { keyOf }: ScanOrder,
  { origin, horizonHours, model }: RowKey,
  withAfter: boolean,
  given: (value: unknown) => string,
): string {
  const horizon = given(horizonHours)
  return `(${key} < ${given(keyOf(origin))} OR +p.horizon_hours > ${horizon} OR
    (+p.horizon_hours = ${horizon} AND +p.model_name ${withAfter ? '>=' : '>'} ${given(model)} COLLATE BINARY))`
}

/** The run of a row: of the resource that is kept whole, or else of its origin. */
function runOf({ origins, own }: HistoryLayout): string {
  const run = origins.has('experiment_run_id') ? 'o.experiment_run_id' : 'NULL'
  return own.has('foreproof_resources')
    ? `CASE WHEN w.origin_at IS NULL THEN ${run} ELSE w.run_id END`
    : run
}

/** Predictions of every origin that has something of the run, the newest first. */
function runOrigins(layout: HistoryLayout, run: string): string {
  const of = (table: string, column: string) =>
    `SELECT origin_at FROM ${table} WHERE ${column} = ${run} COLLATE BINARY AND origin_at BETWEEN $1 AND $2`
  const hasRun = layout.origins.has('experiment_run_id')
  const sources = [
    of('forecast_origins', hasRun ? 'experiment_run_id' : 'NULL'),
    ...(layout.own.has('foreproof_resources') ? [of('foreproof_resources', 'run_id')] : []),
  ]
  return `(${sources.join(' UNION ')} ORDER BY origin_at DESC) r
    CROSS JOIN forecast_predictions p ON p.origin_at = r.origin_at`
}

/** Follows the rows of one opening of a file as others write. */
type Tracking = ReturnType<typeof trackRows>

export function trackRows(opened: Opened, dialect: Dialect, answer: AnswersAtOnce) {
  let order: ScanOrder | undefined
  /** The revision that the order is of, and the newest row that it has seen. */
  let revision = -1
  let seen: RowMark | undefined

  const newest = () => answer(markAt(dialect))
  const since = (mark: RowMark) => answer(rowsSince(dialect, mark))
  return {
    /** The order of all rows as of now; after the first call it looks only at rows that are new. */
    order(): ScanOrder {
      if (order !== undefined && revision === opened.revision) return order
      const isAsBefore =
        order?.areMixed === false && seen !== undefined && since(seen) !== undefined
      if (order === undefined || !isAsBefore) {
        order = chooseOrder(opened.db, ['forecast_predictions'])
      }
      seen = newest()
      revision = opened.revision
      return order
    },
    /** See `HistoryReader.mark`. */
    mark(): RowMark | undefined {
      return this.order().areMixed ? undefined : newest()
    },
    /** See `HistoryReader.rowsSince`; where it is called first, `order` need not look at every row. */
    rowsSince(mark: RowMark): RowKey[] | undefined {
      const rows = since(mark)
      if (rows !== undefined && order === undefined) {
        // A mark is given only where every row up to it sorts as text.
        order = TEXT_ORDER
        seen = newest()
        revision = opened.revision
      }
      return rows
    },
  }
}
