import { type Any, type Mutant, mutantsOf } from './mutant.js'

type RowChange = (row: Any) => unknown

/** What can be wrong with one forecast, in a service as in a site. */
export const FORECAST_MUTANTS: readonly Mutant<RowChange>[] = [
  ...mutantsOf<RowChange>({
    'resource-id': {
      'forecast_id of another horizon': (row) => (row.forecast_id += '0'),
      'forecast_id in another order': (row) =>
        (row.forecast_id = `${row.model.name}:${row.origin_at}:${row.horizon_hours}`),
      'forecast_id of another spelling': (row) =>
        (row.forecast_id = row.forecast_id.replace('+00:00', 'Z')),
    },
    'resource-fields': {
      'forecast_id as a number': (row) => (row.forecast_id = 7),
      'seconds since 1970': (row) => (row.target_at = 1_767_225_600),
      'no history_key': (row) => delete row.lineage.history_key,
      'no lineage': (row) => delete row.lineage,
      'no source': (row) => delete row.lineage.source,
      'no manifest': (row) => delete row.lineage.manifest,
      'another pair': (row) => (row.lineage.source.pair = 'ETH/USD'),
      'no model': (row) => delete row.model,
      'the model as text': (row) => (row.model = row.model.name),
      'no configuration_id': (row) => delete row.model.configuration_id,
      'no estimate': (row) => delete row.estimate,
      'no change_pct': (row) => delete row.estimate.change_pct,
      'no run': (row) => delete row.run,
      'no generated_at': (row) => delete row.run.generated_at,
      'no interval': (row) => delete row.interval,
      'no level': (row) => delete row.interval.level,
      'no confidence': (row) => delete row.confidence,
      'no evidence': (row) => delete row.confidence.evidence,
      'no freshness': (row) => delete row.freshness,
      'no target_at': (row) => delete row.target_at,
      'price as text': (row) => (row.estimate.price_usd = '50000'),
      'price null': (row) => (row.estimate.price_usd = null),
    },
    'resource-timestamps': {
      'naive origin_at': (row) => (row.origin_at = row.origin_at.slice(0, 19)),
      'naive target_at': (row) => (row.target_at = row.target_at.slice(0, 19)),
      'naive generated_at': (row) => (row.run.generated_at = row.origin_at.slice(0, 19)),
      'naive history_key': (row) =>
        (row.lineage.history_key.origin_at = row.origin_at.slice(0, 19)),
      'a date for a timestamp': (row) => (row.target_at = row.target_at.slice(0, 10)),
      'a day that does not exist': (row) => (row.target_at = '2026-02-30T00:00:00+00:00'),
    },
    'freshness-fields': {
      'naive observed_at': (row) => (row.freshness.observed_at = row.origin_at.slice(0, 19)),
      'no age': (row) => delete row.freshness.age_seconds,
      'a negative age': (row) => (row.freshness.age_seconds = -5),
      'an age as text': (row) => (row.freshness.age_seconds = '60'),
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
      'horizon negative': (row) => (row.horizon_hours = -2),
      'horizon a fraction': (row) => (row.horizon_hours = 2.5),
    },
    'resource-target': {
      'a target an hour off': (row) => (row.target_at = row.target_at.replace(':00:00', ':30:00')),
    },
    'resource-change': {
      'a change of another price': (row) => (row.estimate.change_pct += 7),
      'a change as a fraction': (row) =>
        (row.estimate.change_pct = row.estimate.change_pct / 100 + 0.1),
    },
    'resource-interval': {
      'interval crossed': (row) => (row.interval.upper_usd = 1),
      'median outside': (row) => (row.interval.median_usd = row.interval.upper_usd + 1),
      'interval partly null': (row) => (row.interval.lower_usd = null),
      'only the median null': (row) => (row.interval.median_usd = null),
    },
    'resource-level': {
      'level 0': (row) => (row.interval.level = 0),
      'level 1': (row) => (row.interval.level = 1),
      'level 80': (row) => (row.interval.level = 80),
    },
    'resource-confidence': {
      'score above 1': (row) => (row.confidence.score = 1.2),
      'score negative': (row) => (row.confidence.score = -0.1),
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
