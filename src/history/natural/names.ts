import { nearest } from '../../contract/nearest.js'
import type { NaturalColumn } from './columns.js'

/** Other names that such columns have in the wild; they are asked about, never assumed. */
const ALIASES: Readonly<Partial<Record<NaturalColumn, RegExp>>> = {
  origin_at:
    /^(origin|timestamp|ts|time|datetime|date|ds|issued?_at|forecast_origin|reference_(time|date))$/i,
  horizon_hours: /^(horizon|horizon_h|h|hours|lead|lead_time|step)$/i,
  model: /^(model_?name|model_?id|unique_id|forecaster|name)$/i,
  price_usd: /^(y_?hat|prediction|(predicted|forecast)(_price)?(_usd)?|price|point|mean|value)$/i,
  q10_usd: /^(q_?0?\.?10?|p10|lower(_usd)?|lo|yhat_lower)$/i,
  q50_usd: /^(q_?0?\.?50?|p50|median(_usd)?)$/i,
  q90_usd: /^(q_?0?\.?90?|p90|upper(_usd)?|hi|yhat_upper)$/i,
  change_pct: /^(change|pct_change|predicted_change_pct)$/i,
  generated_at: /^(created|generated|made)(_at)?$/i,
  run_id: /^(run|experiment_run_id)$/i,
  configuration_id: /^(config|config_id|configuration)$/i,
  source_price_usd: /^(source_price|origin_price|last_price|spot(_price)?)$/i,
  source_name: /^(source|exchange)$/i,
  model_agreement: /^agreement$/i,
  vintage_id: /^vintage$/i,
}

/** The one of these columns that a name most likely stands for, or undefined. */
export function meant(name: string, columns: readonly NaturalColumn[]): NaturalColumn | undefined {
  const alias = columns.find((column) => ALIASES[column]?.test(name))
  return alias ?? columns.find((column) => column === nearest(name, columns))
}
