import { normalTimestamp } from '../../forecast/resource.js'
import type { HistoryRow, RowKey } from '../../forecast/row.js'
import { type Dialect, queryRows, type SqlQuery, type SqlTask } from '../dialect.js'
import type { PageQuery } from '../history-reader.js'
import { rowsWithOrigins } from '../hourly-rows.js'
import { originBounds } from '../snapshot.js'
import type { HistoryLayout } from './layout.js'
import { unorderedOriginError } from './order.js'

/**
 * Keyset pagination.
 * @throws {ForeproofError} `invalid-input` at an origin that is not in the stored form. A row whose origin is no
 * timestamp at all cannot be shown: a service then refuses only the answers that would contain it.
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
 * The SQL of a page: a range of the index in reading order or, in foreproof's own files, of a model's or horizon's
 * index. Without these, SQLite sorts the few rows of each origin, and a rare filter scans. Names compare by code
 * point, whatever collation the producer's columns have. Unary plus excludes other indexes, which would sort the
 * whole history.
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
    byRun && `${runSql(layout)} = ${run} COLLATE BINARY`,
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

/** The run of a row: that of its stored resource, else that of its origin. */
function runSql({ origins, ownColumns }: HistoryLayout): string {
  const run = origins.has('experiment_run_id') ? 'o.experiment_run_id' : 'NULL'
  return ownColumns.has('foreproof_resources')
    ? `CASE WHEN w.origin_at IS NULL THEN ${run} ELSE w.run_id END`
    : run
}

/** Predictions of every origin with a row of the run, newest first. */
function runOrigins(layout: HistoryLayout, run: string): string {
  const of = (table: string, column: string) =>
    `SELECT origin_at FROM ${table} WHERE ${column} = ${run} COLLATE BINARY AND origin_at BETWEEN $1 AND $2`
  const hasRun = layout.origins.has('experiment_run_id')
  const sources = [
    of('forecast_origins', hasRun ? 'experiment_run_id' : 'NULL'),
    ...(layout.ownColumns.has('foreproof_resources') ? [of('foreproof_resources', 'run_id')] : []),
  ]
  return `(${sources.join(' UNION ')} ORDER BY origin_at DESC) r
    CROSS JOIN forecast_predictions p ON p.origin_at = r.origin_at`
}
