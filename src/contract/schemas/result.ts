import { PAIRING_STATUSES } from '../limits.js'
import { closed, type JsonSchema } from './schema.js'

const text: JsonSchema = { type: 'string', minLength: 1 }
const moment: JsonSchema = { $ref: '#/$defs/Timestamp' }
const digest: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const positive: JsonSchema = { type: 'integer', minimum: 1 }
const flag: JsonSchema = { type: 'boolean' }
const figure: JsonSchema = { type: 'number' }
const share: JsonSchema = { type: 'number', minimum: 0 }

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}

function said(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

const hours: JsonSchema = positive
const horizonOrOverall: JsonSchema = said('Hours, or the unweighted mean of the horizons.', {
  anyOf: [hours, { const: 'overall' }],
})
const stratum: JsonSchema = said('Every origin, or one level of one stratum.', {
  anyOf: [{ const: 'all' }, closed({ name: text, level: text })],
})
const bounds: JsonSchema = orNull(closed({ lower: figure, upper: figure }))
const mean: JsonSchema = { type: ['number', 'null'] }
const counts = closed(Object.fromEntries(PAIRING_STATUSES.map((status) => [status, count])))
const reasonCounts: JsonSchema = { type: 'object', additionalProperties: count }
const disposition: JsonSchema = {
  enum: ['blocked', 'eligible_for_human_review', 'negative', 'inconclusive'],
}

const INPUTS = closed({
  protocol: closed({
    version: text,
    sha256: digest,
    ledger_entry_sha256: said('The ledger line that froze it, or null.', orNull(digest)),
  }),
  registration: closed({
    name: text,
    sha256: digest,
    registered_at: moment,
    family_sha256: digest,
    ledger_entry_sha256: said('The ledger line that entered it, or null.', orNull(digest)),
  }),
  history: said(
    'Digest of the rows read for the window, in canonical form and reading order; not of the file.',
    closed({ sha256: digest, rows: count }),
  ),
  vintage: closed({
    id: text,
    sha256: digest,
    source: text,
    first: moment,
    last: moment,
    closes: count,
  }),
  pairs: closed({ sha256: digest, rows: count }),
})

const SETTINGS = closed({
  horizons_hours: listOf(hours),
  from: moment,
  to: moment,
  as_of: moment,
  origins: said('Hourly origins from the first to the last of the window, both included.', count),
  block_length_origins: positive,
  blocks_in_window: said('Whole blocks that fit into the window without overlap.', count),
  replicates: positive,
  seed: { type: 'integer' },
  alpha: { type: 'number', exclusiveMinimum: 0, maximum: 0.05 },
  minimum_pairs: positive,
  minimum_blocks: positive,
  practical_effect_floor: share,
  regression_limit: share,
  direction_limit: share,
  direction_epsilon: share,
  interval_level: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  provenance_required: flag,
})

const ACCOUNTING = closed({
  model: text,
  horizon: { anyOf: [hours, { const: 'all' }] },
  stratum,
  expected: count,
  point: said('The five counts add up to `expected`.', counts),
  interval: counts,
  reasons: said('Attempts that were not scored, by reason.', reasonCounts),
})

const MEASURES = closed({
  model: text,
  horizon: horizonOrOverall,
  stratum,
  pairs: count,
  point_loss: said('Mean absolute log-return error.', mean),
  point_loss_bounds: said(
    'Bootstrap percentiles at 1 - alpha; given over all origins only.',
    bounds,
  ),
  absolute_percent_error: mean,
  log_return_bias: mean,
  percent_bias: mean,
  direction: closed({ eligible: count, accuracy: mean, error_rate: mean }),
  interval: closed({
    pairs: count,
    score: mean,
    pinball: closed({ '0.1': mean, '0.5': mean, '0.9': mean }),
    coverage: mean,
    coverage_bounds: bounds,
    coverage_difference: said('Coverage minus the nominal level.', mean),
    width: said('Mean of upper minus lower bound, in log returns.', mean),
    width_percent: said('Mean width in per cent of the price at the origin.', mean),
  }),
})

const SHARED_KEYS = closed({
  candidate: text,
  comparator: text,
  horizon: hours,
  stratum,
  expected: count,
  shared: count,
  lost: closed({
    candidate_not_scored: count,
    comparator_not_scored: count,
    neither_scored: count,
    vintage_mismatch: count,
  }),
})

const TEST = closed({
  name: text,
  candidate: text,
  comparator: text,
  measure: {
    enum: [
      'point_loss',
      'direction_error',
      'interval_score',
      'pinball_0.1',
      'pinball_0.5',
      'pinball_0.9',
      'coverage',
    ],
  },
  horizon: horizonOrOverall,
  stratum,
  decides: said('True for the tests on which the disposition is decided.', flag),
  pairs: count,
  effective_blocks: count,
  observed: said('Mean of candidate minus comparator over the shared keys.', mean),
  comparator_mean: said('The mean of the comparator over the same keys.', mean),
  bounds: said('Bootstrap percentiles at 1 - alpha.', bounds),
  standard_error: said('Standard deviation of the replicates.', mean),
  p: mean,
  rank: said('Tests with equal p share a rank, and so a multiplier.', orNull(positive)),
  multiplier: orNull(positive),
  p_adjusted: mean,
  bounds_adjusted: said('Bootstrap percentiles at the level of the rung of this test.', bounds),
  decision: { enum: ['rejected', 'not_rejected', 'blocked'] },
  blocked_reasons: listOf(text),
})

const CONTROL = closed({
  name: text,
  kind: { enum: ['copy', 'shift'] },
  expected: said('What every replicate must equal.', figure),
  least: mean,
  greatest: mean,
  passed: flag,
})

const REASON = closed({
  code: {
    enum: [
      'evidence_chain_broken',
      'control_failed',
      'comparison_missing',
      'failure_rate_above_comparator',
      'deciding_test_blocked',
      'significantly_worse',
      'regression_limit_exceeded',
      'direction_limit_exceeded',
      'practical_floor_not_reached',
      'not_significant',
      'regression_not_excluded',
      'direction_loss_not_excluded',
      'direction_not_comparable',
      'retrospective',
      'improvement_established',
    ],
  },
  leads_to: disposition,
  comparator: orNull(text),
  horizon: orNull(horizonOrOverall),
  measure: orNull({ enum: ['point_loss', 'direction_error'] }),
  test: orNull(text),
  found: said('Differences of point losses as a share of the mean of the comparator.', mean),
  limit: mean,
  details: listOf(text),
})

/** What one scoring run found, and from what; the same inputs give the same bytes. */
export const RESULT: JsonSchema = {
  title: 'Result',
  description:
    'What one scoring run found, and from what. Losses and differences are log returns, shares lie between 0 and 1, and null stands where there is nothing to say.',
  ...closed({
    result_version: { const: 1 },
    result_sha256: said('Of the RFC 8785 form of this document without this member.', digest),
    code: said(
      'The package that made this, with a digest of its code that is alike on every machine.',
      closed({ name: text, version: text, sha256: digest }),
    ),
    mode: { enum: ['prospective', 'retrospective'] },
    exploratory: said('True when outcomes had been read under this registration before.', flag),
    earlier_readings: count,
    inputs: INPUTS,
    settings: SETTINGS,
    models: listOf(
      closed({
        name: text,
        role: { enum: ['candidate', 'comparator'] },
        source: { enum: ['history', 'built_in'] },
        required_as: listOf(text),
      }),
    ),
    strata: listOf(closed({ name: text, levels: listOf(closed({ level: text, origins: count })) })),
    accounting: listOf(ACCOUNTING),
    outside_grid: said('Rows that no attempt expected, by reason.', reasonCounts),
    measures: listOf(MEASURES),
    shared_keys: listOf(SHARED_KEYS),
    family: closed({ size: count, sha256: digest, rejected: count, blocked: count }),
    tests: listOf(TEST),
    controls: listOf(CONTROL),
    dispositions: listOf(closed({ candidate: text, disposition, reasons: listOf(REASON) })),
  }),
}
