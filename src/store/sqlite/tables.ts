import { SERIES_KEY } from '../dialect.js'
import { moveEntriesSql } from '../series-rows.js'
import {
  type Columns,
  logTables,
  META,
  PRIMARY_KEYS,
  SERIES_LOG_ENTRIES,
  SERIES_ROW,
} from '../tables.js'

/**
 * Version of foreproof's own tables. A larger number in a file means that a newer foreproof wrote it.
 */
export const LAYOUT_VERSION = 1

const ORDERING_INDEX = 'forecast_predictions_reading_order'

/** The main tables of a history, in the format of the producers. */
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

/** Indexes for filters; only tables that foreproof created get them. */
export const FILTER_INDEXES = `
  CREATE INDEX IF NOT EXISTS forecast_predictions_by_model
  ON forecast_predictions (model_name, origin_at DESC, horizon_hours);
  CREATE INDEX IF NOT EXISTS forecast_predictions_by_horizon
  ON forecast_predictions (horizon_hours, origin_at DESC, model_name);
  CREATE INDEX IF NOT EXISTS forecast_origins_by_run
  ON forecast_origins (experiment_run_id, origin_at);`

const KEY_COLUMNS = {
  origin_at: 'text NOT NULL',
  model_name: 'text NOT NULL',
  horizon_hours: 'integer NOT NULL CHECK (horizon_hours > 0)',
} as const
const KEY = Object.keys(KEY_COLUMNS).join(', ')

const ATTEMPTS = {
  ...KEY_COLUMNS,
  status: "text NOT NULL CHECK (status IN ('failed', 'abstained'))",
  reason: 'text NOT NULL',
  recorded_at: 'text',
} as const
export const ATTEMPT_COLUMNS = Object.keys(ATTEMPTS)

/** foreproof's own tables, with the key of the producers' tables. */
const SIDE_TABLES = {
  meta: META,
  attempts: ATTEMPTS,
  provenance: {
    ...KEY_COLUMNS,
    input_available_at: 'text',
    selection_data_through: 'text',
    vintage_id: 'text',
    vintage_sha256: 'text',
  },
  resources: { ...KEY_COLUMNS, run_id: 'text', resource_json: 'text NOT NULL' },
  ...logTables({ origin_at: 'text', horizon_hours: 'integer', model_name: 'text' }),
}

/** The tables for any series and their log entries. A history with these tables is of version 2. */
const SERIES_TABLE_COLUMNS = {
  series_forecasts: SERIES_ROW,
  series_attempts: SERIES_ROW,
  series_log_entries: SERIES_LOG_ENTRIES,
}

const KEYS: Readonly<Record<string, string>> = {
  ...PRIMARY_KEYS,
  attempts: KEY,
  provenance: KEY,
  resources: KEY,
}

function tableSql([name, columns]: [string, Columns]): string {
  const lines = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  const key = KEYS[name]
  if (key !== undefined) lines.push(`PRIMARY KEY (${key})`)
  const sql = lines.join(', ').replaceAll('bytea', 'blob')
  const rows = name.includes('log_') ? ' WITHOUT ROWID' : ''
  return `CREATE TABLE IF NOT EXISTS foreproof_${name} (${sql})${rows};`
}

export const OWN_TABLES = `${Object.entries(SIDE_TABLES).map(tableSql).join('\n')}
  INSERT OR IGNORE INTO foreproof_meta VALUES ('layout_version', '${LAYOUT_VERSION}');
  CREATE INDEX IF NOT EXISTS foreproof_resources_by_run
  ON foreproof_resources (run_id, origin_at);`

/** Finds a log entry by its key, and lists entries in the order of the rows. */
export const LOG_KEY_INDEX = `
  CREATE INDEX IF NOT EXISTS foreproof_log_entries_by_key
  ON foreproof_log_entries (origin_at, horizon_hours, model_name, kind);`

export const SERIES_TABLES = [
  ...Object.entries(SERIES_TABLE_COLUMNS).map(tableSql),
  `CREATE INDEX foreproof_series_log_entries_by_key
   ON foreproof_series_log_entries (${SERIES_KEY.join(', ')}, kind)`,
  ...moveEntriesSql('foreproof_log_entries', 'foreproof_series_log_entries'),
]

/** The key columns of each table. */
export const TABLE_KEYS = {
  forecast_origins: ['origin_at'],
  forecast_predictions: ['origin_at', 'model_name', 'horizon_hours'],
} as const

/**
 * The columns that the writer fills, in this order. A file that lacks one comes from an old producer and is
 * read-only.
 */
export const WRITTEN_COLUMNS = {
  origins: [
    ...['origin_at', 'generated_at', 'source_name', 'pair', 'source_price_usd'],
    ...['market_features_json', 'first_seen_at', 'last_seen_at'],
    ...['experiment_run_id', 'configuration_id', 'experiment_manifest_json'],
  ],
  predictions: [
    ...['origin_at', 'model_name', 'horizon_hours', 'target_at'],
    ...['predicted_price_usd', 'predicted_change_pct'],
    ...['q10_usd', 'q50_usd', 'q90_usd', 'model_agreement'],
  ],
}

/** The columns of foreproof's own tables. */
export const OWN_COLUMNS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...SIDE_TABLES, ...SERIES_TABLE_COLUMNS }).map(([name, columns]) => [
    `foreproof_${name}`,
    Object.keys(columns),
  ]),
)
