// Made from src/contract/schemas by .ci/generate.mjs: do not edit.

/**
 * How old an observation was when the response was made.
 */
export interface Freshness {
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  observed_at: string
  age_seconds: number
  status: 'fresh' | 'stale' | 'unknown'
}
/**
 * When the inputs of a forecast were known, and on which vintage it was made.
 */
export interface Provenance {
  input_available_at?: string | null
  selection_data_through?: string | null
  vintage_id?: string | null
  vintage_sha256?: string | null
}
/**
 * One forecast: made at an origin, by a model, for a target some hours ahead.
 */
export interface ForecastResource {
  /**
   * origin_at, model.name and horizon_hours, joined by colons.
   */
  forecast_id: string
  /**
   * Close of the last candle the forecast could see.
   */
  origin_at: string
  /**
   * The origin plus the horizon.
   */
  target_at: string
  /**
   * Whole hours.
   */
  horizon_hours: number
  model: {
    name: string
    /**
     * Fingerprint of the configuration in the manifest.
     */
    configuration_id: string | null
  }
  estimate: {
    price_usd: number
    /**
     * Percent, relative to lineage.source.price_usd.
     */
    change_pct: number
  }
  interval: {
    /**
     * Nominal coverage.
     */
    level: number
    /**
     * USD; null only where the run produced no calibrated quantiles.
     */
    lower_usd: number | null
    /**
     * USD; null only where the run produced no calibrated quantiles.
     */
    median_usd: number | null
    /**
     * USD; null only where the run produced no calibrated quantiles.
     */
    upper_usd: number | null
  }
  /**
   * How far the models agreed; no probability.
   */
  confidence: {
    score: number
    label: string
    /**
     * What the score was judged by.
     */
    evidence: {
      [k: string]: unknown
    }
  }
  run: {
    id: string | null
    generated_at: string | null
  }
  lineage: {
    history_key: {
      /**
       * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
       */
      origin_at: string
      model_name: string
      /**
       * Whole hours.
       */
      horizon_hours: number
    }
    source: {
      name: string
      pair: 'BTC/USD'
      price_usd: number
    }
    /**
     * The versioned manifest of the experiment; null with a reason beside it.
     */
    manifest: {
      [k: string]: unknown
    } | null
    /**
     * Why there is no manifest.
     */
    manifest_reason?: string
    /**
     * Why the source has no name.
     */
    source_reason?: string
    provenance?: Provenance
  }
  freshness: Freshness
}
/**
 * State of the pipeline that makes the forecasts.
 */
export interface HealthData {
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  checked_at: string
  status: 'healthy' | 'degraded' | 'unavailable'
  freshness: Freshness
  stages: {
    [k: string]: {
      health: 'healthy' | 'degraded' | 'unavailable'
      /**
       * closed, half_open or open.
       */
      circuit_state: string
    }
  }
}
/**
 * Answer of the latest route.
 */
export interface LatestBody {
  api_version: 'v1'
  data: ForecastResource
  freshness: Freshness
}
/**
 * One page of the forecast history, newest origin first.
 */
export interface HistoryBody {
  api_version: 'v1'
  /**
   * @maxItems 100
   */
  data: ForecastResource[]
  pagination: {
    limit: number
    /**
     * Opaque; null on the last page.
     */
    next_cursor: string | null
  }
  freshness: Freshness
}
/**
 * Answer of the health route.
 */
export interface HealthBody {
  api_version: 'v1'
  data: HealthData
}
/**
 * Every answer that is no success.
 */
export interface ErrorBody {
  api_version: 'v1'
  error: {
    code:
      | 'invalid_request'
      | 'forecast_not_found'
      | 'not_acceptable'
      | 'rate_limited'
      | 'history_unavailable'
      | 'internal_error'
    /**
     * For people; may change at any time.
     */
    message: string
  }
}
/**
 * latest.json of the static site; data is null while the history is empty.
 */
export interface StaticLatestBody {
  api_version: 'v1'
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  snapshot_at: string
  data: ForecastResource | null
  freshness: Freshness
}
/**
 * forecasts.json and the pages that follow it.
 */
export interface StaticPageBody {
  api_version: 'v1'
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  snapshot_at: string
  data: ForecastResource[]
  freshness: Freshness
  pagination: {
    page_size: number
    /**
     * Null on the last page.
     */
    next_url: string | null
  }
}
/**
 * How forecasts will be scored against later outcomes, fixed before these are known.
 */
export interface Protocol {
  schema_version: 1
  protocol_sha256: string
  protocol_version: string
  issue: 410
  status: 'frozen_before_evaluation'
  purpose: string
  market: {
    instrument: 'BTC/USD'
    bar_interval_hours: 1
    outcome: string
    vintage_identity: string
  }
  pairing: {
    key: ['origin_at', 'target_at', 'horizon_hours']
    timestamps: string
    target_rule: string
    same_vintage_and_outcome_required: true
    forecast_information_cutoff: string
    statuses: ['scored', 'failed', 'abstained', 'missing', 'ineligible']
    failure_denominator: string
  }
  horizons_hours: [2, 4, 8, 16]
  estimands: {
    point: {
      primary: 'mean_absolute_log_return_error'
      formula: string
      rationale: string
      secondary: {
        price_absolute_percent_error: string
        signed_log_return_bias: string
        signed_price_percent_bias: string
        direction: string
      }
      invalid_prices: string
    }
    interval: {
      separate_from_point_estimand: true
      outcome: string
      units: string
      bounds: string
      quantiles: [0.1, 0.5, 0.9]
      pinball: string
      primary_interval_score: string
      coverage: string
      width: string
      bootstrap: string
      interpretation: string
    }
    comparisons: {
      /**
       * @minItems 4
       */
      required: string[]
      /**
       * @minItems 1
       */
      simple_baseline_pool: string[]
      selection: string
    }
  }
  sampling: {
    /**
     * @minItems 1
     */
    strata: string[]
    minimum_effective_sample: {
      paired_origins_per_horizon: number
      effective_independent_blocks_per_comparison: number
      rule: string
    }
    effective_sample: string
  }
  design: {
    selection: string
    holdout: string
    d3: string
    cutoff: string
    stopping: string
    practical_effect_floor: number
    practical_effect_definition: string
    limits: {
      per_horizon_regression: string
      directional_loss: string
    }
    /**
     * @minItems 4
     */
    disposition: string[]
    promotion: string
  }
  uncertainty: {
    paired: true
    method: string
    block_length_origins: number
    overlap_rule: string
    replicates: number
    interval: string
    strata_handling: string
    multiplicity: {
      method: 'Holm step-down'
      alpha: number
      registered_test_family: string
      failure_handling: string
    }
    seed: number
  }
  immutability: {
    no_peeking: string
    changes: string
    post_hoc_changes: false
    score_inspection_during_protocol_design: false
  }
}
/**
 * One request to the dynamic service, as its read-audit log records it.
 */
export interface AuditEvent {
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  timestamp: string
  method: string
  path: string
  remote_address: string | null
  status: number
  latency_seconds: number
  forecast_ids: string[]
  /**
   * Keyed digest of the API key that was sent, accepted or not; null where none was.
   */
  key_fingerprint?: string | null
  request_id?: string
}
/**
 * An attempt at a forecast that failed or was withheld, with the reason recorded.
 */
export interface Attempt {
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  origin_at: string
  model_name: string
  /**
   * Whole hours.
   */
  horizon_hours: number
  status: 'failed' | 'abstained'
  reason: string
  recorded_at?: string | null
  provenance?: Provenance
}
/**
 * What one scoring run found, and from what. Losses and differences are log returns, shares lie between 0 and 1, and null stands where there is nothing to say.
 */
export interface Result {
  result_version: 1
  /**
   * Of the RFC 8785 form of this document without this member.
   */
  result_sha256: string
  /**
   * The package that made this, with a digest of its code that is alike on every machine.
   */
  code: {
    name: string
    version: string
    sha256: string
  }
  mode: 'prospective' | 'retrospective'
  /**
   * True when outcomes had been read under this registration before.
   */
  exploratory: boolean
  earlier_readings: number
  inputs: {
    protocol: {
      version: string
      sha256: string
      /**
       * The ledger line that froze it, or null.
       */
      ledger_entry_sha256: string | null
    }
    registration: {
      name: string
      sha256: string
      /**
       * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
       */
      registered_at: string
      family_sha256: string
      /**
       * The ledger line that entered it, or null.
       */
      ledger_entry_sha256: string | null
    }
    /**
     * Digest of the rows read for the window, in canonical form and reading order; not of the file.
     */
    history: {
      sha256: string
      rows: number
    }
    vintage: {
      id: string
      sha256: string
      source: string
      /**
       * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
       */
      first: string
      /**
       * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
       */
      last: string
      closes: number
    }
    pairs: {
      sha256: string
      rows: number
    }
  }
  settings: {
    horizons_hours: number[]
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    from: string
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    to: string
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    as_of: string
    /**
     * Hourly origins from the first to the last of the window, both included.
     */
    origins: number
    block_length_origins: number
    /**
     * Whole blocks that fit into the window without overlap.
     */
    blocks_in_window: number
    replicates: number
    seed: number
    alpha: number
    minimum_pairs: number
    minimum_blocks: number
    practical_effect_floor: number
    regression_limit: number
    direction_limit: number
    direction_epsilon: number
    interval_level: number
    provenance_required: boolean
  }
  models: {
    name: string
    role: 'candidate' | 'comparator'
    source: 'history' | 'built_in'
    required_as: string[]
  }[]
  strata: {
    name: string
    levels: {
      level: string
      origins: number
    }[]
  }[]
  accounting: {
    model: string
    horizon: number | 'all'
    /**
     * Every origin, or one level of one stratum.
     */
    stratum:
      | 'all'
      | {
          name: string
          level: string
        }
    expected: number
    /**
     * The five counts add up to `expected`.
     */
    point: {
      scored: number
      failed: number
      abstained: number
      missing: number
      ineligible: number
    }
    interval: {
      scored: number
      failed: number
      abstained: number
      missing: number
      ineligible: number
    }
    /**
     * Attempts that were not scored, by reason.
     */
    reasons: {
      [k: string]: number
    }
  }[]
  /**
   * Rows that no attempt expected, by reason.
   */
  outside_grid: {
    [k: string]: number
  }
  measures: {
    model: string
    /**
     * Hours, or the unweighted mean of the horizons.
     */
    horizon: number | 'overall'
    /**
     * Every origin, or one level of one stratum.
     */
    stratum:
      | 'all'
      | {
          name: string
          level: string
        }
    pairs: number
    /**
     * Mean absolute log-return error.
     */
    point_loss: number | null
    /**
     * Bootstrap percentiles at 1 - alpha; given over all origins only.
     */
    point_loss_bounds: {
      lower: number
      upper: number
    } | null
    absolute_percent_error: number | null
    log_return_bias: number | null
    percent_bias: number | null
    direction: {
      eligible: number
      accuracy: number | null
      error_rate: number | null
    }
    interval: {
      pairs: number
      score: number | null
      pinball: {
        '0.1': number | null
        '0.5': number | null
        '0.9': number | null
      }
      coverage: number | null
      coverage_bounds: {
        lower: number
        upper: number
      } | null
      /**
       * Coverage minus the nominal level.
       */
      coverage_difference: number | null
      /**
       * Mean of upper minus lower bound, in log returns.
       */
      width: number | null
      /**
       * Mean width in per cent of the price at the origin.
       */
      width_percent: number | null
    }
  }[]
  shared_keys: {
    candidate: string
    comparator: string
    horizon: number
    /**
     * Every origin, or one level of one stratum.
     */
    stratum:
      | 'all'
      | {
          name: string
          level: string
        }
    expected: number
    shared: number
    lost: {
      candidate_not_scored: number
      comparator_not_scored: number
      neither_scored: number
      vintage_mismatch: number
    }
  }[]
  family: {
    size: number
    sha256: string
    rejected: number
    blocked: number
  }
  tests: {
    name: string
    candidate: string
    comparator: string
    measure:
      | 'point_loss'
      | 'direction_error'
      | 'interval_score'
      | 'pinball_0.1'
      | 'pinball_0.5'
      | 'pinball_0.9'
      | 'coverage'
    /**
     * Hours, or the unweighted mean of the horizons.
     */
    horizon: number | 'overall'
    /**
     * Every origin, or one level of one stratum.
     */
    stratum:
      | 'all'
      | {
          name: string
          level: string
        }
    /**
     * True for the tests on which the disposition is decided.
     */
    decides: boolean
    pairs: number
    effective_blocks: number
    /**
     * Mean of candidate minus comparator over the shared keys.
     */
    observed: number | null
    /**
     * The mean of the comparator over the same keys.
     */
    comparator_mean: number | null
    /**
     * Bootstrap percentiles at 1 - alpha.
     */
    bounds: {
      lower: number
      upper: number
    } | null
    /**
     * Standard deviation of the replicates.
     */
    standard_error: number | null
    p: number | null
    /**
     * Tests with equal p share a rank, and so a multiplier.
     */
    rank: number | null
    multiplier: number | null
    p_adjusted: number | null
    /**
     * Bootstrap percentiles at the level of the rung of this test.
     */
    bounds_adjusted: {
      lower: number
      upper: number
    } | null
    decision: 'rejected' | 'not_rejected' | 'blocked'
    blocked_reasons: string[]
  }[]
  controls: {
    name: string
    kind: 'copy' | 'shift'
    /**
     * What every replicate must equal.
     */
    expected: number
    least: number | null
    greatest: number | null
    passed: boolean
  }[]
  dispositions: {
    candidate: string
    disposition: 'blocked' | 'eligible_for_human_review' | 'negative' | 'inconclusive'
    reasons: {
      code:
        | 'evidence_chain_broken'
        | 'control_failed'
        | 'comparison_missing'
        | 'failure_rate_above_comparator'
        | 'deciding_test_blocked'
        | 'significantly_worse'
        | 'regression_limit_exceeded'
        | 'direction_limit_exceeded'
        | 'practical_floor_not_reached'
        | 'not_significant'
        | 'regression_not_excluded'
        | 'direction_loss_not_excluded'
        | 'direction_not_comparable'
        | 'retrospective'
        | 'improvement_established'
      leads_to: 'blocked' | 'eligible_for_human_review' | 'negative' | 'inconclusive'
      comparator: string | null
      horizon: (number | 'overall') | null
      measure: ('point_loss' | 'direction_error') | null
      test: string | null
      /**
       * Differences of point losses as a share of the mean of the comparator.
       */
      found: number | null
      limit: number | null
      details: string[]
    }[]
  }[]
}
/**
 * A model of the forecast history, or a built-in baseline.
 */
export interface ModelReference {
  /**
   * From the forecast history, or computed from the closes by a built-in rule.
   */
  source: 'history' | 'built_in'
  name: string
}
/**
 * A partition of the origins, by memberships or cut-points fixed beforehand.
 */
export interface StratumDefinition {
  name: string
  by: 'hour_of_day' | 'weekday' | 'period' | 'regime' | 'volatility' | 'trailing_return' | 'omitted'
  /**
   * @minItems 1
   */
  levels?: {
    level: string
    /**
     * by hour_of_day: hours of the origin in UTC.
     *
     * @minItems 1
     */
    hours?: number[]
    /**
     * by weekday: days of the origin in UTC.
     *
     * @minItems 1
     */
    days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]
    /**
     * by regime: values of the regime that the history recorded with the origin.
     *
     * @minItems 1
     */
    regimes?: string[]
    /**
     * by volatility or trailing_return: upper cut-point, itself excluded.
     */
    below?: number
    /**
     * by period: first origin, included.
     */
    from?: string
    /**
     * by period: last origin, included.
     */
    to?: string
  }[]
  /**
   * by volatility or trailing_return: hourly log returns looked back on.
   */
  lookback_hours?: number
  /**
   * by omitted: why the stratum adds no test.
   */
  reason?: string
}
/**
 * An evaluation as planned: what foreproof register turns into a registration.
 */
export interface Plan {
  plan_version: 1
  name: string
  mode: 'prospective' | 'retrospective'
  window: {
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    from: string
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    to: string
  }
  /**
   * @minItems 1
   */
  candidates: ModelReference[]
  /**
   * By the name under which the protocol requires it: the model behind it.
   */
  comparators: {
    [k: string]: ModelReference
  }
  strata: StratumDefinition[]
  provenance_required: boolean
  outcomes: {
    source: string
    vintage_id?: string
    vintage_sha256?: string
  }
  description?: string
  /**
   * Outcomes up to here count; by default the last target.
   */
  as_of?: string
  /**
   * By a name of the protocol's simple baseline pool: the built-in behind it.
   */
  baseline_pool?: {
    [k: string]: string
  }
  limits?: {
    /**
     * Largest tolerated increase of a horizon's point loss, relative.
     */
    per_horizon_regression?: number
    /**
     * Largest tolerated increase of the direction error rate, absolute.
     */
    directional_loss?: number
    /**
     * Log returns within plus or minus this have no direction.
     */
    direction_epsilon?: number
  }
}
/**
 * One evaluation with every test by name, fixed before any outcome was read.
 */
export interface Registration {
  registration_version: 1
  registration_sha256: string
  name: string
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  registered_at: string
  mode: 'prospective' | 'retrospective'
  protocol: {
    version: string
    sha256: string
  }
  window: {
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    from: string
    /**
     * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
     */
    to: string
    /**
     * Hourly origins, first and last included.
     */
    origins: number
  }
  /**
   * An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.
   */
  as_of: string
  /**
   * @minItems 1
   */
  horizons_hours: number[]
  /**
   * @minItems 1
   */
  candidates: ModelReference[]
  /**
   * @minItems 1
   */
  comparators: {
    /**
     * From the forecast history, or computed from the closes by a built-in rule.
     */
    source: 'history' | 'built_in'
    name: string
    /**
     * The names under which the protocol requires it.
     *
     * @minItems 1
     */
    required_as: string[]
  }[]
  /**
   * What strongest_simple chooses from; empty where it is not used.
   */
  baseline_pool: string[]
  strata: StratumDefinition[]
  limits: {
    /**
     * Largest tolerated increase of a horizon's point loss, relative.
     */
    per_horizon_regression: number
    /**
     * Largest tolerated increase of the direction error rate, absolute.
     */
    directional_loss: number
    /**
     * Log returns within plus or minus this have no direction.
     */
    direction_epsilon: number
  }
  provenance_required: boolean
  outcomes: {
    source: string
    vintage_id: string | null
    vintage_sha256: string | null
  }
  family_size: number
  family_sha256: string
  /**
   * The name of every test, in the order of the family.
   *
   * @minItems 1
   */
  family: string[]
  description?: string
}
