import type { RowKey } from '../../forecast/row.js'
import type { Dialect, Question, ScanOrder } from '../dialect.js'
import type { PageQuery } from '../types.js'
import type { HistoryLayout } from './layout.js'

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
