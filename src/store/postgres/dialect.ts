import { formatStored, parseInstant } from '../../contract/instant.js'
import type { StoredKey } from '../../log/log-entry.js'
import {
  type Dialect,
  type FirstRows,
  queryRows,
  SERIES_KEY,
  type SqlTask,
  type StoreTable,
  type Value,
  type Values,
} from '../dialect.js'
import type { RowVersion } from '../history-reader.js'
import { queryPage } from './pages.js'
import {
  ATTEMPT_COLUMNS,
  FORECAST_COLUMNS,
  isStorable,
  listedColumns,
  ORIGIN_COLUMNS,
  quotedName,
  SERIES_TABLE_COLUMNS,
} from './tables.js'
import { isStorableName } from './values.js'

const CURSOR = 'held_rows'
const FETCH_ROWS = 1000

/** SQL for the tables of a history in some schema. */
export function postgresDialect(schema: string, version: RowVersion): Dialect {
  const isSeries = version === 2
  const table = (name: StoreTable) =>
    `${quotedName(schema)}.${isSeries ? tableOfSeries(name) : name}`
  const key: readonly string[] = isSeries ? SERIES_KEY : ['origin_at', 'horizon_hours', 'model']
  const origins = listedColumns(ORIGIN_COLUMNS, 'o')
  const attempts = listedColumns(ATTEMPT_COLUMNS, 'p')
  const dialect: Dialect = {
    version,
    table,
    key,
    forecasts: { columns: listedColumns(FORECAST_COLUMNS, 'p'), joins: '' },
    attempts: { columns: attempts, joins: '', plain: attempts },
    origins: { columns: origins, notes: 'o.regime, o.first_seen_at, o.last_seen_at' },
    page: (query) => queryPage(dialect, schema, query),
    model: 'model',
    added: 'added',
    // Instants are stored in microseconds since 1970. A value that was put in by hand and is not an instant reads as
    // an invalid timestamp.
    instant: (micros) =>
      typeof micros !== 'number'
        ? null
        : Number.isSafeInteger(micros)
          ? formatStored(micros)
          : String(micros),
    stored: (instant) => instant,
    lowest: '-9223372036854775808',
    highest: '9223372036854775807',
    canHold: isStorableName,
    openCursor: (sql) => ({
      begin: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${sql}`,
      next: () => `FETCH ${FETCH_ROWS} FROM ${CURSOR}`,
      end: `CLOSE ${CURSOR}`,
    }),
    keyColumns,
    firstRows,
  }
  return dialect
}

const INTEGERS: ReadonlySet<string> = new Set(['origin_at', 'horizon_hours', 'horizon'])

/**
 * LATERAL with LIMIT looks each key up in the index; a plain join may scan a table that has just grown.
 */
function* firstRows({
  table,
  as = 'p',
  columns,
  by,
  keys,
  order = '',
}: FirstRows): SqlTask<(Values | undefined)[]> {
  if (keys.length === 0) return []
  const arrays = by.map((name, at) => `$${at + 1}::${INTEGERS.has(name) ? 'bigint' : 'text'}[]`)
  const rows = yield* queryRows(
    `SELECT k.place, ${columns}
     FROM unnest(${arrays.join(', ')}) WITH ORDINALITY k (${by.map((name) => `of_${name}`).join(', ')}, place)
     CROSS JOIN LATERAL (
       SELECT * FROM ${table} r WHERE ${by.map((name) => `r.${name} = k.of_${name}`).join(' AND ')}
       ${order} LIMIT 1) ${as}`,
    by.map((_, at) => keys.map((key) => key[at])),
  )
  const byPosition = new Map(rows.map(([place, ...values]) => [place, values]))
  return keys.map((_, at) => byPosition.get(at + 1))
}

/** The table for any series that replaces an hourly one, if there is one. */
export function tableOfSeries<T extends StoreTable>(
  name: T,
): T | keyof typeof SERIES_TABLE_COLUMNS {
  const table = `series_${name}`
  return table in SERIES_TABLE_COLUMNS ? (table as keyof typeof SERIES_TABLE_COLUMNS) : name
}

/** See `Dialect.keyColumns`. */
function keyColumns({ originAt, series, horizonHours, model }: StoredKey): Value[] {
  const held = (text: string) => (isStorable(text) ? text : null)
  if (series !== undefined) return [held(series), held(originAt), horizonHours, held(model)]
  const origin = parseInstant(originAt)
  // SQLite also treats another spelling as another key.
  const isStored = origin !== undefined && formatStored(origin) === originAt
  return [
    isStored ? origin : null,
    Number.isSafeInteger(horizonHours) ? horizonHours : null,
    held(model),
  ]
}
