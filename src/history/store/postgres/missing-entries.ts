import { formatStored } from '../../../contract/instant.js'
import type { HistoryEntry, StoredKey } from '../entry-types.js'
import { OWN_LOG } from '../kept-hashes.js'
import type { AppendedRows, LogKey, NewLeaf } from '../log-types.js'
import { lastLoggedNote } from '../notes.js'
import type { Ask } from './pool.js'
import { quotedName } from './tables.js'

type Kind = LogKey['kind']

/** What this needs of a writer, whose rows have all arrived in its tables. */
export interface MissingSource {
  readonly ask: Ask
  readonly schema: string
  /** What is stored under some keys, in their order. */
  rows(keys: readonly StoredKey[]): Promise<HistoryEntry[]>
  has(key: LogKey): Promise<boolean>
  append(leaf: NewLeaf): Promise<unknown>
  note(key: string, text: string): Promise<void>
  noted(key: string): Promise<string | undefined>
}

const BATCH = 1000
const KEY = 'origin_at, horizon_hours, model'
const TABLES: Readonly<Record<Kind, string>> = { forecast: 'forecasts', attempt: 'attempts' }
const KINDS = Object.keys(TABLES) as Kind[]

/** See `LogWriter.appendMissing`. */
export async function appendMissing(
  source: MissingSource,
  leafOf: (row: HistoryEntry) => NewLeaf | undefined,
): Promise<AppendedRows> {
  let appended = 0
  let left = 0
  for await (const missing of missingKeys(source)) {
    const entries = await source.rows(missing)
    for (const [at, key] of missing.entries()) {
      const { forecast, attempt } = entries[at] as HistoryEntry
      const isForecast = key.kind === 'forecast'
      const leaf = leafOf({
        forecast: isForecast ? forecast : undefined,
        attempt: isForecast ? undefined : attempt,
      })
      if (leaf === undefined) left++
      else if (leaf.key === undefined || isSame(leaf.key, key) || !(await source.has(leaf.key))) {
        await source.append(leaf)
        appended++
      }
    }
  }
  // A row that has no entry now may have one later: then all rows have to be looked at again.
  if (left === 0) for (const kind of KINDS) await remember(source, kind)
  return { appended, left }
}

/** Keys of rows that the log does not have, in the order of their entries; in batches. */
async function* missingKeys(source: MissingSource): AsyncGenerator<LogKey[]> {
  const { ask } = source
  const selects: string[] = []
  for (const kind of KINDS) selects.push(missingOf(source, kind, await lastSeen(source, kind)))
  await ask(
    `DECLARE missing_entries NO SCROLL CURSOR FOR
     ${selects.join(' UNION ALL ')} ORDER BY ${KEY}, kind DESC`,
  )
  for (;;) {
    const rows = await ask(`FETCH ${BATCH} FROM missing_entries`)
    if (rows.length === 0) break
    yield rows.map(([origin, horizon, model, kind]) => ({
      kind: kind === 'attempt' ? 'attempt' : 'forecast',
      originAt: formatStored(Number(origin)),
      horizonHours: Number(horizon),
      model: String(model),
    }))
  }
  await ask('CLOSE missing_entries')
}

function missingOf({ schema }: MissingSource, kind: Kind, after: number): string {
  return `SELECT ${KEY}, '${kind}' COLLATE "C" AS kind FROM ${quotedName(schema)}.${TABLES[kind]} r
    WHERE r.added > ${after} AND NOT EXISTS (
      SELECT 1 FROM ${quotedName(schema)}.log_entries e
      WHERE e.log = ${OWN_LOG} AND e.origin_at = r.origin_at AND e.horizon_hours = r.horizon_hours
        AND e.model = r.model AND e.kind = '${kind}')`
}

/** Rows that were added up to this one are in the log; none of them where nobody can tell. */
async function lastSeen(source: MissingSource, kind: Kind): Promise<number> {
  const noted = await source.noted(lastLoggedNote(kind))
  if (noted === undefined) return Number.MIN_SAFE_INTEGER
  const added = Number(/^\[(-?\d{1,16}),/.exec(noted)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(added)) return Number.MIN_SAFE_INTEGER
  const there = await seenAt(source, kind, 'WHERE added = $1', [added])
  return there === noted ? added : Number.MIN_SAFE_INTEGER
}

async function remember(source: MissingSource, kind: Kind): Promise<void> {
  const last = await seenAt(source, kind, 'ORDER BY added DESC LIMIT 1', [])
  if (last !== undefined) await source.note(lastLoggedNote(kind), last)
}

/** A row by its place in the order of writing, with its key. */
async function seenAt(
  { ask, schema }: MissingSource,
  kind: Kind,
  where: string,
  values: readonly unknown[],
): Promise<string | undefined> {
  const [row] = await ask(
    `SELECT added, ${KEY} FROM ${quotedName(schema)}.${TABLES[kind]} ${where}`,
    values,
  )
  return row && JSON.stringify(row)
}

function isSame(a: LogKey, b: LogKey): boolean {
  return (
    a.kind === b.kind &&
    a.originAt === b.originAt &&
    a.horizonHours === b.horizonHours &&
    a.model === b.model
  )
}
