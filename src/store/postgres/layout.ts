import { randomUUID } from 'node:crypto'
import { ForeproofError } from '../../contract/error.js'
import { queryValue, type SqlTask } from '../dialect.js'
import type { RowVersion } from '../history-reader.js'
import { parseAddress } from './address.js'
import { openSession, type RunQuery } from './pool.js'
import {
  ALL_COLUMNS,
  createTables,
  LAYOUT_VERSION,
  quotedName,
  TABLE_COLUMNS,
  typeSql,
} from './tables.js'

/** The layout and identity of a PostgreSQL history. */
interface Layout {
  readonly historyId: string
  readonly version: RowVersion
}

/**
 * Checks that a schema has the tables of a history, each with our columns and types.
 * @throws {ForeproofError} `not-found` if it has none of them; `invalid-input` if they differ from ours or come from
 * a newer foreproof.
 */
export async function readLayout(ask: RunQuery, schema: string, shown: string): Promise<Layout> {
  const settings = ['server_encoding', 'extra_float_digits', 'search_path']
  const current = settings.map((name) => `pg_catalog.current_setting('${name}')`)
  const [[encoding, digits, path] = []] = await ask(`SELECT ${current.join(', ')}`)
  if (encoding !== 'UTF8') throw foreign(shown, `the database has the encoding ${encoding}`, UTF8)
  if (Number(digits) < 1) {
    const message = `its numbers come rounded: extra_float_digits is ${digits} for this user or database`
    throw invalid(shown, message, RESET_DIGITS)
  }
  if (isShadowing(String(path))) {
    const message = `other schemas come before pg_catalog in the search_path (${path}) of this user or database`
    throw invalid(shown, message, RESET_PATH)
  }
  const tables = await listTables(ask, schema)
  if (tables.size === 0) {
    const message = `${shown}: the schema ${schema} has no forecast history`
    throw new ForeproofError('not-found', message, { file: shown, help: NOT_THERE })
  }
  const isSeries = tables.has('series_forecasts')
  for (const [table, columns] of Object.entries(isSeries ? ALL_COLUMNS : TABLE_COLUMNS)) {
    const of = Object.entries(columns).map(([column, definition]) => [
      `${table}.${column}`,
      /^(?:double precision|\w+)(?: COLLATE "C")?/.exec(typeSql(definition))?.[0],
    ])
    for (const [name = '', wanted] of [[table, ORDINARY], ...of]) {
      const is = tables.get(name) ?? 'missing'
      if (is !== wanted) throw foreign(shown, `${schema}.${name} is ${is}, not ${wanted}`)
    }
  }
  return { ...(await readMeta(ask, schema, shown)), version: isSeries ? 2 : 1 }
}

/** Whether a valid unique index in reading order exists, under any name. */
export function* hasOrderingIndex(schema: string): SqlTask<boolean> {
  const isThere = yield* queryValue(
    `SELECT EXISTS (
       SELECT 1 FROM pg_catalog.pg_index i
       JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = 'forecasts'
         AND i.indisvalid AND i.indisunique AND i.indpred IS NULL
         AND pg_catalog.pg_get_indexdef(i.indexrelid) LIKE '%USING btree (origin_at DESC, horizon_hours, model)%')`,
    [schema],
  )
  return isThere === true
}

const ORDINARY = 'an ordinary table that keeps and shows all rows'

/** The relations with the names of our tables, and the types of their columns by `table.column`. */
async function listTables(ask: RunQuery, schema: string): Promise<ReadonlyMap<string, string>> {
  const rows = await ask(
    `SELECT c.relname::text,
       CASE WHEN c.relkind <> 'r' OR c.relrowsecurity OR c.relpersistence = 'u' THEN 'something else' ELSE '${ORDINARY}' END,
       a.attname::text, pg_catalog.replace(pg_catalog.format_type(a.atttypid, NULL), '"', '')
         || CASE WHEN m.nspname IS NULL THEN '' WHEN m.nspname = 'pg_catalog' THEN ' COLLATE "' || l.collname || '"' ELSE ' COLLATE of others' END
     FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_catalog.pg_attribute a
       ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
     LEFT JOIN pg_catalog.pg_namespace m ON m.oid = l.collnamespace
     WHERE n.nspname = $1 AND c.relname = ANY ($2) AND c.relkind IN ('r', 'v', 'm', 'f', 'p')`,
    [schema, Object.keys(ALL_COLUMNS)],
  )
  const tables = new Map<string, string>()
  for (const [table, kind, column, type] of rows) {
    tables.set(String(table), String(kind)).set(`${table}.${column}`, String(type))
  }
  return tables
}

async function readMeta(
  ask: RunQuery,
  schema: string,
  shown: string,
): Promise<Pick<Layout, 'historyId'>> {
  const rows = await ask(`SELECT key, value FROM ${quotedName(schema)}.meta WHERE key = ANY ($1)`, [
    ['layout_version', 'history_id'],
  ])
  const meta = new Map(rows.map(([key, value]) => [String(key), String(value)]))
  const version = Number(meta.get('layout_version') ?? Number.NaN)
  const historyId = meta.get('history_id')
  if (version > LAYOUT_VERSION) {
    const message = `a newer foreproof made it (layout ${version}, this one knows ${LAYOUT_VERSION})`
    throw invalid(shown, message, 'Update foreproof.')
  }
  if (version !== LAYOUT_VERSION || historyId === undefined) {
    throw foreign(shown, `${schema}.meta does not say which layout it has`)
  }
  return { historyId }
}

const UTF8 =
  'Make a database that holds every text: createdb --encoding=UTF8 --template=template0 NAME.'
const NOT_THERE =
  'Make its tables with `foreproof history init URL`, or name another schema: ?schema=NAME.'
const NOT_OURS =
  'Name a schema that `foreproof history init` has made: ?schema=NAME in the URL of the history.'
const RESET_DIGITS = 'ALTER ROLE … RESET extra_float_digits, or ALTER DATABASE …: 1 is the default.'
const RESET_PATH =
  'ALTER ROLE … RESET search_path, or ALTER DATABASE …: an operator there could hide rows.'

/** Whether a search path lets another schema shadow functions and operators of the server. */
function isShadowing(path: string): boolean {
  return path.split(',').findIndex((name) => /^\s*"?pg_catalog"?\s*$/i.test(name)) > 0
}

function invalid(shown: string, message: string, help: string): ForeproofError {
  return new ForeproofError('invalid-input', `${shown}: ${message}`, { file: shown, help })
}

function foreign(shown: string, why: string, help = NOT_OURS): ForeproofError {
  return invalid(shown, `not a forecast history: ${why}`, help)
}

/**
 * Creates the tables of a history in PostgreSQL, in one transaction.
 * @returns false if they exist already.
 * @throws {ForeproofError} if they cannot be created, or the existing ones are not a history.
 */
export async function initPostgres(url: string): Promise<boolean> {
  const address = parseAddress(url)
  const { schema, shown } = address
  const session = await openSession(address)
  const { ask } = session
  try {
    await ask('BEGIN')
    // Two commands that start at once would collide at the first table.
    await ask('SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))', [
      `foreproof init ${schema}`,
    ])
    if ((await listTables(ask, schema)).size > 0) {
      await readLayout(ask, schema, shown)
      return false
    }
    const [exists] = await ask('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema])
    if (exists === undefined) await ask(`CREATE SCHEMA ${quotedName(schema)}`)
    for (const statement of createTables(schema, randomUUID())) await ask(statement)
    await readLayout(ask, schema, shown)
    await ask('COMMIT')
    return true
  } finally {
    await session.end()
  }
}
