import { LIMITS, MEDIA_TYPE } from '../limits.js'
import type { JsonSchema } from '../schemas/schema.js'
import { bodyOf, COUNTED, type Json, reference } from './parts.js'

const query = (name: string, description: string, schema: JsonSchema): Json => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

const ORIGIN: JsonSchema = { type: 'string', format: 'date-time' }

const FILTERS = [
  query('origin_from', 'Earliest origin, inclusive. Encode a plus sign as %2B.', ORIGIN),
  query('origin_to', 'Latest origin, inclusive. Encode a plus sign as %2B.', ORIGIN),
  query('horizon_hours', 'Only this horizon.', { type: 'integer', minimum: 1 }),
  query('model', 'Only the model of exactly this name.', { type: 'string' }),
  query('run_id', 'Only the run of exactly this id.', { type: 'string' }),
  query('limit', `Forecasts per page; ${LIMITS.pageDefault} if absent.`, {
    type: 'integer',
    minimum: LIMITS.pageMinimum,
    maximum: LIMITS.pageMaximum,
  }),
  query(
    'cursor',
    'The next_cursor of the page before, with the same filters; never made or changed by a client.',
    { type: 'string' },
  ),
]

const FAILURES_OF_ALL = {
  400: 'InvalidRequest',
  401: 'Unauthorized',
  406: 'NotAcceptable',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'HistoryUnavailable',
}

function route(
  operationId: string,
  summary: string,
  body: string,
  more: { parameters?: readonly Json[]; failures?: Readonly<Record<string, string>> } = {},
): Json {
  const failures = { ...FAILURES_OF_ALL, ...more.failures }
  return {
    get: {
      operationId,
      summary,
      tags: ['dynamic'],
      security: [{ bearer: [] }],
      ...(more.parameters && { parameters: more.parameters }),
      responses: {
        200: { description: summary, headers: COUNTED, content: bodyOf(MEDIA_TYPE, body) },
        ...Object.fromEntries(
          Object.entries(failures).map(([status, name]) => [status, reference('responses', name)]),
        ),
      },
    },
  }
}

const plain = (type: string, schema: JsonSchema): Json => ({ [type]: { schema } })
const TEXT = 'text/plain; charset=utf-8'

function probe(operationId: string, summary: string, responses: Json): Json {
  return { get: { operationId, summary, tags: ['probes'], security: [], responses } }
}

/** The routes that read the history for a client with a key. */
export const DYNAMIC_PATHS: Json = {
  '/v1/forecasts/latest': route(
    'latestForecast',
    'The forecast of the newest origin',
    'LatestBody',
    {
      failures: { 404: 'ForecastNotFound' },
    },
  ),
  '/v1/forecasts': route(
    'listForecasts',
    'Forecasts, newest origin first, then by horizon and model',
    'HistoryBody',
    { parameters: FILTERS },
  ),
  '/v1/health': route('readHealth', 'State of the forecast pipeline', 'HealthBody'),
}

/** The routes for the operator's machinery: without a key, and outside the version. */
export const PROBE_PATHS: Json = {
  '/livez': probe('probeLife', 'Whether the process answers', {
    200: { description: 'It does.', content: plain(TEXT, { const: 'ok\n' }) },
    '4XX': reference('responses', 'InvalidRequest'),
  }),
  '/readyz': probe('probeReadiness', 'Whether the service can be relied on', {
    200: { description: 'Healthy.', content: plain(TEXT, { const: 'ready\n' }) },
    '4XX': reference('responses', 'InvalidRequest'),
    503: { description: 'Anything else.', content: plain(TEXT, { const: 'not ready\n' }) },
  }),
  '/metrics': probe('readMetrics', 'Counters and latency of this process', {
    200: {
      description: 'Prometheus text exposition format.',
      content: plain('text/plain; version=0.0.4; charset=utf-8', { type: 'string' }),
    },
    '4XX': reference('responses', 'InvalidRequest'),
  }),
}
