import { type Any, forEach, type Mutant, mutantsOf } from './mutant.js'

type RowChange = (row: Any) => unknown

const NAIVE = '2026-01-01T00:00:00'

/**
 * What can be wrong with one forecast, in a service as in a site. What the contract finds in a forecast is tried in
 * test/contract/check-payload.test.ts; here, by which rule it is named.
 */
export const FORECAST_MUTANTS: readonly Mutant<RowChange>[] = mutantsOf<RowChange>({
  'resource-id': {
    'forecast_id of another horizon': (row) => (row.forecast_id += '0'),
    'forecast_id with its origin in another spelling': (row) =>
      (row.forecast_id = row.forecast_id.replace('+00:00', 'Z')),
    'origin_at in another spelling than forecast_id': (row) =>
      (row.origin_at = row.origin_at.replace('+00:00', 'Z')),
  },
  'resource-fields': {
    ...forEach(['model', 'interval', 'lineage'], 'no %s', (name) => (row) => delete row[name]),
    'no source': (row) => delete row.lineage.source,
    'another pair': (row) => (row.lineage.source.pair = 'ETH/USD'),
    'price as text': (row) => (row.estimate.price_usd = '50000'),
  },
  'resource-timestamps': {
    'naive origin_at': (row) => (row.origin_at = NAIVE),
    'naive target_at': (row) => (row.target_at = NAIVE),
    'naive generated_at': (row) => (row.run.generated_at = NAIVE),
    'naive history_key': (row) => (row.lineage.history_key.origin_at = NAIVE),
    'a day that does not exist': (row) => (row.target_at = '2026-02-30T00:00:00+00:00'),
  },
  'freshness-fields': {
    'naive observed_at': (row) => (row.freshness.observed_at = NAIVE),
    'no age': (row) => delete row.freshness.age_seconds,
    'an unknown status': (row) => (row.freshness.status = 'old'),
  },
  'resource-lineage': {
    'history_key of another horizon': (row) => (row.lineage.history_key.horizon_hours = 3),
    'an absent manifest without a reason': (row) => {
      row.lineage.manifest = null
      row.confidence.evidence = { model_agreement: 0.75 }
    },
  },
  'resource-horizon': {
    'horizon zero': (row) => (row.horizon_hours = 0),
    'horizon as text': (row) => (row.horizon_hours = '2'),
  },
  'resource-target': {
    'a target an hour off': (row) => (row.target_at = row.target_at.replace(':00:00', ':30:00')),
  },
  'resource-change': {
    'a change of another price': (row) => (row.estimate.change_pct += 7),
  },
  'resource-interval': {
    'interval crossed': (row) => (row.interval.upper_usd = 1),
    'interval partly null': (row) => (row.interval.lower_usd = null),
  },
  'resource-level': {
    'level 0': (row) => (row.interval.level = 0),
    'level 80': (row) => (row.interval.level = 80),
    'level as text': (row) => (row.interval.level = '0.8'),
  },
  'resource-confidence': {
    'score above 1': (row) => (row.confidence.score = 1.2),
    'unknown with a score': (row) => (row.confidence.label = 'unknown'),
    'unknown without a reason': (row) =>
      (row.confidence = { score: 0, label: 'unknown', evidence: {} }),
  },
  'freshness-age': {
    'an age of another time': (row) => (row.freshness.age_seconds += 4000),
  },
  'freshness-observed': {
    'an observation of another time': (row) => (row.freshness.observed_at = `${NAIVE}Z`),
  },
  'freshness-classes': {
    'another status than its neighbour': (row) => {
      row.freshness.status = row.freshness.status === 'fresh' ? 'stale' : 'fresh'
    },
    'unknown beside a neighbour': (row) => (row.freshness.status = 'unknown'),
  },
})
