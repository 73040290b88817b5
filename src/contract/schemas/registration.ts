import { closed, type JsonSchema } from './schema.js'

/** Names end up in test names and in reports: any text without control characters. */
const name: JsonSchema = { type: 'string', minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }
const text: JsonSchema = { type: 'string', minLength: 1 }
const timestamp: JsonSchema = { $ref: '#/$defs/Timestamp' }
const digest: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const hours: JsonSchema = { type: 'integer', minimum: 1 }

/** Like `closed`, with members that may be left out. */
function closedWith(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return { ...closed(required), properties: { ...required, ...optional } }
}

const MODE: JsonSchema = { enum: ['prospective', 'retrospective'] }
const SOURCE: JsonSchema = {
  description: 'From the forecast history, or computed from the closes by a built-in rule.',
  enum: ['history', 'built_in'],
}
const WINDOW = { from: timestamp, to: timestamp }

const LEVEL = closedWith(
  { level: name },
  {
    hours: {
      description: 'by hour_of_day: hours of the origin in UTC.',
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 23 },
      uniqueItems: true,
      minItems: 1,
    },
    days: {
      description: 'by weekday: days of the origin in UTC.',
      type: 'array',
      items: { enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
      uniqueItems: true,
      minItems: 1,
    },
    regimes: {
      description: 'by regime: values of the regime that the history recorded with the origin.',
      type: 'array',
      items: text,
      uniqueItems: true,
      minItems: 1,
    },
    below: {
      description: 'by volatility or trailing_return: upper cut-point, itself excluded.',
      type: 'number',
    },
    from: { description: 'by period: first origin, included.', ...timestamp },
    to: { description: 'by period: last origin, included.', ...timestamp },
  },
)

/** One partition of the origins; which members it needs depends on `by`. */
export const STRATUM: JsonSchema = {
  title: 'StratumDefinition',
  description: 'A partition of the origins, by memberships or cut-points fixed beforehand.',
  ...closedWith(
    {
      name,
      by: {
        enum: [
          'hour_of_day',
          'weekday',
          'period',
          'regime',
          'volatility',
          'trailing_return',
          'omitted',
        ],
      },
    },
    {
      levels: { type: 'array', items: LEVEL, minItems: 1 },
      lookback_hours: {
        description: 'by volatility or trailing_return: hourly log returns looked back on.',
        ...hours,
      },
      reason: { description: 'by omitted: why the stratum adds no test.', ...text },
    },
  ),
}

export const MODEL_REFERENCE: JsonSchema = {
  title: 'ModelReference',
  description: 'A model of the forecast history, or a built-in baseline.',
  ...closed({ source: SOURCE, name }),
}

const REFERENCE: JsonSchema = { $ref: '#/$defs/ModelReference' }
const STRATA: JsonSchema = { type: 'array', items: { $ref: '#/$defs/StratumDefinition' } }

const LIMITS: Readonly<Record<string, JsonSchema>> = {
  per_horizon_regression: {
    description: "Largest tolerated increase of a horizon's point loss, relative.",
    type: 'number',
    minimum: 0,
  },
  directional_loss: {
    description: 'Largest tolerated increase of the direction error rate, absolute.',
    type: 'number',
    minimum: 0,
    maximum: 1,
  },
  direction_epsilon: {
    description: 'Log returns within plus or minus this have no direction.',
    type: 'number',
    minimum: 0,
  },
}

/** What a researcher writes; `register` makes a registration of it. */
export const PLAN: JsonSchema = {
  title: 'Plan',
  description: 'An evaluation as planned: what foreproof register turns into a registration.',
  ...closedWith(
    {
      plan_version: { const: 1 },
      name,
      mode: MODE,
      window: closed(WINDOW),
      candidates: { type: 'array', items: REFERENCE, minItems: 1 },
      comparators: {
        description: 'By the name under which the protocol requires it: the model behind it.',
        type: 'object',
        additionalProperties: REFERENCE,
      },
      strata: STRATA,
      provenance_required: { type: 'boolean' },
      outcomes: closedWith({ source: text }, { vintage_id: text, vintage_sha256: digest }),
    },
    {
      description: text,
      as_of: {
        description: 'Outcomes up to here count; by default the last target.',
        ...timestamp,
      },
      baseline_pool: {
        description: "By a name of the protocol's simple baseline pool: the built-in behind it.",
        type: 'object',
        additionalProperties: name,
      },
      limits: closedWith({}, LIMITS),
    },
  ),
}

/** An evaluation as registered, before any outcome was read; never changed afterwards. */
export const REGISTRATION: JsonSchema = {
  title: 'Registration',
  description: 'One evaluation with every test by name, fixed before any outcome was read.',
  ...closedWith(
    {
      registration_version: { const: 1 },
      registration_sha256: digest,
      name,
      registered_at: timestamp,
      mode: MODE,
      protocol: closed({ version: text, sha256: digest }),
      window: closed({
        ...WINDOW,
        origins: { description: 'Hourly origins, first and last included.', ...hours },
      }),
      as_of: timestamp,
      horizons_hours: { type: 'array', items: hours, uniqueItems: true, minItems: 1 },
      candidates: { type: 'array', items: REFERENCE, minItems: 1 },
      comparators: {
        type: 'array',
        minItems: 1,
        items: closed({
          source: SOURCE,
          name,
          required_as: {
            description: 'The names under which the protocol requires it.',
            type: 'array',
            items: text,
            uniqueItems: true,
            minItems: 1,
          },
        }),
      },
      baseline_pool: {
        description: 'What strongest_simple chooses from; empty where it is not used.',
        type: 'array',
        items: name,
        uniqueItems: true,
      },
      strata: STRATA,
      limits: closed(LIMITS),
      provenance_required: { type: 'boolean' },
      outcomes: closed({
        source: text,
        vintage_id: { type: ['string', 'null'] },
        vintage_sha256: { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
      }),
      family_size: hours,
      family_sha256: digest,
      family: {
        description: 'The name of every test, in the order of the family.',
        type: 'array',
        items: text,
        uniqueItems: true,
        minItems: 1,
      },
    },
    { description: text },
  ),
}
