import { PAIR, PAIRING_STATUSES } from '../limits.js'
import { closed, type JsonSchema } from './schema.js'

const text: JsonSchema = { type: 'string', minLength: 1 }
const positive: JsonSchema = { type: 'integer', minimum: 1 }
const yes: JsonSchema = { const: true }
const no: JsonSchema = { const: false }

function uniqueTexts(minItems: number): JsonSchema {
  return { type: 'array', items: text, uniqueItems: true, minItems }
}

const ESTIMANDS = closed({
  point: closed({
    primary: { const: 'mean_absolute_log_return_error' },
    formula: text,
    rationale: text,
    secondary: closed({
      price_absolute_percent_error: text,
      signed_log_return_bias: text,
      signed_price_percent_bias: text,
      direction: text,
    }),
    invalid_prices: text,
  }),
  interval: closed({
    separate_from_point_estimand: yes,
    outcome: text,
    units: text,
    bounds: text,
    quantiles: { const: [0.1, 0.5, 0.9] },
    pinball: text,
    primary_interval_score: text,
    coverage: text,
    width: text,
    bootstrap: text,
    interpretation: text,
  }),
  comparisons: closed({
    required: uniqueTexts(4),
    simple_baseline_pool: uniqueTexts(1),
    selection: text,
  }),
})

const DESIGN = closed({
  selection: text,
  holdout: text,
  d3: text,
  cutoff: text,
  stopping: text,
  practical_effect_floor: { type: 'number', minimum: 0 },
  practical_effect_definition: text,
  limits: closed({ per_horizon_regression: text, directional_loss: text }),
  disposition: uniqueTexts(4),
  promotion: text,
})

const UNCERTAINTY = closed({
  paired: yes,
  method: text,
  block_length_origins: positive,
  overlap_rule: text,
  replicates: positive,
  interval: text,
  strata_handling: text,
  multiplicity: closed({
    method: { const: 'Holm step-down' },
    alpha: { type: 'number', exclusiveMinimum: 0, maximum: 0.05 },
    registered_test_family: text,
    failure_handling: text,
  }),
  seed: { type: 'integer' },
})

/** A frozen prospective scoring protocol: every object is closed and every member required. */
export const PROTOCOL: JsonSchema = {
  title: 'Protocol',
  description: 'How forecasts will be scored against later outcomes, fixed before these are known.',
  ...closed({
    schema_version: { const: 1 },
    protocol_sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    protocol_version: text,
    issue: { const: 410 },
    status: { const: 'frozen_before_evaluation' },
    purpose: text,
    market: closed({
      instrument: { const: PAIR },
      bar_interval_hours: { const: 1 },
      outcome: text,
      vintage_identity: text,
    }),
    pairing: closed({
      key: { const: ['origin_at', 'target_at', 'horizon_hours'] },
      timestamps: text,
      target_rule: text,
      same_vintage_and_outcome_required: yes,
      forecast_information_cutoff: text,
      statuses: { const: PAIRING_STATUSES },
      failure_denominator: text,
    }),
    horizons_hours: { const: [2, 4, 8, 16] },
    estimands: ESTIMANDS,
    sampling: closed({
      strata: uniqueTexts(1),
      minimum_effective_sample: closed({
        paired_origins_per_horizon: positive,
        effective_independent_blocks_per_comparison: positive,
        rule: text,
      }),
      effective_sample: text,
    }),
    design: DESIGN,
    uncertainty: UNCERTAINTY,
    immutability: closed({
      no_peeking: text,
      changes: text,
      post_hoc_changes: no,
      score_inspection_during_protocol_design: no,
    }),
  }),
}
