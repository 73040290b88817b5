import { BODIES } from './bodies.js'
import { type JsonSchema, open } from './schema.js'

const timestamp: JsonSchema = { $ref: '#/$defs/Timestamp' }

/** One line of the read-audit log. The key itself is never part of it. */
export const AUDIT_EVENT: JsonSchema = {
  title: 'AuditEvent',
  description: 'One request to the dynamic service, as its read-audit log records it.',
  ...open(
    {
      timestamp,
      method: { type: 'string' },
      path: { type: 'string' },
      remote_address: { type: ['string', 'null'] },
      status: { type: 'integer', minimum: 100, maximum: 599 },
      latency_seconds: { type: 'number', minimum: 0 },
      forecast_ids: { type: 'array', items: { type: 'string' } },
    },
    {
      key_fingerprint: {
        description:
          'Keyed digest of the API key that was sent, accepted or not; null where none was.',
        type: ['string', 'null'],
      },
      request_id: { type: 'string' },
    },
  ),
}

/** A recorded attempt that gave no forecast. */
export const ATTEMPT: JsonSchema = {
  title: 'Attempt',
  description: 'An attempt at a forecast that failed or was withheld, with the reason recorded.',
  ...open(
    {
      origin_at: timestamp,
      model_name: { type: 'string' },
      horizon_hours: { description: 'Whole hours.', type: 'integer', minimum: 1 },
      status: { enum: ['failed', 'abstained'] },
      reason: { type: 'string', minLength: 1 },
    },
    {
      recorded_at: { anyOf: [timestamp, { type: 'null' }] },
      provenance: { $ref: '#/$defs/Provenance' },
    },
  ),
}

/** One value of what `history import` reads. */
export const HISTORY_LINE: JsonSchema = {
  title: 'HistoryLine',
  description:
    'One value of an import into a forecast history: a forecast, an attempt or an API body.',
  type: 'object',
  anyOf: [
    {
      title: 'Forecast',
      description: 'A forecast resource; its provenance may stand at the top.',
      $ref: '#/$defs/ForecastResource',
      properties: { provenance: { $ref: '#/$defs/Provenance' } },
    },
    ATTEMPT,
    BODIES.LatestBody,
    BODIES.HistoryBody,
    BODIES.StaticLatestBody,
    BODIES.StaticPageBody,
  ],
}
