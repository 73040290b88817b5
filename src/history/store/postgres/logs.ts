import { formatStored, instantOf } from '../../../contract/instant.js'
import {
  BEFORE_ALL,
  DamagedLog,
  damagedLog,
  isHash,
  keptFor,
  MOST_ENTRIES,
  missingHashes,
  NO_LOG,
  namelessLog,
  OWN_LOG,
  soundHash,
  unlistedLog,
} from '../kept-hashes.js'
import type {
  CheckpointStamp,
  LogEntry,
  LogKey,
  StoredCheckpoint,
  StoredLog,
} from '../log-types.js'
import type { Ask, Values } from './pool.js'
import { isStorable, listedColumns, storedInstant } from './rows.js'
import { quotedName } from './tables.js'

/** In the order that `logEntryOf` expects. */
export const ENTRY_COLUMNS = 'leaf_index, leaf_hash, origin_at, horizon_hours, model, kind'

/** What is asked about the logs of a history, by whoever reads or writes it. */
export type Logs = ReturnType<typeof readLogs>

export function readLogs(ask: Ask, schema: string) {
  const table = (name: string) => `${quotedName(schema)}.${name}`
  const one = async (sql: string, values: readonly unknown[]) => (await ask(sql, values))[0]?.[0]

  /** Undefined for a name that no log has. */
  const number = async (log: string | undefined): Promise<number | undefined> => {
    if (log === undefined) return OWN_LOG
    if (!isStorable(log)) return undefined
    const found = await one(`SELECT log FROM ${table('logs')} WHERE name = $1`, [log])
    return found === undefined ? undefined : Number(found)
  }
  const sizeOf = async (at: number): Promise<number> => {
    const last = await one(
      `SELECT leaf_index FROM ${table('log_entries')} WHERE log = $1 ORDER BY leaf_index DESC LIMIT 1`,
      [at],
    )
    const size = Number(last ?? -1) + 1
    if (size <= MOST_ENTRIES) return size
    throw new DamagedLog(`it says to have ${size} entries`)
  }
  /** See `LogReader.entriesOfKeys`. LATERAL looks each key up in the index. */
  const entriesOfKeys = async (
    keys: readonly LogKey[],
    log: string | undefined,
  ): Promise<(LogEntry | undefined)[]> => {
    const asked = keys.map(keyColumns)
    const rows = await ask(
      `SELECT k.place, ${listedColumns(ENTRY_COLUMNS.split(', '), 'e')}
       FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[])
         WITH ORDINALITY k (origin_at, horizon_hours, model, kind, place)
       CROSS JOIN LATERAL (
         SELECT * FROM ${table('log_entries')} l
         WHERE l.log = $1 AND l.origin_at = k.origin_at AND l.horizon_hours = k.horizon_hours
           AND l.model = k.model AND l.kind = k.kind
         ORDER BY l.leaf_index LIMIT 1) e`,
      [(await number(log)) ?? NO_LOG, ...[0, 1, 2, 3].map((at) => asked.map((key) => key[at]))],
    )
    const entries = new Map(rows.map(([place, ...values]) => [place, logEntryOf(values)]))
    return keys.map((_, at) => entries.get(at + 1))
  }
  /** The kept hashes of a level from index `from` to `to`, not included. */
  const kept = async (at: number, level: number, from: number, to: number) => {
    const rows =
      level === 0
        ? await ask(
            `SELECT leaf_hash FROM ${table('log_entries')}
             WHERE log = $1 AND leaf_index >= $2 AND leaf_index < $3 ORDER BY leaf_index`,
            [at, from, to],
          )
        : await ask(
            `SELECT hash FROM ${table('log_subtrees')}
             WHERE log = $1 AND level = $2 AND subtree_index >= $3 AND subtree_index < $4
             ORDER BY subtree_index`,
            [at, level, from, to],
          )
    if (rows.length !== to - from) throw missingHashes(await sizeOf(at), level, from, to)
    return rows.map(([hash]) => soundHash(hash))
  }
  /** See `LogReader.logHashes`. */
  const hashes = async (level: number, from: number, to: number, log: string | undefined) => {
    const below = keptFor(level, from, to)
    const at = (await number(log)) ?? NO_LOG
    return below.made(await kept(at, below.level, below.from, below.to))
  }
  const checkpointOf = async (at: number, size: number): Promise<StoredCheckpoint | undefined> => {
    const note = await one(
      `SELECT note FROM ${table('log_checkpoints')} WHERE log = $1 AND size = $2`,
      [at, size],
    )
    if (note === undefined) return undefined
    const stamps = await ask(
      `SELECT authority, token FROM ${table('log_stamps')}
       WHERE log = $1 AND size = $2 ORDER BY authority`,
      [at, size],
    )
    return { size, note: String(note), stamps: stamps.map(stampOf) }
  }
  /** Size of the newest checkpoint. */
  const sealed = async (at: number): Promise<number | undefined> => {
    const size = await one(`SELECT max(size) FROM ${table('log_checkpoints')} WHERE log = $1`, [at])
    return typeof size === 'number' ? size : undefined
  }
  /** A log that is not in the list of logs would be looked at by nobody. */
  const demandListed = async (listed: readonly number[]): Promise<void> => {
    for (const name of ['log_entries', 'log_checkpoints']) {
      const next = `SELECT log FROM ${table(name)} WHERE log > $1 ORDER BY log LIMIT 1`
      let at = await one(next, [BEFORE_ALL])
      while (typeof at === 'number') {
        if (!listed.includes(at)) throw unlistedLog(at)
        at = await one(next, [at])
      }
    }
  }
  return {
    number,
    sizeOf,
    size: async (log: string | undefined): Promise<number> => sizeOf((await number(log)) ?? NO_LOG),
    entry: async (key: LogKey, log: string | undefined): Promise<LogEntry | undefined> =>
      (await entriesOfKeys([key], log))[0],
    entriesOfKeys,
    hashes,
    kept,
    /** See `LogReader.keptHashes`. */
    keptHashes: async (log: string | undefined): Promise<number> =>
      Number(
        await one(`SELECT count(*) FROM ${table('log_subtrees')} WHERE log = $1`, [
          (await number(log)) ?? NO_LOG,
        ]),
      ),
    /** See `LogState.logHash`. */
    hash: async (level: number, index: number, log: string | undefined): Promise<Uint8Array> =>
      (await hashes(level, index, index + 1, log))[0] as Uint8Array,
    checkpointOf,
    async newestCheckpoint(log: string | undefined): Promise<StoredCheckpoint | undefined> {
      const at = (await number(log)) ?? NO_LOG
      return await checkpointOf(at, (await sealed(at)) ?? -1)
    },
    async all(): Promise<StoredLog[]> {
      const names = await ask(
        `SELECT log, name FROM ${table('logs')} ORDER BY log <> ${OWN_LOG}, name`,
      )
      const logs: StoredLog[] = []
      await demandListed(names.map(([at]) => Number(at)))
      for (const [at, name] of names) {
        // In this order: whatever is written meanwhile, no checkpoint has more entries than were counted.
        const newest = await sealed(Number(at))
        const size = await sizeOf(Number(at))
        const own = at === OWN_LOG
        if (own && name === null && size === 0) continue
        if (!own && name === null) throw namelessLog(Number(at))
        const named = typeof name === 'string' ? name : undefined
        logs.push({ name: named, own, size, sealed: newest })
      }
      return logs
    },
  }
}

/** The columns of a key; null for what the tables cannot have: then they have no entry of it. */
function keyColumns({ originAt, horizonHours, model, kind }: LogKey) {
  const origin = instantOf(originAt)
  // A key that is spelt otherwise is another one to SQLite too.
  const isStored = origin !== undefined && formatStored(origin) === originAt
  return [
    isStored ? origin : null,
    Number.isSafeInteger(horizonHours) ? horizonHours : null,
    isStorable(model) ? model : null,
    kind,
  ]
}

export function logEntryOf(values: Values): LogEntry {
  const [index, leaf, originAt, horizonHours, model, kind] = values
  if (!isHash(leaf)) throw new DamagedLog(`entry ${index} has no hash`)
  const key =
    typeof originAt === 'number' &&
    typeof horizonHours === 'number' &&
    typeof model === 'string' &&
    (kind === 'forecast' || kind === 'attempt')
      ? { kind, originAt: storedInstant(originAt), model, horizonHours }
      : undefined
  return { index: Number(index), leaf, key } as LogEntry
}

function stampOf([authority, token]: Values): CheckpointStamp {
  return { authority: String(authority), token: token as Uint8Array }
}

/** Tells of a log that is damaged as of any other input. */
export async function explained<T>(told: Promise<T>, shown: string): Promise<T> {
  try {
    return await told
  } catch (cause) {
    throw cause instanceof DamagedLog ? damagedLog(cause, shown) : cause
  }
}
