import { type Any, forEach, type Mutant, mutantsOf } from './mutant.js'

type RowChange = (row: Any) => unknown

/** What can be wrong with one forecast, in a service as in a site. */
export const FORECAST_MUTANTS: readonly Mutant<RowChange>[] = [
  ...mutantsOf<RowChange>({
    'resource-id': {
      'forecast_id of another horizon': (row) => (row.forecast_id += '0'),
      'forecast_id of another spelling': (row) =>
        (row.forecast_id = row.forecast_id.replace('+00:00', 'Z')),
    },
    'resource-fields': {
      'forecast_id as a number': (row) => (row.forecast_id = 7),
      ...forEach(
        ['target_at', 'model', 'estimate', 'interval', 'confidence', 'run', 'lineage'],
        'no %s',
        (name) => (row) => delete row[name],
      ),
      'no history_key': (row) => delete row.lineage.history_key,
      'no source': (row) => delete row.lineage.source,
      'no manifest': (row) => delete row.lineage.manifest,
      'another pair': (row) => (row.lineage.source.pair = 'ETH/USD'),
      'the model as text': (row) => (row.model = row.model.name),
      'no freshness': (row) => delete row.freshness,
      'price as text': (row) => (row.estimate.price_usd = '50000'),
      'price null': (row) => (row.estimate.price_usd = null),
    },
    'resource-timestamps': {
      'naive origin_at': (row) => (row.origin_at = row.origin_at.slice(0, 19)),
      'naive target_at': (row) => (row.target_at = row.target_at.slice(0, 19)),
      'naive generated_at': (row) => (row.run.generated_at = row.origin_at.slice(0, 19)),
      'naive history_key': (row) =>
        (row.lineage.history_key.origin_at = row.origin_at.slice(0, 19)),
      'a day that does not exist': (row) => (row.target_at = '2026-02-30T00:00:00+00:00'),
    },
    'freshness-fields': {
      'naive observed_at': (row) => (row.freshness.observed_at = row.origin_at.slice(0, 19)),
      'no age': (row) => delete row.freshness.age_seconds,
      'a negative age': (row) => (row.freshness.age_seconds = -5),
      'an unknown status': (row) => (row.freshness.status = 'old'),
    },
    'resource-lineage': {
      'history_key of another instant': (row) =>
        (row.lineage.history_key.origin_at = '2026-01-01T00:00:00+00:00'),
      'history_key of another model': (row) => (row.lineage.history_key.model_name = 'x'),
      'history_key of another horizon': (row) => (row.lineage.history_key.horizon_hours = 3),
      'an absent manifest without a reason': (row) => {
        row.lineage.manifest = null
        row.confidence.evidence = { model_agreement: 0.75 }
      },
    },
    'resource-horizon': {
      'horizon zero': (row) => (row.horizon_hours = 0),
      'horizon a fraction': (row) => (row.horizon_hours = 2.5),
    },
    'resource-target': {
      'a target an hour off': (row) => (row.target_at = row.target_at.replace(':00:00', ':30:00')),
    },
    'resource-change': {
      'a change of another price': (row) => (row.estimate.change_pct += 7),
    },
    'resource-interval': {
      'interval crossed': (row) => (row.interval.upper_usd = 1),
      'median outside': (row) => (row.interval.median_usd = row.interval.upper_usd + 1),
      'interval partly null': (row) => (row.interval.lower_usd = null),
    },
    'resource-level': {
      'level 0': (row) => (row.interval.level = 0),
      'level 1': (row) => (row.interval.level = 1),
      'level 80': (row) => (row.interval.level = 80),
    },
    'resource-confidence': {
      'score above 1': (row) => (row.confidence.score = 1.2),
      'unknown with a score': (row) =>
        (row.confidence = { score: 0.5, label: 'unknown', evidence: { reason: 'none' } }),
      'unknown without a reason': (row) =>
        (row.confidence = { score: 0, label: 'unknown', evidence: {} }),
    },
    'freshness-age': {
      'an age of another time': (row) => (row.freshness.age_seconds += 4000),
    },
    'freshness-observed': {
      'an observation of another time': (row) => {
        row.freshness.observed_at = '2026-01-01T00:00:00+00:00'
      },
    },
    'freshness-classes': {
      'another status than its neighbour': (row) => {
        row.freshness.status = row.freshness.status === 'fresh' ? 'stale' : 'fresh'
      },
      'unknown beside a neighbour': (row) => (row.freshness.status = 'unknown'),
    },
  }),
  ['horizon as text', ['resource-horizon'], (row) => (row.horizon_hours = '2')],
  ['level as text', ['resource-level'], (row) => (row.interval.level = '0.8')],
]
