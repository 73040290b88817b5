import type { RowKey } from '../../../forecast/row.js'
import type { PageQuery } from '../types.js'
import { predictionColumns, sideJoins } from './columns.js'
import type { HistoryLayout } from './layout.js'
import type { Order } from './order.js'

export type PageParameters = Readonly<Record<string, string | number>>

/**
 * The SQL of a page. Rows come along an index by range: that of the reading order, or where the file
 * is foreproof's own, that of a model or a horizon. In a file without them SQLite sorts the few rows
 * of each origin, and a rare filter scans. Names are compared by code point whatever collation a
 * producer gave its columns. Unary plus keeps any other index, which would cost a sort
 * of the whole history, out of the plan.
 */
export function pageSql(layout: HistoryLayout, order: Order, query: PageQuery): string {
  const { filters = {}, after, withAfter = false } = query
  const { model, horizonHours, runId } = filters
  const isText = order.kind === 'text'
  const byRun = isText && runId !== undefined
  const byModel = isText && !byRun && layout.modelIndex
  const byHorizon = isText && !byRun && layout.horizonIndex && model === undefined
  const key = byRun ? 'r.origin_at' : order.key
  const conditions = [
    `${key} BETWEEN :low AND :high`,
    model !== undefined && `${byModel ? '' : '+'}p.model_name = :model COLLATE BINARY`,
    horizonHours !== undefined && `${byHorizon ? '' : '+'}p.horizon_hours = :horizon`,
    runId !== undefined && `${runOf(layout)} = :run COLLATE BINARY`,
    after &&
      `(${key} < :afterOrigin OR +p.horizon_hours > :afterHorizon OR
        (+p.horizon_hours = :afterHorizon AND +p.model_name ${withAfter ? '>=' : '>'} :afterModel COLLATE BINARY))`,
  ].filter((condition) => condition !== undefined && condition !== false)
  return `
    SELECT ${predictionColumns(layout)}
    FROM ${byRun ? runOrigins(layout) : order.from} ${sideJoins(layout)}
    ${runId === undefined ? '' : 'LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at'}
    WHERE ${conditions.join(' AND ')}
    ORDER BY ${key} DESC, p.horizon_hours, p.model_name COLLATE BINARY${isText ? '' : ', p.origin_at'}
    LIMIT :limit`
}

/** What the SQL of a page takes; undefined where its bounds leave nothing between them. */
export function pageParameters(
  order: Order,
  { filters = {}, after, limit }: PageQuery,
): PageParameters | undefined {
  const { originFrom, originTo, model, horizonHours, runId } = filters
  const tops = [originTo, after?.origin].filter((top) => top !== undefined)
  const low = originFrom === undefined ? order.lowest : order.keyOf(originFrom)
  const high = tops.length === 0 ? order.highest : order.keyOf(Math.min(...tops))
  if (low > high) return undefined
  return {
    low,
    high,
    limit,
    ...(horizonHours !== undefined && { horizon: horizonHours }),
    ...(model !== undefined && { model }),
    ...(runId !== undefined && { run: runId }),
    ...(after && afterParameters(order, after)),
  }
}

function afterParameters(order: Order, { origin, horizonHours, model }: RowKey): PageParameters {
  return { afterOrigin: order.keyOf(origin), afterHorizon: horizonHours, afterModel: model }
}

/** The run of a row: of the resource that is kept whole, or else of its origin. */
function runOf(layout: HistoryLayout): string {
  const own = layout.origins.has('experiment_run_id') ? 'o.experiment_run_id' : 'NULL'
  return layout.resources ? `CASE WHEN w.origin_at IS NULL THEN ${own} ELSE w.run_id END` : own
}

/** Predictions of every origin that has something of the run, the newest first. */
function runOrigins(layout: HistoryLayout): string {
  const of = (table: string, run: string) =>
    `SELECT origin_at FROM ${table} WHERE ${run} = :run COLLATE BINARY AND origin_at BETWEEN :low AND :high`
  const sources = [
    ...(layout.origins.has('experiment_run_id')
      ? [of('forecast_origins', 'experiment_run_id')]
      : []),
    ...(layout.resources ? [of('foreproof_resources', 'run_id')] : []),
  ]
  const origins = sources.length === 0 ? of('forecast_origins', 'NULL') : sources.join(' UNION ')
  return `(${origins} ORDER BY origin_at DESC) r
    CROSS JOIN forecast_predictions p ON p.origin_at = r.origin_at`
}
