import type { Instant } from '../contract/instant.js'
import type { HistoryRow, RawValue } from '../forecast/row.js'
import type { StoredKey } from '../log/log-entry.js'
import type { PageQuery, RowVersion } from './history-reader.js'

/** The value of one column. */
export type Value = RawValue | boolean
export type Values = readonly Value[]

/** An SQL statement with values for $1, $2 …; each row of its result is an array. */
export interface SqlQuery {
  readonly sql: string
  readonly values: readonly unknown[]
}

/**
 * A task that yields SQL statements and receives their rows. SQLite runs it synchronously, so that all of it is in
 * one transaction; PostgreSQL runs it asynchronously.
 */
export type SqlTask<T> = Generator<SqlQuery, T, Values[]>

export function* queryRows(sql: string, values: readonly unknown[] = []): SqlTask<Values[]> {
  return yield { sql, values }
}

/** The first value of the first row; undefined if there is none. */
export function* queryValue(
  sql: string,
  values: readonly unknown[] = [],
): SqlTask<Value | undefined> {
  return (yield* queryRows(sql, values))[0]?.[0]
}

export type StoreTable =
  | 'origins'
  | 'forecasts'
  | 'attempts'
  | 'meta'
  | 'log_entries'
  | 'log_subtrees'
  | 'log_checkpoints'
  | 'log_stamps'

/** The tables of rows, by their kind. */
export const ROW_TABLES = { forecast: 'forecasts', attempt: 'attempts' } as const

/** The parts of SQL in which the stores differ. */
export interface Dialect {
  readonly version: RowVersion
  /**
   * The name of a table in SQL. A table that a history lacks is an empty one. In a history of version 2, forecasts,
   * attempts and log entries come from the tables for any series.
   */
  table(name: StoreTable): string
  /** The columns of a key in these tables, in the order of the rows. */
  readonly key: readonly string[]
  /** Columns for `historyRow`, from a table with the alias `p`, and the joins that they need. */
  readonly forecasts: { readonly columns: string; readonly joins: string }
  /** The same for `attemptRow`; `plain` are the columns of the table itself. */
  readonly attempts: { readonly columns: string; readonly joins: string; readonly plain: string }
  /** Columns for `originRow`, from a table with the alias `o`, and then those for `storedOrigin`. */
  readonly origins: { readonly columns: string; readonly notes: string }
  /** See `HistoryReader.page`. */
  page(query: PageQuery): SqlTask<HistoryRow[]>
  /** The column with the name of a model. */
  readonly model: string
  /** The column that grows with each written row. */
  readonly added: string
  /** Converts a stored instant to the spelling in rows. */
  instant(value: Value | undefined): RawValue
  /** Converts an instant to its stored form, and the bounds below and above all stored instants. */
  stored(instant: Instant): string | number
  readonly lowest: string | number
  readonly highest: string | number
  /**
   * Throws if an origin is stored in a form that would break the order of time. Absent in stores where that is
   * impossible.
   */
  demandOrder?(): SqlTask<void>
  /** Whether the tables can hold a text. If not, no row can match it. */
  canHold(text: string): boolean
  openCursor(sql: string): RowCursor
  /**
   * The columns of a key, in the order of `key`; null for a value that the tables cannot hold, which no row matches.
   */
  keyColumns(key: StoredKey): Value[]
  firstRows(asked: FirstRows): SqlTask<(Values | undefined)[]>
}

/** Fetches the first row of each key from a table, in the order of the keys. */
export interface FirstRows {
  readonly table: string
  /** Alias of the table in `columns`; default `p`. */
  readonly as?: string
  readonly columns: string
  readonly joins?: string
  /** Columns of the keys. */
  readonly by: readonly string[]
  readonly keys: readonly (readonly Value[])[]
  /** ORDER BY clause, needed if a key can have several rows. */
  readonly order?: string
}

/**
 * A cursor over the rows of a query as of its start, without later writes. Rows come in batches.
 */
interface RowCursor {
  readonly begin: string
  /** @param index - number of rows received; without rows, there are no more. */
  next(index: number): string
  readonly end: string
}

/** Columns of a log entry, in the order that `LogQueries` reads them. */
export function entryColumns({ key }: Pick<Dialect, 'key'>): string {
  return `leaf_index, leaf_hash, ${key.join(', ')}, kind`
}

/** The columns of a key in a history of version 2. */
export const SERIES_KEY = ['series', 'origin', 'horizon', 'model'] as const

/** The key of a row or an entry, as stored. */
export function keyFromColumns(
  { version, instant }: Pick<Dialect, 'version' | 'instant'>,
  columns: Values,
): StoredKey {
  if (version === 1) {
    const [originAt, horizonHours, model] = columns
    return { originAt: instant(originAt), horizonHours, model } as unknown as StoredKey
  }
  const [series, originAt, horizonHours, model] = columns
  return { originAt, series, horizonHours, model } as unknown as StoredKey
}

/** The columns of a key, in the order of `Dialect.key`. */
export function keyValues({ version }: Pick<Dialect, 'version'>, key: StoredKey): Value[] {
  return version === 2 ? seriesValues(key) : [key.originAt, key.horizonHours, key.model]
}

/** The columns of a key of version 2, in the order of its tables. */
export function seriesValues({ originAt, series = '', horizonHours, model }: StoredKey): Value[] {
  return [series, originAt, horizonHours, model]
}

/** SQL that is true if rows of two tables have the same key. */
export function sameKey(a: string, b: string, model: string): string {
  return ['origin_at', model, 'horizon_hours']
    .map((name) => `${a}.${name} = ${b}.${name}`)
    .join(' AND ')
}
