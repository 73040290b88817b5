import { OWN_LOG } from '../kept-hashes.js'

/**
 * Logs, their entries, and the hashes of their whole subtrees of 256^n leaves: any other hash is made
 * of at most 128 of those.
 */
export const LOG_TABLES = `
  CREATE TABLE IF NOT EXISTS foreproof_logs (log INTEGER PRIMARY KEY, name TEXT UNIQUE);
  INSERT OR IGNORE INTO foreproof_logs VALUES (${OWN_LOG}, NULL);
  CREATE TABLE IF NOT EXISTS foreproof_log_entries (
    log INTEGER NOT NULL,
    leaf_index INTEGER NOT NULL,
    leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
    origin_at TEXT,
    horizon_hours INTEGER,
    model_name TEXT,
    kind TEXT CHECK (kind IN ('forecast', 'attempt')),
    PRIMARY KEY (log, leaf_index)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS foreproof_log_subtrees (
    log INTEGER NOT NULL,
    level INTEGER NOT NULL,
    subtree_index INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (log, level, subtree_index)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS foreproof_log_checkpoints (
    log INTEGER NOT NULL,
    size INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (log, size)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS foreproof_log_stamps (
    log INTEGER NOT NULL,
    size INTEGER NOT NULL,
    authority TEXT NOT NULL,
    token BLOB NOT NULL,
    PRIMARY KEY (log, size, authority)
  );`

/** The columns of each of these tables: a history has all of them or no log. */
export const LOG_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  foreproof_logs: ['log', 'name'],
  foreproof_log_entries: [
    'log',
    'leaf_index',
    'leaf_hash',
    'origin_at',
    'horizon_hours',
    'model_name',
    'kind',
  ],
  foreproof_log_subtrees: ['log', 'level', 'subtree_index', 'hash'],
  foreproof_log_checkpoints: ['log', 'size', 'note'],
  foreproof_log_stamps: ['log', 'size', 'authority', 'token'],
}

/** Finds an entry by its key, and walks a log in the order of the rows. A mirrored log may have a key twice. */
export const LOG_KEY_INDEX = `
  CREATE INDEX IF NOT EXISTS foreproof_log_entries_by_key
  ON foreproof_log_entries (origin_at, horizon_hours, model_name, kind, log);`
