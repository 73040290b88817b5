import type { Column } from '../../table/types.js'

/**
 * The columns of a forecast as researchers keep them: what `history import` takes and what
 * `history export --format csv|parquet` writes, in this order. The first four make a forecast; of the
 * others any may be absent or empty.
 */
export const NATURAL_COLUMNS = [
  { name: 'origin_at', type: 'instant' },
  { name: 'horizon_hours', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'price_usd', type: 'number' },
  { name: 'q10_usd', type: 'number' },
  { name: 'q50_usd', type: 'number' },
  { name: 'q90_usd', type: 'number' },
  { name: 'change_pct', type: 'number' },
  /** Of an attempt without a forecast: when it was recorded. */
  { name: 'generated_at', type: 'instant' },
  { name: 'run_id', type: 'text' },
  { name: 'configuration_id', type: 'text' },
  { name: 'source_price_usd', type: 'number' },
  { name: 'source_name', type: 'text' },
  { name: 'model_agreement', type: 'number' },
  { name: 'input_available_at', type: 'instant' },
  { name: 'selection_data_through', type: 'instant' },
  { name: 'vintage_id', type: 'text' },
  { name: 'vintage_sha256', type: 'text' },
  /** `failed` or `abstained` in a recorded attempt; null in a forecast. */
  { name: 'status', type: 'text' },
  { name: 'reason', type: 'text' },
] as const satisfies readonly Column[]

export type NaturalColumn = (typeof NATURAL_COLUMNS)[number]['name']
