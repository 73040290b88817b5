import { PROVENANCE_COLUMNS } from '../../forecast/row.js'
import { SERIES_KEY } from '../dialect.js'
import { OWN_LOG } from '../logs.js'
import { movedEntries } from '../series-rows.js'

/** Version of foreproof's own tables; a larger number in a file means a newer foreproof wrote it. */
export const LAYOUT_VERSION = 1

const ORDERING_INDEX = 'forecast_predictions_reading_order'

/** The tables of a history that foreproof creates; the format is the producers'. */
export const HISTORY_TABLES = `
  CREATE TABLE forecast_origins (
    origin_at TEXT PRIMARY KEY,
    generated_at TEXT,
    source_name TEXT,
    pair TEXT,
    source_price_usd REAL NOT NULL,
    regime TEXT,
    market_features_json TEXT NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    experiment_run_id TEXT,
    configuration_id TEXT,
    experiment_manifest_json TEXT
  );
  CREATE TABLE forecast_predictions (
    origin_at TEXT NOT NULL REFERENCES forecast_origins (origin_at),
    model_name TEXT NOT NULL,
    horizon_hours INTEGER NOT NULL CHECK (horizon_hours > 0),
    target_at TEXT NOT NULL,
    predicted_price_usd REAL NOT NULL,
    predicted_change_pct REAL NOT NULL,
    q10_usd REAL,
    q50_usd REAL,
    q90_usd REAL,
    model_agreement REAL,
    PRIMARY KEY (origin_at, model_name, horizon_hours)
  );`

/** The index of the reading order. */
export const READING_ORDER_INDEX = `
  CREATE INDEX ${ORDERING_INDEX}
  ON forecast_predictions (origin_at DESC, horizon_hours ASC, model_name ASC);`

/** Indices by which filters find their rows; only tables that foreproof has made get them. */
export const FILTER_INDEXES = `
  CREATE INDEX IF NOT EXISTS forecast_predictions_by_model
  ON forecast_predictions (model_name, origin_at DESC, horizon_hours);
  CREATE INDEX IF NOT EXISTS forecast_predictions_by_horizon
  ON forecast_predictions (horizon_hours, origin_at DESC, model_name);
  CREATE INDEX IF NOT EXISTS forecast_origins_by_run
  ON forecast_origins (experiment_run_id, origin_at);`

const KEY = `
    origin_at TEXT NOT NULL,
    model_name TEXT NOT NULL,
    horizon_hours INTEGER NOT NULL CHECK (horizon_hours > 0)`

/** foreproof's own tables, beside the producers' and with the same key. */
export const OWN_TABLES = `
  CREATE TABLE IF NOT EXISTS foreproof_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  INSERT OR IGNORE INTO foreproof_meta VALUES ('layout_version', '${LAYOUT_VERSION}');
  CREATE TABLE IF NOT EXISTS foreproof_attempts (${KEY},
    status TEXT NOT NULL CHECK (status IN ('failed', 'abstained')),
    reason TEXT NOT NULL,
    recorded_at TEXT,
    PRIMARY KEY (origin_at, model_name, horizon_hours)
  );
  CREATE TABLE IF NOT EXISTS foreproof_provenance (${KEY},
    input_available_at TEXT,
    selection_data_through TEXT,
    vintage_id TEXT,
    vintage_sha256 TEXT,
    PRIMARY KEY (origin_at, model_name, horizon_hours)
  );
  CREATE TABLE IF NOT EXISTS foreproof_resources (${KEY},
    run_id TEXT,
    resource_json TEXT NOT NULL,
    PRIMARY KEY (origin_at, model_name, horizon_hours)
  );
  CREATE INDEX IF NOT EXISTS foreproof_resources_by_run
  ON foreproof_resources (run_id, origin_at);`

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

/** Finds an entry by its key, and walks a log in the order of the rows. A mirrored log may have a key twice. */
export const LOG_KEY_INDEX = `
  CREATE INDEX IF NOT EXISTS foreproof_log_entries_by_key
  ON foreproof_log_entries (origin_at, horizon_hours, model_name, kind, log);`

const SERIES_COLUMNS = `
    origin TEXT NOT NULL,
    series TEXT NOT NULL,
    horizon INTEGER NOT NULL,
    model TEXT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (origin, series, horizon, model)`

/** Rows of any series as entries of the log, which has keys of their kind; with these tables a history is of version 2. */
export const SERIES_TABLES = [
  `CREATE TABLE foreproof_series_forecasts (${SERIES_COLUMNS})`,
  `CREATE TABLE foreproof_series_attempts (${SERIES_COLUMNS})`,
  `CREATE TABLE foreproof_series_log_entries (
    log INTEGER NOT NULL,
    leaf_index INTEGER NOT NULL,
    leaf_hash BLOB NOT NULL CHECK (length(leaf_hash) = 32),
    origin TEXT,
    series TEXT,
    horizon INTEGER,
    model TEXT,
    kind TEXT CHECK (kind IN ('forecast', 'attempt')),
    PRIMARY KEY (log, leaf_index)
  ) WITHOUT ROWID`,
  `CREATE INDEX foreproof_series_log_entries_by_key
   ON foreproof_series_log_entries (origin, series, horizon, model, kind, log)`,
  ...movedEntries('foreproof_log_entries', 'foreproof_series_log_entries'),
]

/** What distinguishes the rows of each table; a file without these keys is only read. */
export const TABLE_KEYS = {
  forecast_origins: ['origin_at'],
  forecast_predictions: ['origin_at', 'model_name', 'horizon_hours'],
} as const

/** Columns the writer fills, in this order; a file that lacks one is of an old producer, and is only read. */
export const WRITTEN_COLUMNS = {
  origins: [
    'origin_at',
    'generated_at',
    'source_name',
    'pair',
    'source_price_usd',
    'market_features_json',
    'first_seen_at',
    'last_seen_at',
    'experiment_run_id',
    'configuration_id',
    'experiment_manifest_json',
  ],
  predictions: [
    'origin_at',
    'model_name',
    'horizon_hours',
    'target_at',
    'predicted_price_usd',
    'predicted_change_pct',
    'q10_usd',
    'q50_usd',
    'q90_usd',
    'model_agreement',
  ],
} as const

const KEY_COLUMNS = ['origin_at', 'model_name', 'horizon_hours']
export const ATTEMPT_COLUMNS = [...KEY_COLUMNS, 'status', 'reason', 'recorded_at']

/** The columns of foreproof's own tables. */
export const OWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  foreproof_meta: ['key', 'value'],
  foreproof_attempts: ATTEMPT_COLUMNS,
  foreproof_provenance: [...KEY_COLUMNS, ...Object.keys(PROVENANCE_COLUMNS)],
  foreproof_resources: [...KEY_COLUMNS, 'run_id', 'resource_json'],
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
  foreproof_series_forecasts: [...SERIES_KEY, 'entry'],
  foreproof_series_attempts: [...SERIES_KEY, 'entry'],
  foreproof_series_log_entries: ['log', 'leaf_index', 'leaf_hash', ...SERIES_KEY, 'kind'],
  foreproof_log_checkpoints: ['log', 'size', 'note'],
  foreproof_log_stamps: ['log', 'size', 'authority', 'token'],
}
