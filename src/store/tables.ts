import { SERIES_KEY } from './dialect.js'

/** The columns of a table with their PostgreSQL types. */
export type Columns = Readonly<Record<string, string>>

export const META = { key: 'text PRIMARY KEY', value: 'text NOT NULL' } as const

const OF_ENTRY = {
  leaf_index: 'bigint NOT NULL',
  leaf_hash: 'bytea NOT NULL CHECK (length(leaf_hash) = 32)',
} as const
const KIND = { kind: "text CHECK (kind IN ('forecast', 'attempt'))" } as const
const SIZE = { size: 'bigint NOT NULL' } as const

/**
 * The tables of the log: its entries, and the hashes of complete subtrees of 256^n leaves. Any other hash is computed
 * from at most 128 of these.
 * @param key - the key columns of an hourly row.
 */
export function logTables<Key extends Columns>(key: Key) {
  return {
    log_entries: { ...OF_ENTRY, ...key, ...KIND },
    log_subtrees: {
      level: 'integer NOT NULL',
      subtree_index: 'bigint NOT NULL',
      hash: 'bytea NOT NULL CHECK (length(hash) = 32)',
    },
    log_checkpoints: { ...SIZE, note: 'text NOT NULL' },
    log_stamps: { ...SIZE, authority: 'text NOT NULL', token: 'bytea NOT NULL' },
  } as const
}

/** A row of any series: its key and the text of its log entry. */
export const SERIES_ROW = {
  series: 'text NOT NULL',
  origin: 'text NOT NULL',
  horizon: 'bigint NOT NULL',
  model: 'text NOT NULL',
  entry: 'text NOT NULL',
} as const

/** The entries of a log of such rows. */
export const SERIES_LOG_ENTRIES = {
  ...OF_ENTRY,
  series: 'text',
  origin: 'text',
  horizon: 'bigint',
  model: 'text',
  ...KIND,
} as const

/** The primary keys of these tables. */
export const PRIMARY_KEYS = {
  log_entries: 'leaf_index',
  log_subtrees: 'level, subtree_index',
  log_checkpoints: 'size',
  log_stamps: 'size, authority',
  series_forecasts: SERIES_KEY.join(', '),
  series_attempts: SERIES_KEY.join(', '),
  series_log_entries: 'leaf_index',
} as const
