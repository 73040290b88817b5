/**
 * The tables as producers of today write them, by plain SQL: none of foreproof's own code takes part.
 * For tests and benchmarks.
 */
export const PRODUCER_TABLES = `
  CREATE TABLE forecast_origins (
    origin_at TEXT PRIMARY KEY, generated_at TEXT NOT NULL, source_name TEXT, pair TEXT,
    source_price_usd REAL NOT NULL, regime TEXT, market_features_json TEXT NOT NULL,
    first_seen_at TEXT NOT NULL, last_seen_at TEXT NOT NULL,
    experiment_run_id TEXT, configuration_id TEXT, experiment_manifest_json TEXT);
  CREATE TABLE forecast_predictions (
    origin_at TEXT NOT NULL REFERENCES forecast_origins(origin_at), model_name TEXT NOT NULL,
    horizon_hours INTEGER NOT NULL CHECK (horizon_hours > 0), target_at TEXT NOT NULL,
    predicted_price_usd REAL NOT NULL, predicted_change_pct REAL NOT NULL,
    q10_usd REAL, q50_usd REAL, q90_usd REAL, model_agreement REAL,
    PRIMARY KEY (origin_at, model_name, horizon_hours));`

/** The index of the reading order, which not every producer makes. */
export const READING_ORDER =
  'CREATE INDEX reading_order ON forecast_predictions (origin_at DESC, horizon_hours, model_name);'

/** A time as producers write it. @param {number} millis */
export function stamp(millis) {
  return `${new Date(millis).toISOString().slice(0, 19)}+00:00`
}
