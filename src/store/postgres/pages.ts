import type { HistoryRow, OriginRow, RowKey } from '../../forecast/row.js'
import type { Dialect, SqlQuery, SqlTask, Values } from '../dialect.js'
import type { PageFilters, PageQuery } from '../history-reader.js'
import { toHistoryRow, toOriginRow } from '../hourly-rows.js'
import {
  FORECAST_COLUMNS,
  isStorable,
  listedColumns,
  ORIGIN_COLUMNS,
  quotedName,
} from './tables.js'

/** Keyset pagination; each page is one query. */
export function* queryPage(
  dialect: Dialect,
  schema: string,
  query: PageQuery,
): SqlTask<HistoryRow[]> {
  const page = pageSql(schema, query)
  return page === undefined ? [] : withOrigins(dialect, yield page)
}

/** Converts rows; the first row of each origin also has the origin's columns. */
function withOrigins(dialect: Dialect, rows: readonly Values[]): HistoryRow[] {
  let name: Values[number] | undefined
  let origin: OriginRow | undefined
  return rows.map((values) => {
    if (values[0] !== name) {
      name = values[0]
      const columns = values.slice(FORECAST_COLUMNS.length)
      origin = columns[0] === null ? undefined : toOriginRow(dialect, columns)
    }
    return toHistoryRow(dialect, values, origin)
  })
}

const READING_ORDER = 'origin_at DESC, horizon_hours, model'

/**
 * The SQL of a page: one range of the index of its filter. Only the first forecast of an origin brings the origin's
 * row, because its manifest may be longer than all forecasts. Undefined if no row can match.
 */
export function pageSql(schema: string, query: PageQuery): SqlQuery | undefined {
  const range = rangeSql(schema, query)
  if (range === undefined) return undefined
  // OFFSET 0 keeps the planner from joining all origins.
  const sql = `
    SELECT ${listedColumns(FORECAST_COLUMNS, 'p')}, ${listedColumns(ORIGIN_COLUMNS, 'o')}
    FROM (
      SELECT f.*, pg_catalog.lag(origin_at) OVER (ORDER BY ${READING_ORDER}) AS origin_before
      FROM (${range.sql}) f
    ) p
    LEFT JOIN LATERAL (
      SELECT * FROM ${quotedName(schema)}.origins o
      WHERE o.origin_at = p.origin_at AND p.origin_before IS DISTINCT FROM p.origin_at OFFSET 0
    ) o ON true
    ORDER BY p.origin_at DESC, p.horizon_hours, p.model`
  return { sql, values: range.values }
}

/** The forecasts of a page, in reading order. */
function rangeSql(
  schema: string,
  { filters = {}, after, withAfter = false, limit }: PageQuery,
): SqlQuery | undefined {
  if (!canMatch(filters)) return undefined
  const { originFrom, originTo, horizonHours, model, runId } = filters
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const conditions = [
    originFrom !== undefined && `f.origin_at >= ${given(originFrom)}`,
    originTo !== undefined && `f.origin_at <= ${given(originTo)}`,
    horizonHours !== undefined && `f.horizon_hours = ${given(horizonHours)}::bigint`,
    model !== undefined && `f.model = ${given(model)}`,
    runId !== undefined && `f.run_id = ${given(runId)}`,
    after !== undefined && afterSql(after, withAfter, given),
  ].filter((condition) => condition !== false)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT ${listedColumns(FORECAST_COLUMNS, 'f')} FROM ${quotedName(schema)}.forecasts f ${where}
    ORDER BY ${READING_ORDER} LIMIT ${given(limit)}::bigint`
  return { sql, values }
}

/**
 * The bound on the origin starts the index range; the other conditions skip rows of that origin.
 */
function afterSql(
  { origin, horizonHours, model }: RowKey,
  withAfter: boolean,
  given: (value: unknown) => string,
): string {
  const at = given(origin)
  const horizon = `${given(horizonHours)}::double precision`
  // PostgreSQL cannot store some characters. Names are compared by the part before such a character.
  const name = isStorable(model) ? model : (/^[^\0\p{Cs}]*/u.exec(model)?.[0] ?? '')
  const beyond = withAfter && name === model ? '>=' : '>'
  return `f.origin_at <= ${at} AND (f.origin_at < ${at} OR f.horizon_hours > ${horizon}
      OR (f.horizon_hours = ${horizon} AND f.model ${beyond} ${given(name)}))`
}

/** Whether the history can hold the values of the filters. */
function canMatch({ horizonHours, model, runId }: PageFilters): boolean {
  if (horizonHours !== undefined && !Number.isSafeInteger(horizonHours)) return false
  return [model, runId].every((text) => text === undefined || isStorable(text))
}
