import type { ForeproofError } from '../../contract/error.js'
import type { RowVersion } from '../history-reader.js'
import { DamagedLog } from '../logs.js'
import type { Database } from './driver.js'
import { invalidFileError, notAHistoryError } from './faults.js'
import { LAYOUT_VERSION, OWN_COLUMNS, TABLE_KEYS } from './tables.js'

const ORIGINS = 'forecast_origins'
const PREDICTIONS = 'forecast_predictions'

/** Required columns; an old file may lack any other. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  [ORIGINS]: ['origin_at', 'source_price_usd'],
  [PREDICTIONS]: [
    ...['origin_at', 'model_name', 'horizon_hours', 'target_at'],
    ...['predicted_price_usd', 'predicted_change_pct'],
  ],
}

/** The tables and columns of a history file; read once per opening. */
export interface HistoryLayout {
  readonly origins: ReadonlySet<string>
  readonly predictions: ReadonlySet<string>
  /** Those of foreproof's own tables that exist; a file written only by a producer has none. */
  readonly ownColumns: ReadonlySet<string>
  /** How SQLite stores texts: UTF-8, UTF-16le or UTF-16be. */
  readonly encoding: string
  /** The version of the protocols of its rows. */
  readonly version: RowVersion
  /** Whether it has an index in reading order, under any name, and one for each filter. */
  readonly orderingIndex: boolean
  readonly modelIndex: boolean
  readonly horizonIndex: boolean
}

/**
 * Reads the layout of an open database.
 * @throws {ForeproofError} `invalid-input` if it is not a forecast history, or comes from a newer foreproof.
 */
export function readLayout(db: Database, file: string): HistoryLayout {
  const named = (type: string) =>
    new Set(db.prepare('SELECT name FROM sqlite_master WHERE type = ?').pluck().all(type))
  const [tables, views] = [named('table'), named('view')]
  const view = [...Object.keys(REQUIRED), ...Object.keys(OWN_COLUMNS)].find((table) =>
    views.has(table),
  )
  if (view !== undefined) throw foreign(file, `${view} is a view, where a table is needed`)
  const missing = Object.keys(REQUIRED).find((table) => !tables.has(table))
  if (missing !== undefined) throw foreign(file, `the table ${missing} is missing`)
  for (const [table, required] of Object.entries(REQUIRED)) {
    const columns = listColumns(db, table)
    const absent = required.filter((column) => !columns.has(column))
    if (absent.length > 0) throw foreign(file, `table ${table} has no column ${absent.join(', ')}`)
  }
  for (const [table, key] of Object.entries(TABLE_KEYS)) {
    if (isUnique(db, table, key)) continue
    throw foreign(file, `table ${table} has no unique key of ${key.join(', ')}`)
  }
  if (!hasRowIds(db, PREDICTIONS)) throw foreign(file, `table ${PREDICTIONS} has no row ids`)
  if (tables.has('foreproof_meta')) assertSupportedVersion(db, file)
  assertCompleteLog(db, tables)
  const indices = indexKeys(db, PREDICTIONS)
  const ownTables = new Set(Object.keys(OWN_COLUMNS).filter((table) => tables.has(table)))
  const hasIndex = (key: string) => indices.includes(key)
  return {
    origins: listColumns(db, ORIGINS),
    predictions: listColumns(db, PREDICTIONS),
    encoding: String(db.pragma('encoding', { simple: true })),
    ownColumns: ownTables,
    version: ownTables.has('foreproof_series_forecasts') ? 2 : 1,
    orderingIndex: hasIndex('origin_at desc,horizon_hours,model_name'),
    modelIndex: hasIndex('model_name,origin_at desc,horizon_hours'),
    horizonIndex: hasIndex('horizon_hours,origin_at desc,model_name'),
  }
}

/** @throws {DamagedLog} if only some tables of a log exist. */
function assertCompleteLog(db: Database, tables: ReadonlySet<unknown>): void {
  const logTables = Object.entries(OWN_COLUMNS).filter(([table]) => /^foreproof_log/.test(table))
  if (!logTables.some(([table]) => tables.has(table))) return
  for (const [table, required] of logTables) {
    const columns = listColumns(db, table)
    const absent = required.filter((column) => !columns.has(column))
    if (columns.size === 0) throw new DamagedLog(`the table ${table} is missing`)
    if (absent.length > 0) throw new DamagedLog(`table ${table} has no column ${absent.join(', ')}`)
  }
}

function listColumns(db: Database, table: string): Set<string> {
  return new Set(
    db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck().all(table),
  )
}

function assertSupportedVersion(db: Database, file: string): void {
  const stored = db
    .prepare("SELECT value FROM foreproof_meta WHERE key = 'layout_version'")
    .pluck()
    .get()
  const version = Number(stored)
  if (Number.isInteger(version) && version >= 1 && version <= LAYOUT_VERSION) return
  const layouts = `layout ${String(stored)}; this one knows ${LAYOUT_VERSION}`
  const help = 'Update foreproof, or name a file of this version.'
  throw invalidFileError(file, `written by a newer foreproof (${layouts})`, help)
}

/** Whether a primary key or unique index has exactly these columns, in any order. */
function isUnique(db: Database, table: string, columns: readonly string[]): boolean {
  const indexColumns = db.prepare<[string], string>('SELECT name FROM pragma_index_info(?)').pluck()
  const wanted = [...columns].sort().join()
  return db
    .prepare<[string], string>(
      'SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0',
    )
    .pluck()
    .all(table)
    .some((index) => indexColumns.all(index).sort().join() === wanted)
}

/** The first three columns of each index over all rows of a table, with their directions. */
function indexKeys(db: Database, table: string): string[] {
  const names = db
    .prepare<[string], string>('SELECT name FROM pragma_index_list(?) WHERE partial = 0')
    .pluck()
    .all(table)
  const columns = db
    .prepare<[string], string>(
      `SELECT name || CASE "desc" WHEN 1 THEN ' desc' ELSE '' END
       FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno LIMIT 3`,
    )
    .pluck()
  return names.map((name) => columns.all(name).join())
}

function hasRowIds(db: Database, table: string): boolean {
  try {
    db.prepare(`SELECT rowid FROM ${table} LIMIT 1`)
    return true
  } catch {
    // A table WITHOUT ROWID.
    return false
  }
}

function foreign(file: string, why: string): ForeproofError {
  return notAHistoryError(file, `not a forecast history: ${why}`)
}
