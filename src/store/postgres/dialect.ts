import { formatStored, formatUtc, instantOf, MICROS_PER_DAY } from '../../contract/instant.js'
import { PROVENANCE_COLUMNS } from '../../forecast/row.js'
import type { StoredKey } from '../../log/types.js'
import {
  type Asking,
  ask,
  type Dialect,
  entryColumns,
  type RowVersion,
  type ScanOrder,
  SERIES_KEY,
  type StoreTable,
  type Value,
  type Values,
} from '../dialect.js'
import { originRow } from '../rows.js'
import { listedColumns, quotedName, SERIES_TABLE_COLUMNS } from './tables.js'

const OF_PROVENANCE = ['has_provenance', ...Object.keys(PROVENANCE_COLUMNS)]

const KEY = ['origin_at', 'model', 'horizon_hours']

export const FORECAST_COLUMNS = [
  ...[...KEY, 'target_at', 'price_usd', 'change_pct', 'q10_usd', 'q50_usd', 'q90_usd'],
  ...['model_agreement', 'whole', ...OF_PROVENANCE],
]

const ATTEMPT_COLUMNS = [...KEY, 'status', 'reason', 'recorded_at', ...OF_PROVENANCE]

export const ORIGIN_COLUMNS = [
  ...['origin_at', 'generated_at', 'source_name', 'pair', 'source_price_usd'],
  ...['run_id', 'configuration_id', 'manifest_json'],
]

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
  return {
    version,
    table,
    key,
    forecasts: { columns: listedColumns(FORECAST_COLUMNS, 'p'), joins: '' },
    attempts: { columns: attempts, joins: '', plain: attempts },
    origins: { columns: origins, notes: 'o.regime, o.first_seen_at, o.last_seen_at' },
    *originsOf(names) {
      if (names.length === 0) return []
      const sql = `SELECT ${origins} FROM ${table('origins')} o WHERE o.origin_at = ANY ($1::bigint[])`
      const rows = yield* ask(sql, [names])
      const known = new Map(rows.map((values) => [values[0], originRow(MICROS, values)]))
      return names.map((name) => known.get(name))
    },
    attemptOrder: timeOrder(table('attempts')),
    model: 'model',
    added: () => 'added',
    unindexed: '',
    oneSpelling: true,
    ...MICROS,
    period: `floor(origin_at / ${MICROS_PER_DAY}.0)::bigint`,
    monthOf: (day) => formatUtc(Number(day) * MICROS_PER_DAY).slice(0, 7),
    canHold: isStorable,
    hold: (sql) => ({
      begin: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${sql}`,
      next: () => `FETCH ${FETCH_ROWS} FROM ${CURSOR}`,
      end: `CLOSE ${CURSOR}`,
    }),
    entriesOfKeys: (log, keys) =>
      firstRows(
        table('log_entries'),
        entryColumns({ key }),
        ['log', ...key, 'kind'],
        keys.map((each) => [log, ...keyColumns(each), each.kind]),
        'ORDER BY r.leaf_index',
      ),
    *textsOfKeys(name, keys) {
      const texts = yield* firstRows(table(name), 'entry', key, keys.map(keyColumns))
      return texts.map((found) => found && String(found[0]))
    },
  }
}

const INTEGERS: ReadonlySet<string> = new Set(['log', 'origin_at', 'horizon_hours', 'horizon'])

/**
 * Of each key its first row in a table that is called `p`, in the order of the keys. By LATERAL with a LIMIT each is looked
 * up in the index: a join may read a whole table that has just grown.
 * @param by - columns of the keys.
 */
export function* firstRows(
  table: string,
  columns: string,
  by: readonly string[],
  keys: readonly (readonly Value[])[],
  order = '',
): Asking<(Values | undefined)[]> {
  const arrays = by.map((name, at) => `$${at + 1}::${INTEGERS.has(name) ? 'bigint' : 'text'}[]`)
  const rows = yield* ask(
    `SELECT k.place, ${columns}
     FROM unnest(${arrays.join(', ')}) WITH ORDINALITY k (${by.map((name) => `of_${name}`).join(', ')}, place)
     CROSS JOIN LATERAL (
       SELECT * FROM ${table} r WHERE ${by.map((name) => `r.${name} = k.of_${name}`).join(' AND ')}
       ${order} LIMIT 1) p`,
    by.map((_, at) => keys.map((key) => key[at])),
  )
  const found = new Map(rows.map(([place, ...values]) => [place, values]))
  return keys.map((_, at) => found.get(at + 1))
}

/** The table of any series in the place of one of hourly rows, where there is one. */
export function tableOfSeries<T extends StoreTable>(
  name: T,
): T | keyof typeof SERIES_TABLE_COLUMNS {
  const own = `series_${name}`
  return own in SERIES_TABLE_COLUMNS ? (own as keyof typeof SERIES_TABLE_COLUMNS) : name
}

/** How the rows of a table are read in order of time. */
export function timeOrder(table: string): ScanOrder {
  return {
    from: `${table} p`,
    key: 'p.origin_at',
    keyOf: (instant) => instant,
    lowest: '-9223372036854775808',
    highest: '9223372036854775807',
    areMixed: false,
  }
}

/** An instant is stored in microseconds since 1970; what is none, put in by hand, is no timestamp to its readers. */
const MICROS: Pick<Dialect, 'instant'> = {
  instant: (micros) =>
    typeof micros !== 'number'
      ? null
      : Number.isSafeInteger(micros)
        ? formatStored(micros)
        : String(micros),
}

/** The columns of a key; null for what the tables cannot have: then they have no entry of it. */
export function keyColumns({ originAt, series, horizonHours, model }: StoredKey): Value[] {
  const held = (text: string) => (isStorable(text) ? text : null)
  if (series !== undefined) return [held(originAt), held(series), horizonHours, held(model)]
  const origin = instantOf(originAt)
  // A key that is spelt otherwise is another one to SQLite too.
  const isStored = origin !== undefined && formatStored(origin) === originAt
  return [
    isStored ? origin : null,
    Number.isSafeInteger(horizonHours) ? horizonHours : null,
    held(model),
  ]
}

/**
 * Whether PostgreSQL can hold a text: no U+0000, and no half of a surrogate pair. What it cannot hold is in no
 * row, so nothing has to be asked about it.
 */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}
