import type { Any, Mutant } from './mutant.js'

/** What can be wrong with one forecast, in a service as in a site. */
export const FORECAST_MUTANTS: readonly Mutant<(row: Any) => unknown>[] = [
  ['forecast_id of another horizon', 'resource-id', (row) => (row.forecast_id += '0')],
  [
    'forecast_id in another order',
    'resource-id',
    (row) => (row.forecast_id = `${row.model.name}:${row.origin_at}:${row.horizon_hours}`),
  ],
  [
    'forecast_id of another spelling',
    'resource-id',
    (row) => (row.forecast_id = row.forecast_id.replace('+00:00', 'Z')),
  ],
  ['forecast_id as a number', 'resource-fields', (row) => (row.forecast_id = 7)],
  ['naive origin_at', 'resource-timestamps', (row) => (row.origin_at = row.origin_at.slice(0, 19))],
  ['naive target_at', 'resource-timestamps', (row) => (row.target_at = row.target_at.slice(0, 19))],
  [
    'naive generated_at',
    'resource-timestamps',
    (row) => (row.run.generated_at = row.origin_at.slice(0, 19)),
  ],
  [
    'naive history_key',
    'resource-timestamps',
    (row) => (row.lineage.history_key.origin_at = row.origin_at.slice(0, 19)),
  ],
  [
    'naive observed_at',
    'freshness-fields',
    (row) => (row.freshness.observed_at = row.origin_at.slice(0, 19)),
  ],
  [
    'a date for a timestamp',
    'resource-timestamps',
    (row) => (row.target_at = row.target_at.slice(0, 10)),
  ],
  [
    'a day that does not exist',
    'resource-timestamps',
    (row) => (row.target_at = '2026-02-30T00:00:00+00:00'),
  ],
  ['seconds since 1970', ['resource-fields'], (row) => (row.target_at = 1_767_225_600)],
  [
    'history_key of another instant',
    'resource-lineage',
    (row) => (row.lineage.history_key.origin_at = '2026-01-01T00:00:00+00:00'),
  ],
  [
    'history_key of another model',
    'resource-lineage',
    (row) => (row.lineage.history_key.model_name = 'x'),
  ],
  [
    'history_key of another horizon',
    'resource-lineage',
    (row) => (row.lineage.history_key.horizon_hours = 3),
  ],
  ['no history_key', 'resource-fields', (row) => delete row.lineage.history_key],
  ['no lineage', 'resource-fields', (row) => delete row.lineage],
  ['no source', 'resource-fields', (row) => delete row.lineage.source],
  ['no manifest', 'resource-fields', (row) => delete row.lineage.manifest],
  [
    'an absent manifest without a reason',
    'resource-lineage',
    (row) => {
      row.lineage.manifest = null
      row.confidence.evidence = { model_agreement: 0.75 }
    },
  ],
  ['another pair', 'resource-fields', (row) => (row.lineage.source.pair = 'ETH/USD')],
  ['no model', 'resource-fields', (row) => delete row.model],
  ['the model as text', 'resource-fields', (row) => (row.model = row.model.name)],
  ['no configuration_id', 'resource-fields', (row) => delete row.model.configuration_id],
  ['no estimate', 'resource-fields', (row) => delete row.estimate],
  ['no change_pct', 'resource-fields', (row) => delete row.estimate.change_pct],
  ['no run', 'resource-fields', (row) => delete row.run],
  ['no generated_at', 'resource-fields', (row) => delete row.run.generated_at],
  ['no interval', 'resource-fields', (row) => delete row.interval],
  ['no level', ['resource-fields'], (row) => delete row.interval.level],
  ['no confidence', 'resource-fields', (row) => delete row.confidence],
  ['no evidence', 'resource-fields', (row) => delete row.confidence.evidence],
  ['no freshness', 'resource-fields', (row) => delete row.freshness],
  ['no target_at', 'resource-fields', (row) => delete row.target_at],
  ['price as text', 'resource-fields', (row) => (row.estimate.price_usd = '50000')],
  ['price null', 'resource-fields', (row) => (row.estimate.price_usd = null)],
  ['horizon as text', ['resource-horizon'], (row) => (row.horizon_hours = '2')],
  ['horizon zero', 'resource-horizon', (row) => (row.horizon_hours = 0)],
  ['horizon negative', 'resource-horizon', (row) => (row.horizon_hours = -2)],
  ['horizon a fraction', 'resource-horizon', (row) => (row.horizon_hours = 2.5)],
  [
    'a target an hour off',
    'resource-target',
    (row) => (row.target_at = row.target_at.replace(':00:00', ':30:00')),
  ],
  ['a change of another price', 'resource-change', (row) => (row.estimate.change_pct += 7)],
  [
    'a change as a fraction',
    'resource-change',
    (row) => (row.estimate.change_pct = row.estimate.change_pct / 100 + 0.1),
  ],
  ['interval crossed', 'resource-interval', (row) => (row.interval.upper_usd = 1)],
  [
    'median outside',
    'resource-interval',
    (row) => (row.interval.median_usd = row.interval.upper_usd + 1),
  ],
  ['interval partly null', 'resource-interval', (row) => (row.interval.lower_usd = null)],
  ['only the median null', 'resource-interval', (row) => (row.interval.median_usd = null)],
  ['level 0', 'resource-level', (row) => (row.interval.level = 0)],
  ['level 1', 'resource-level', (row) => (row.interval.level = 1)],
  ['level 80', 'resource-level', (row) => (row.interval.level = 80)],
  ['level as text', ['resource-level'], (row) => (row.interval.level = '0.8')],
  ['score above 1', 'resource-confidence', (row) => (row.confidence.score = 1.2)],
  ['score negative', 'resource-confidence', (row) => (row.confidence.score = -0.1)],
  [
    'unknown with a score',
    'resource-confidence',
    (row) => (row.confidence = { score: 0.5, label: 'unknown', evidence: { reason: 'none' } }),
  ],
  [
    'unknown without a reason',
    'resource-confidence',
    (row) => (row.confidence = { score: 0, label: 'unknown', evidence: {} }),
  ],
  ['no age', 'freshness-fields', (row) => delete row.freshness.age_seconds],
  ['a negative age', 'freshness-fields', (row) => (row.freshness.age_seconds = -5)],
  ['an age as text', 'freshness-fields', (row) => (row.freshness.age_seconds = '60')],
  ['an unknown status', 'freshness-fields', (row) => (row.freshness.status = 'old')],
  ['an age of another time', 'freshness-age', (row) => (row.freshness.age_seconds += 4000)],
  [
    'an observation of another time',
    'freshness-observed',
    (row) => {
      row.freshness.observed_at = '2026-01-01T00:00:00+00:00'
    },
  ],
  [
    'another status than its neighbour',
    'freshness-classes',
    (row) => {
      row.freshness.status = row.freshness.status === 'fresh' ? 'stale' : 'fresh'
    },
  ],
  ['unknown beside a neighbour', 'freshness-classes', (row) => (row.freshness.status = 'unknown')],
]
