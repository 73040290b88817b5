import { parentOf, valueAt } from '../../src/contract/pointer.js'
import type { ForecastResource, Protocol } from '../../src/contract/types.js'

/** A forecast resource that keeps every rule. */
export function forecast(over: Partial<ForecastResource> = {}): ForecastResource {
  return {
    forecast_id: '2026-01-02T03:00:00+00:00:alpha:4',
    origin_at: '2026-01-02T03:00:00+00:00',
    target_at: '2026-01-02T07:00:00+00:00',
    horizon_hours: 4,
    model: { name: 'alpha', configuration_id: 'c0ffee' },
    estimate: { price_usd: 50_500, change_pct: 1 },
    interval: { level: 0.8, lower_usd: 49_000, median_usd: 50_400, upper_usd: 52_000 },
    confidence: { score: 0.75, label: 'model_agreement', evidence: { model_agreement: 0.75 } },
    run: { id: 'run-1', generated_at: '2026-01-02T03:01:00+00:00' },
    lineage: {
      history_key: {
        origin_at: '2026-01-02T03:00:00+00:00',
        model_name: 'alpha',
        horizon_hours: 4,
      },
      source: { name: 'kraken', pair: 'BTC/USD', price_usd: 50_000 },
      manifest: { version: 1, code: 'abc' },
    },
    freshness: { observed_at: '2026-01-02T03:00:00+00:00', age_seconds: 60, status: 'fresh' },
    ...over,
  }
}

/** A protocol that keeps every rule of its schema; its digest is made up. */
export function protocol(): Protocol {
  return {
    schema_version: 1,
    protocol_sha256: '0'.repeat(64),
    protocol_version: 'sample-1',
    issue: 410,
    status: 'frozen_before_evaluation',
    purpose: 'a purpose',
    market: {
      instrument: 'BTC/USD',
      bar_interval_hours: 1,
      outcome: 'an outcome',
      vintage_identity: 'an identity',
    },
    pairing: {
      key: ['origin_at', 'target_at', 'horizon_hours'],
      timestamps: 'timestamps',
      target_rule: 'a rule',
      same_vintage_and_outcome_required: true,
      forecast_information_cutoff: 'a cutoff',
      statuses: ['scored', 'failed', 'abstained', 'missing', 'ineligible'],
      failure_denominator: 'a denominator',
    },
    horizons_hours: [2, 4, 8, 16],
    estimands: {
      point: {
        primary: 'mean_absolute_log_return_error',
        formula: 'a formula',
        rationale: 'a rationale',
        secondary: {
          price_absolute_percent_error: 'a definition',
          signed_log_return_bias: 'a definition',
          signed_price_percent_bias: 'a definition',
          direction: 'a definition',
        },
        invalid_prices: 'a rule',
      },
      interval: {
        separate_from_point_estimand: true,
        outcome: 'an outcome',
        units: 'units',
        bounds: 'bounds',
        quantiles: [0.1, 0.5, 0.9],
        pinball: 'a definition',
        primary_interval_score: 'a definition',
        coverage: 'a definition',
        width: 'a definition',
        bootstrap: 'a method',
        interpretation: 'an interpretation',
      },
      comparisons: {
        required: ['first', 'second', 'third', 'fourth'],
        simple_baseline_pool: ['first'],
        selection: 'a rule',
      },
    },
    sampling: {
      strata: ['regime'],
      minimum_effective_sample: {
        paired_origins_per_horizon: 500,
        effective_independent_blocks_per_comparison: 20,
        rule: 'a rule',
      },
      effective_sample: 'a definition',
    },
    design: {
      selection: 'a rule',
      holdout: 'a rule',
      d3: 'a rule',
      cutoff: 'a rule',
      stopping: 'a rule',
      practical_effect_floor: 0.03,
      practical_effect_definition: 'a definition',
      limits: { per_horizon_regression: 'a limit', directional_loss: 'a limit' },
      disposition: ['one', 'two', 'three', 'four'],
      promotion: 'a rule',
    },
    uncertainty: {
      paired: true,
      method: 'a method',
      block_length_origins: 24,
      overlap_rule: 'a rule',
      replicates: 200_000,
      interval: 'an interval',
      strata_handling: 'a rule',
      multiplicity: {
        method: 'Holm step-down',
        alpha: 0.05,
        registered_test_family: 'a family',
        failure_handling: 'a rule',
      },
      seed: 410,
    },
    immutability: {
      no_peeking: 'a rule',
      changes: 'a rule',
      post_hoc_changes: false,
      score_inspection_during_protocol_design: false,
    },
  }
}

/** A copy of a document with another value in one place. */
export function changedAt(document: object, pointer: string, value: unknown): unknown {
  const copy = structuredClone(document)
  const holder = valueAt(copy, parentOf(pointer) ?? '') as Record<string, unknown>
  holder[pointer.slice(pointer.lastIndexOf('/') + 1)] = value
  return copy
}
