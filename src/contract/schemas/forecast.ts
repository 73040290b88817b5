import { FRESHNESS_STATUSES, PAIR } from '../limits.js'
import { type JsonSchema, open } from './schema.js'

const TIMESTAMP: JsonSchema = {
  title: 'Timestamp',
  description: 'An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.',
  type: 'string',
  format: 'date-time',
  // What a validator that ignores formats should still see: the shape, and that an offset is there.
  pattern:
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
}

const timestamp: JsonSchema = { $ref: '#/$defs/Timestamp' }
const timestampOrNull: JsonSchema = { anyOf: [timestamp, { type: 'null' }] }
const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const textOrNull: JsonSchema = { type: ['string', 'null'] }
const bound: JsonSchema = {
  description: 'USD; null only where the run produced no calibrated quantiles.',
  type: ['number', 'null'],
}
const horizon: JsonSchema = { description: 'Whole hours.', type: 'integer', minimum: 1 }

const FRESHNESS: JsonSchema = {
  title: 'Freshness',
  description: 'How old an observation was when the response was made.',
  ...open({
    observed_at: timestamp,
    age_seconds: { type: 'number', minimum: 0 },
    status: { enum: FRESHNESS_STATUSES },
  }),
}

const PROVENANCE: JsonSchema = {
  title: 'Provenance',
  description: 'When the inputs of a forecast were known, and on which vintage it was made.',
  ...open(
    {},
    {
      input_available_at: timestampOrNull,
      selection_data_through: timestampOrNull,
      vintage_id: textOrNull,
      vintage_sha256: textOrNull,
    },
  ),
}

const FORECAST: JsonSchema = {
  title: 'ForecastResource',
  description: 'One forecast: made at an origin, by a model, for a target some hours ahead.',
  ...open({
    forecast_id: {
      description: 'origin_at, model.name and horizon_hours, joined by colons.',
      type: 'string',
    },
    origin_at: { description: 'Close of the last candle the forecast could see.', ...timestamp },
    target_at: { description: 'The origin plus the horizon.', ...timestamp },
    horizon_hours: horizon,
    model: open({
      name: text,
      configuration_id: {
        description: 'Fingerprint of the configuration in the manifest.',
        ...textOrNull,
      },
    }),
    estimate: open({
      price_usd: number,
      change_pct: { description: 'Percent, relative to lineage.source.price_usd.', ...number },
    }),
    interval: open({
      level: {
        description: 'Nominal coverage.',
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: 1,
      },
      lower_usd: bound,
      median_usd: bound,
      upper_usd: bound,
    }),
    confidence: {
      description: 'How far the models agreed; no probability.',
      ...open({
        score: { type: 'number', minimum: 0, maximum: 1 },
        label: text,
        evidence: {
          description: 'What the score was judged by.',
          type: 'object',
          additionalProperties: true,
        },
      }),
    },
    run: open({
      id: textOrNull,
      generated_at: timestampOrNull,
    }),
    lineage: open(
      {
        history_key: open({ origin_at: timestamp, model_name: text, horizon_hours: horizon }),
        source: open({ name: text, pair: { const: PAIR }, price_usd: number }),
        manifest: {
          description: 'The versioned manifest of the experiment; null with a reason beside it.',
          type: ['object', 'null'],
          additionalProperties: true,
        },
      },
      {
        manifest_reason: { description: 'Why there is no manifest.', type: 'string' },
        source_reason: { description: 'Why the source has no name.', type: 'string' },
        provenance: { $ref: '#/$defs/Provenance' },
      },
    ),
    freshness: { $ref: '#/$defs/Freshness' },
  }),
}

/** The parts that several bodies share, by the name they have in `$defs` and in OpenAPI. */
export const SHARED = {
  Timestamp: TIMESTAMP,
  Freshness: FRESHNESS,
  Provenance: PROVENANCE,
  ForecastResource: FORECAST,
} as const
