import type { RawValue } from '../../../forecast/row.js'
import type { HistoryEntry } from '../entry-types.js'
import { OWN_LOG } from '../kept-hashes.js'
import type { AppendedRows, LogKey, NewLeaf } from '../log-types.js'
import { lastLoggedNote } from '../notes.js'
import type { Database } from './driver.js'
import type { HistoryLayout } from './layout.js'

type RawKey = readonly [origin: RawValue, horizon: RawValue, model: RawValue]
type Kind = LogKey['kind']

/** What this needs of a file that is open for writing. */
export interface MissingSource {
  readonly db: Database
  readonly layout: HistoryLayout
  row(kind: Kind, key: RawKey): HistoryEntry
  has(key: LogKey): boolean
  append(leaf: NewLeaf): unknown
  note(key: string, text: string): unknown
  noted(key: string): string | undefined
}

const BATCH = 1000
const KEY = 'origin_at, horizon_hours, model_name'
const TABLES: Readonly<Record<Kind, string>> = {
  forecast: 'forecast_predictions',
  attempt: 'foreproof_attempts',
}
const KINDS = Object.keys(TABLES) as Kind[]

/** See `LogWriter.appendMissing`. */
export function appendMissing(
  source: MissingSource,
  leafOf: (row: HistoryEntry) => NewLeaf | undefined,
): AppendedRows {
  const { db } = source
  listMissing(source)
  const after = db
    .prepare<[number], readonly [at: number, kind: Kind, ...key: RawKey]>(
      `SELECT rowid, kind, ${KEY} FROM temp.foreproof_missing WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH}`,
    )
    .raw()
  let appended = 0
  let left = 0
  for (let batch = after.all(0); batch.length > 0; batch = after.all(batch.at(-1)?.[0] ?? 0)) {
    for (const [, kind, ...key] of batch) {
      const leaf = leafOf(source.row(kind, key))
      if (leaf === undefined) left++
      // A timestamp may be spelt otherwise in the row than in the key of its entry.
      else if (leaf.key === undefined || !source.has(leaf.key)) {
        source.append(leaf)
        appended++
      }
    }
  }
  db.exec('DROP TABLE temp.foreproof_missing')
  // A row that has no entry now may have one later: then all rows have to be looked at again.
  if (left === 0) for (const kind of KINDS) remember(source, kind)
  return { appended, left }
}

/** Fills a temporary table with the keys of rows that the log does not have, in the order of their entries. */
function listMissing(source: MissingSource): void {
  const { db } = source
  db.exec(`
    CREATE TEMP TABLE foreproof_missing AS
    ${KINDS.map((kind) => missingOf(source, kind)).join(' UNION ALL ')}
    ORDER BY ${KEY}, kind DESC`)
}

function missingOf(source: MissingSource, kind: Kind): string {
  const row = lastSeen(source, kind)
  return `SELECT ${KEY}, '${kind}' AS kind FROM ${TABLES[kind]} r
    WHERE ${row === undefined ? '' : `r.rowid > ${row} AND`} NOT EXISTS (
      SELECT 1 FROM foreproof_log_entries e
      WHERE +e.log = ${OWN_LOG} AND e.origin_at = r.origin_at AND e.horizon_hours = r.horizon_hours
        AND e.model_name = r.model_name AND e.kind = '${kind}')`
}

/** Rows up to this one are in the log; undefined where nobody can tell without looking at all. */
function lastSeen(source: MissingSource, kind: Kind): number | undefined {
  const noted = source.noted(lastLoggedNote(kind))
  if (noted === undefined || !hasRowIds(source, kind)) return undefined
  const [row] = JSON.parse(noted) as [number]
  return seenAt(source, kind, 'rowid = ?', row) === noted ? row : undefined
}

function remember(source: MissingSource, kind: Kind): void {
  if (!hasRowIds(source, kind)) return
  const last = seenAt(source, kind, 'rowid >= ? ORDER BY rowid DESC LIMIT 1', 0)
  if (last !== undefined) source.note(lastLoggedNote(kind), last)
}

/** A row by its place in the file, with its key: the place may have been given to another one since. */
function seenAt({ db }: MissingSource, kind: Kind, where: string, row: number): string | undefined {
  const found = db
    .prepare<[number], unknown[]>(`SELECT rowid, ${KEY} FROM ${TABLES[kind]} WHERE ${where}`)
    .raw()
    .get(row)
  return found && JSON.stringify(found)
}

function hasRowIds({ layout }: MissingSource, kind: Kind): boolean {
  return kind === 'attempt' || layout.rowIds
}
