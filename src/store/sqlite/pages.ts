import { normalTimestamp } from '../../forecast/resource.js'
import type { HistoryRow, RowKey } from '../../forecast/row.js'
import { type Dialect, queryRows, type SqlQuery, type SqlTask } from '../dialect.js'
import { rowsWithOrigins } from '../rows.js'
import { originBounds } from '../snapshot.js'
import type { PageQuery } from '../types.js'
import type { HistoryLayout } from './layout.js'
import { unorderedOriginError } from './order.js'

/**
 * Keyset pages.
 * @throws {ForeproofError} `invalid-input` at an origin in another form than the stored one. What is no timestamp at all
 * is a row that cannot be shown, as one with a number that is none. A service refuses the answer that would hold such a row
 * itself, and gives the others.
 */
export function* queryPage(
  dialect: Dialect,
  layout: HistoryLayout,
  path: string,
  query: PageQuery,
  serving: boolean,
): SqlTask<HistoryRow[]> {
  const { sql, values } = pageSql(layout, dialect, query)
  const rows = yield* rowsWithOrigins(dialect, yield* queryRows(sql, values))
  if (serving) return rows
  for (const [at, { originAt }] of rows.entries()) {
    if (originAt === rows[at - 1]?.originAt) continue
    const normal = normalTimestamp(originAt)
    if (normal !== undefined && normal !== originAt) throw unorderedOriginError(originAt, path)
  }
  return rows
}

/**
 * The SQL of a page. Rows come along an index by range: that of
 * the reading order, or where the file is foreproof's own, that of a model or a horizon. In a file without them SQLite
 * sorts the few rows of each origin, and a rare filter scans. Names are compared by code point with any collation that a
 * producer gave its columns. Unary plus keeps any other index, which would cost a sort of the whole history, out of the
 * plan.
 */
function pageSql(layout: HistoryLayout, dialect: Dialect, query: PageQuery): SqlQuery {
  const { forecasts } = dialect
  const { filters = {}, after, withAfter = false, limit } = query
  const { originFrom, originTo, model, horizonHours, runId } = filters
  const tops = [originTo, after?.origin].filter((top) => top !== undefined)
  const top = tops.length === 0 ? undefined : Math.min(...tops)
  const values: unknown[] = [...originBounds(dialect, originFrom, top), limit]
  const given = (value: unknown) => `$${values.push(value)}`
  const byRun = runId !== undefined
  const run = byRun ? given(runId) : ''
  const byModel = !byRun && layout.modelIndex
  const byHorizon = !byRun && layout.horizonIndex && model === undefined
  const key = byRun ? 'r.origin_at' : 'p.origin_at'
  const conditions = [
    `${key} BETWEEN $1 AND $2`,
    model !== undefined && `${byModel ? '' : '+'}p.model_name = ${given(model)} COLLATE BINARY`,
    horizonHours !== undefined && `${byHorizon ? '' : '+'}p.horizon_hours = ${given(horizonHours)}`,
    byRun && `${runOf(layout)} = ${run} COLLATE BINARY`,
    after !== undefined && afterSql(key, dialect, after, withAfter, given),
  ].filter((condition) => condition !== false)
  const sql = `
    SELECT ${forecasts.columns}
    FROM ${byRun ? runOrigins(layout, run) : 'forecast_predictions p'} ${forecasts.joins}
    ${byRun ? 'LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at' : ''}
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${key} DESC, p.horizon_hours, p.model_name COLLATE BINARY
    LIMIT $3`
  return { sql, values }
}

function afterSql(
  key: string,
  { stored }: Dialect,
  { origin, horizonHours, model }: RowKey,
  withAfter: boolean,
  given: (value: unknown) => string,
): string {
  const horizon = given(horizonHours)
  return `(${key} < ${given(stored(origin))} OR +p.horizon_hours > ${horizon} OR
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
