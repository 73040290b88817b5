import { ForeproofError } from '../contract/error.js'
import { objectIn } from '../contract/is-object.js'
import { compareText } from '../contract/order.js'
import type { SeriesAttempt, SeriesForecast } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import { isSeriesAttempt, type SeriesRow, seriesPairing } from '../forecast/series-row.js'
import type { LogKey, StoredKey } from '../log/log-entry.js'
import {
  type Dialect,
  queryRows,
  queryValue,
  ROW_TABLES,
  type SqlTask,
  seriesValues,
} from './dialect.js'
import type { OnStored, RowVersion, SeriesEntry, SeriesRange } from './history-reader.js'
import { RefusedRow } from './history-writer.js'
import type { LogTarget } from './log-writer.js'
import type { HistorySnapshot } from './snapshot.js'

/** Size of the cache of rows. With it, looking a row up and then adding it costs one query. */
const MAX_CACHED = 8192

/** The rows of any series within the transactions of a writer. */
export class SeriesRows {
  readonly #seen = new Map<string, string | undefined>()

  constructor(private readonly target: LogTarget) {}

  /** Call this when a transaction begins, and when added rows may have been rolled back. */
  clear(): void {
    this.#seen.clear()
  }

  /** Fetches the rows of some keys, of both kinds. */
  *learn(keys: readonly StoredKey[]): SqlTask<void> {
    if (this.#seen.size > MAX_CACHED) this.clear()
    for (const kind of ['forecast', 'attempt'] as const) {
      const { dialect } = this.target
      const rows = yield* dialect.firstRows({
        table: dialect.table(ROW_TABLES[kind]),
        columns: 'entry',
        by: dialect.key,
        keys: keys.map(dialect.keyColumns),
      })
      for (const [at, key] of keys.entries()) {
        const text = rows[at]?.[0]
        this.#seen.set(keyText({ ...key, kind }), text === undefined ? text : String(text))
      }
    }
  }

  *text(key: LogKey): SqlTask<string | undefined> {
    const name = keyText(key)
    if (!this.#seen.has(name)) yield* this.learn([key])
    return this.#seen.get(name)
  }

  *add({ key, entry }: SeriesEntry): SqlTask<void> {
    if ((yield* this.text(key)) !== undefined) throw new RefusedRow('it is there')
    const asked = this.target.add(ROW_TABLES[key.kind], [...seriesValues(key), entry])
    if (asked !== undefined) yield asked
    this.#seen.set(keyText(key), entry)
  }

  /** The stored rows of some keys, in their order. */
  *stored(keys: readonly LogKey[]): SqlTask<SeriesEntry[]> {
    this.clear()
    yield* this.learn(keys)
    return keys.map((key) => ({ key, entry: this.#seen.get(keyText(key)) ?? '' }))
  }
}

function keyText({ kind, ...key }: LogKey): string {
  return JSON.stringify([kind, ...seriesValues(key)])
}

/** See `HistoryReader.seriesEntries`. */
export async function* seriesEntries(
  { dialect, rows }: HistorySnapshot,
  among?: SeriesRange,
): AsyncGenerator<readonly SeriesEntry[], void, undefined> {
  if (dialect.version === 1) return
  const key = dialect.key.join(', ')
  const where = among === undefined ? '' : 'WHERE series = $1 AND origin >= $2 AND origin <= $3'
  const [attempts, forecasts] = (['attempt', 'forecast'] as const).map(
    (kind) =>
      `SELECT ${key}, '${kind}' AS kind, entry FROM ${dialect.table(ROW_TABLES[kind])} ${where}`,
  )
  const sql = `${attempts} UNION ALL ${forecasts} ORDER BY ${key}, kind`
  const values = among === undefined ? [] : [among.series, among.from, among.to]
  for await (const batch of rows({ sql, values })) {
    yield batch.map((columns) => entryIn(columns as EntryColumns))
  }
}

type EntryColumns = [
  series: string,
  originAt: string,
  horizonHours: number,
  model: string,
  kind: LogKey['kind'],
  entry: string,
]

const entryIn = ([
  series,
  originAt,
  horizonHours,
  model,
  kind,
  entry,
]: EntryColumns): SeriesEntry => ({
  key: { kind, series, originAt, horizonHours, model },
  entry,
})

/** The rows of one series; `from` and `to` as of `SeriesRange`. */
export type ReadRange = (from: string, to: string) => AsyncIterable<readonly SeriesEntry[]>

/** Each series with rows, ordered by code point. */
export async function* eachSeries(snapshot: HistorySnapshot): AsyncGenerator<ReadRange> {
  const { dialect, rows } = snapshot
  if (dialect.version === 1) return
  const [attempts, forecasts] = (['attempt', 'forecast'] as const).map(
    (kind) => `SELECT series FROM ${dialect.table(ROW_TABLES[kind])}`,
  )
  const names: string[] = []
  const sql = `${attempts} UNION ${forecasts} ORDER BY 1`
  for await (const batch of rows({ sql, values: [] })) {
    names.push(...batch.map(([series]) => String(series)))
  }
  for (const series of names) yield (from, to) => seriesEntries(snapshot, { series, from, to })
}

/** The key of a row of any series. */
export function seriesKey(row: SeriesRow): LogKey {
  const { series, origin: originAt, horizon: horizonHours, model } = row
  const kind = isSeriesAttempt(row) ? 'attempt' : 'forecast'
  return { kind, series, originAt, horizonHours, model }
}

/**
 * See `HistoryReader.seriesRows`.
 * @param all - of each series by code point its rows, as `HistoryReader.seriesEntries` has them.
 * @param shown - what messages call the history.
 */
export async function* scanSeriesRows(
  all: AsyncIterable<ReadRange>,
  origins: readonly string[],
  shown: string,
  onStored: OnStored = () => undefined,
): AsyncGenerator<readonly PairingRow[], void, undefined> {
  const runs = ascendingRuns(origins).map(createRowFilter)
  // Labels that do not ascend need another pass, because an export is ordered by text.
  const inOrder = runs.length > 1 ? [createRowFilter([...origins].sort(compareText))] : []
  const pairing = seriesPairing()
  for await (const among of all) {
    for (const asked of inOrder) {
      for await (const entries of asked(among)) onStored(entries)
    }
    for (const asked of runs) {
      let attempt: { readonly key: StoredKey; readonly row: SeriesAttempt } | undefined
      for await (const entries of asked(among)) {
        if (runs.length === 1) onStored(entries)
        const rows: PairingRow[] = []
        for (const each of entries) {
          const row = parseSeriesRow(each, shown)
          const attemptRow = attempt && isSameKey(attempt.key, each.key) ? attempt.row : undefined
          if (attempt !== undefined && attemptRow === undefined)
            rows.push(pairing(undefined, attempt.row))
          attempt = undefined
          if (each.key.kind === 'attempt') attempt = { key: each.key, row: row as SeriesAttempt }
          else rows.push(pairing(row as SeriesForecast, attemptRow))
        }
        yield rows
      }
      if (attempt !== undefined) yield [pairing(undefined, attempt.row)]
    }
  }
}

const isSameKey = (a: StoredKey, b: StoredKey): boolean =>
  a.series === b.series &&
  a.originAt === b.originAt &&
  a.horizonHours === b.horizonHours &&
  a.model === b.model

/** Reads the rows of some origins of a series; their labels must ascend. */
function createRowFilter(labels: readonly string[]) {
  const asked = new Set(labels)
  const [from = '', to = ''] = [labels[0], labels.at(-1)]
  return async function* (among: ReadRange) {
    for await (const entries of among(from, to)) {
      yield entries.filter(({ key }) => asked.has(key.originAt))
    }
  }
}

/**
 * Splits texts into runs that ascend by code point. Most lists have ascending labels, so there is one run.
 */
function ascendingRuns(texts: readonly string[]): string[][] {
  const runs: string[][] = []
  for (const text of texts) {
    const run = runs.at(-1)
    if (run !== undefined && compareText(run.at(-1) as string, text) < 0) run.push(text)
    else runs.push([text])
  }
  return runs
}

/**
 * @param shown - the name of the history in messages. @throws {ForeproofError} `invalid-input` at a text that is not a
 * row.
 */
export function parseSeriesRow(entry: SeriesEntry, shown: string): SeriesRow {
  const row = rowIn(entry)
  if (row !== undefined) return row
  const message = `${shown}: the row of ${seriesValues(entry.key).join(', ')} is not JSON`
  const help = '`foreproof history verify` names what is wrong in every row.'
  throw new ForeproofError('invalid-input', message, { file: shown, help })
}

/**
 * Turns an empty history into one of version 2. Log entries without a key (registrations) stay.
 * @param dialect - of version 1.
 * @param tables - SQL that creates the tables for any series and moves the log entries.
 * @throws {ForeproofError} `invalid-input` if the history has rows.
 */
export function* migrateToSeries(
  dialect: Dialect,
  tables: readonly string[],
  shown: string,
): SqlTask<void> {
  for (const table of ['forecasts', 'attempts', 'origins'] as const) {
    const row = yield* queryValue(`SELECT 1 FROM ${dialect.table(table)} LIMIT 1`)
    if (row !== undefined) throw versionError(1, shown)
  }
  const entries = dialect.table('log_entries')
  const row = yield* queryValue(`SELECT 1 FROM ${entries} WHERE kind IS NOT NULL LIMIT 1`)
  if (row !== undefined) throw versionError(1, shown)
  for (const sql of tables) yield* queryRows(sql)
}

/** SQL that moves the log entries to another table, whose key columns differ. */
export function moveEntriesSql(from: string, to: string): string[] {
  const columns = 'leaf_index, leaf_hash'
  return [`INSERT INTO ${to} (${columns}) SELECT ${columns} FROM ${from}`, `DELETE FROM ${from}`]
}

/**
 * The error for rows of the other version: a history has rows of one version.
 * @param version - of its rows.
 */
export function versionError(version: RowVersion, shown: string, help?: string): ForeproofError {
  const [message, toImport] =
    version === 1
      ? [
          'it holds hourly forecasts (protocols of version 1)',
          'Forecasts of any series, imported with --protocol, need a history of their own.',
        ]
      : [
          'it holds forecasts of any series (protocols of version 2)',
          'Name the protocol that they are made under: --protocol FILE. Hourly forecasts of version 1 need a history of their own.',
        ]
  return new ForeproofError('invalid-input', `${shown}: ${message}`, {
    file: shown,
    help: help ?? toImport,
  })
}

/** Undefined if the text is not a JSON object. */
export const rowIn = ({ entry }: SeriesEntry) => objectIn(entry) as SeriesRow | undefined
