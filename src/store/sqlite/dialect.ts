import { formatStored } from '../../contract/instant.js'
import { PROVENANCE_COLUMNS } from '../../forecast/row.js'
import {
  type Dialect,
  keyValues,
  queryRows,
  SERIES_KEY,
  type SqlTask,
  type StoreTable,
  sameKey,
  type Values,
} from '../dialect.js'
import type { Database } from './driver.js'
import type { HistoryLayout } from './layout.js'
import { assertStoredOrder } from './order.js'
import { queryPage } from './pages.js'
import { ATTEMPT_COLUMNS, OWN_COLUMNS } from './tables.js'

const PRODUCERS: { readonly [T in StoreTable]?: string } = {
  origins: 'forecast_origins',
  forecasts: 'forecast_predictions',
}
/** Tables that have another form in a history of any series. */
const OF_SERIES: ReadonlySet<StoreTable> = new Set(['forecasts', 'attempts', 'log_entries'])
const HELD = 'temp.foreproof_held'
const HELD_BATCH = 1000
const MODEL = 'model_name'

/** Sorts after every text that starts with a digit. */
const HIGHEST_TEXT = '\u{10ffff}'

/**
 * SQL for a file with a given layout. A producer's file has none of foreproof's own tables; an old one lacks columns.
 * @param path - of the file, for messages.
 * @param serving - see `HistoryOptions`.
 */
export function sqliteDialect(layout: HistoryLayout, path: string, serving = false): Dialect {
  const { version } = layout
  const isSeries = version === 2
  const table = (name: StoreTable): string => {
    const fullName = `foreproof_${isSeries && OF_SERIES.has(name) ? 'series_' : ''}${name}`
    const actualName = fullName in OWN_COLUMNS ? fullName : (PRODUCERS[name] ?? fullName)
    const columns = OWN_COLUMNS[actualName]
    return columns === undefined || layout.ownColumns.has(actualName)
      ? actualName
      : emptyTable(columns)
  }
  const origins = originColumns(layout)
  const key: readonly string[] = isSeries ? SERIES_KEY : ['origin_at', 'horizon_hours', MODEL]
  /**
   * Cached SQL by table and number of key columns. Building it for each row would slow an import of existing rows by
   * a tenth.
   */
  const lookUps = new Map<string, string>()
  const dialect: Dialect = {
    version,
    table,
    key,
    forecasts: { columns: forecastColumns(layout), joins: sideJoins(layout) },
    attempts: {
      columns: [...listed('p', ATTEMPT_COLUMNS), ...provenanceColumns(layout)].join(', '),
      joins: join(layout, 'foreproof_provenance', 'v'),
      plain: ATTEMPT_COLUMNS.join(', '),
    },
    origins: {
      columns: origins,
      notes: ['regime', 'first_seen_at', 'last_seen_at']
        .map((name) => columnOrNull(layout.origins, 'o', name))
        .join(', '),
    },
    page: (query) => queryPage(dialect, layout, path, query, serving),
    model: isSeries ? 'model' : MODEL,
    added: 'rowid',
    // Instants are stored as text.
    instant: (value) => (typeof value === 'boolean' ? null : (value ?? null)),
    stored: formatStored,
    lowest: '',
    highest: HIGHEST_TEXT,
    demandOrder: () => assertStoredOrder(layout, path),
    canHold: () => true,
    openCursor: (sql) => ({
      begin: `CREATE TEMP TABLE foreproof_held AS ${sql}`,
      next: (index) =>
        `SELECT * FROM ${HELD} WHERE rowid > ${index} ORDER BY rowid LIMIT ${HELD_BATCH}`,
      end: `DROP TABLE ${HELD}`,
    }),
    keyColumns: (each) => keyValues({ version }, each),
    *firstRows({ table, as = 'p', columns, joins = '', by, keys, order = '' }) {
      const name = `${table} ${by.length}`
      let sql = lookUps.get(name)
      if (sql === undefined) {
        const isKey = by.map((name, at) => `${as}.${name} = $${at + 1}`)
        sql = `SELECT ${columns} FROM ${table} ${as} ${joins} WHERE ${isKey.join(' AND ')} ${order} LIMIT 1`
        lookUps.set(name, sql)
      }
      const rows: (Values | undefined)[] = []
      for (const values of keys) rows.push((yield* queryRows(sql, values))[0])
      return rows
    },
  }
  return dialect
}

function emptyTable(columns: readonly string[]): string {
  return `(SELECT ${[...columns, 'rowid'].map((name) => `NULL AS ${name}`).join(', ')} WHERE 0)`
}

const listed = (alias: string, columns: readonly string[]): string[] =>
  columns.map((name) => `${alias}.${name}`)

/** A column, or NULL if an old file lacks it. */
function columnOrNull(columns: ReadonlySet<string>, alias: string, name: string): string {
  return columns.has(name) ? `${alias}.${name}` : 'NULL'
}

/**
 * JavaScript numbers hold no more digits. Read larger ones as text, so that the row is at fault and not the file.
 */
const HORIZON = `iif(p.horizon_hours BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER},
  p.horizon_hours, CAST(p.horizon_hours AS TEXT))`

/** Without foreproof's own tables, their columns at the end are left out. */
function forecastColumns(layout: HistoryLayout): string {
  const resources = layout.ownColumns.has('foreproof_resources')
  const hasOwn = resources || layout.ownColumns.has('foreproof_provenance')
  const optional = ['q10_usd', 'q50_usd', 'q90_usd', 'model_agreement']
  return [
    ...['p.origin_at', 'p.model_name', HORIZON, 'p.target_at'],
    ...['p.predicted_price_usd', 'p.predicted_change_pct'],
    ...optional.map((name) => columnOrNull(layout.predictions, 'p', name)),
    ...(hasOwn ? [resources ? 'w.resource_json' : 'NULL', ...provenanceColumns(layout)] : []),
  ].join(', ')
}

function provenanceColumns({ ownColumns }: HistoryLayout): string[] {
  const columns = ['origin_at', ...Object.keys(PROVENANCE_COLUMNS)]
  return ownColumns.has('foreproof_provenance') ? listed('v', columns) : columns.map(() => 'NULL')
}

/** Joins those of foreproof's own tables that the file has to `p`. */
function sideJoins(layout: HistoryLayout): string {
  return `${join(layout, 'foreproof_resources', 'w')} ${join(layout, 'foreproof_provenance', 'v')}`
}

function join({ ownColumns }: HistoryLayout, table: string, alias: string): string {
  return ownColumns.has(table) ? `LEFT JOIN ${table} ${alias} ON ${sameKey(alias, 'p', MODEL)}` : ''
}

function originColumns(layout: HistoryLayout): string {
  const names = [
    ...['generated_at', 'source_name', 'pair', 'source_price_usd'],
    ...['experiment_run_id', 'configuration_id', 'experiment_manifest_json'],
  ]
  const optional = names.map((name) => columnOrNull(layout.origins, 'o', name))
  return ['o.origin_at', ...optional].join(', ')
}

/** Runs a task on an open database, synchronously. */
export type RunSync = <T>(asking: SqlTask<T>) => T

/** Creates a runner for a database that caches prepared statements. */
export function createRunner(db: Database): RunSync {
  const prepared = new Map<string, (values: readonly unknown[]) => Values[]>()
  return (asking) => {
    let step = asking.next()
    while (step.done !== true) {
      const { sql, values } = step.value
      const answer = prepared.get(sql) ?? prepare(db, sql)
      prepared.set(sql, answer)
      step = asking.next(answer(values))
    }
    return step.value
  }
}

function prepare(db: Database, sql: string): (values: readonly unknown[]) => Values[] {
  const statement = prepareQuery(db, sql)
  if (/^\s*SELECT/.test(sql)) return (values) => statement.all(...values)
  // Only `run` reports error codes of writes. It returns the row id.
  return (values) => {
    const { changes, lastInsertRowid } = statement.run(...values)
    return changes === 0 ? [] : [[Number(lastInsertRowid)]]
  }
}

/** Prepares a statement with parameters $1, $2 …; rows come as arrays. */
export function prepareQuery(db: Database, sql: string) {
  return db.prepare<unknown[], Values>(sql.replace(/\$(\d+)/g, '?$1')).raw()
}
