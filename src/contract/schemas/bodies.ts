import { API_ERROR_CODES, API_VERSION, HEALTH_STATUSES, LIMITS } from '../limits.js'
import { type JsonSchema, open } from './schema.js'

const version: JsonSchema = { const: API_VERSION }
const forecast: JsonSchema = { $ref: '#/$defs/ForecastResource' }
const forecasts: JsonSchema = { type: 'array', items: forecast }
const freshness: JsonSchema = { $ref: '#/$defs/Freshness' }
const timestamp: JsonSchema = { $ref: '#/$defs/Timestamp' }

/** What `data` of the health route holds. */
export const HEALTH_DATA: JsonSchema = {
  title: 'HealthData',
  description: 'State of the pipeline that makes the forecasts.',
  ...open({
    checked_at: timestamp,
    status: { enum: HEALTH_STATUSES },
    freshness,
    stages: {
      type: 'object',
      additionalProperties: open({
        health: { enum: HEALTH_STATUSES },
        circuit_state: { description: 'closed, half_open or open.', type: 'string', minLength: 1 },
      }),
    },
  }),
}

/** Response bodies; unknown members are allowed in all of them, for version 1 only ever grows. */
export const BODIES = {
  LatestBody: {
    title: 'LatestBody',
    description: 'Answer of the latest route.',
    ...open({ api_version: version, data: forecast, freshness }),
  },
  HistoryBody: {
    title: 'HistoryBody',
    description: 'One page of the forecast history, newest origin first.',
    ...open({
      api_version: version,
      data: { ...forecasts, maxItems: LIMITS.pageMaximum },
      pagination: open({
        limit: { type: 'integer', minimum: LIMITS.pageMinimum, maximum: LIMITS.pageMaximum },
        next_cursor: { description: 'Opaque; null on the last page.', type: ['string', 'null'] },
      }),
      freshness,
    }),
  },
  HealthBody: {
    title: 'HealthBody',
    description: 'Answer of the health route.',
    ...open({ api_version: version, data: { $ref: '#/$defs/HealthData' } }),
  },
  ErrorBody: {
    title: 'ErrorBody',
    description: 'Every answer that is no success.',
    ...open({
      api_version: version,
      error: open({
        code: { enum: API_ERROR_CODES },
        message: { description: 'For people; may change at any time.', type: 'string' },
      }),
    }),
  },
  StaticLatestBody: {
    title: 'StaticLatestBody',
    description: 'latest.json of the static site; data is null while the history is empty.',
    ...open({
      api_version: version,
      snapshot_at: timestamp,
      data: { anyOf: [forecast, { type: 'null' }] },
      freshness,
    }),
  },
  StaticPageBody: {
    title: 'StaticPageBody',
    description: 'forecasts.json and the pages that follow it.',
    ...open({
      api_version: version,
      snapshot_at: timestamp,
      data: forecasts,
      freshness,
      pagination: open({
        page_size: { type: 'integer', minimum: 1 },
        next_url: { description: 'Null on the last page.', type: ['string', 'null'] },
      }),
    }),
  },
} as const satisfies Record<string, JsonSchema>
