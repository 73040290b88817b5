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

interface Operation {
  readonly id: string
  readonly summary: string
  readonly description: string
}

function route(
  { id, ...words }: Operation,
  body: string,
  more: { parameters?: readonly Json[]; failures?: Readonly<Record<string, string>> } = {},
): Json {
  const failures = { ...FAILURES_OF_ALL, ...more.failures }
  return {
    get: {
      operationId: id,
      ...words,
      tags: ['dynamic'],
      security: [{ bearer: [] }],
      ...(more.parameters && { parameters: more.parameters }),
      responses: {
        200: { description: words.summary, headers: COUNTED, content: bodyOf(MEDIA_TYPE, body) },
        ...Object.fromEntries(
          Object.entries(failures).map(([status, name]) => [status, reference('responses', name)]),
        ),
      },
    },
  }
}

/** Without the parameters of the media type, which generators of clients do not look for. */
const text = (description: string): Json => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } },
})

function probe({ id, summary, description }: Operation, responses: Json): Json {
  return {
    get: {
      operationId: id,
      summary,
      description: `${description} HEAD is answered as well, and a query is ignored.`,
      tags: ['probes'],
      security: [],
      responses: { ...responses, 400: reference('responses', 'InvalidRequest') },
    },
  }
}

/** The routes that read the history for a client with a key. */
export const DYNAMIC_PATHS: Json = {
  '/v1/forecasts/latest': route(
    {
      id: 'latestForecast',
      summary: 'The forecast of the newest origin',
      description:
        'Where several forecasts have the newest origin, the one with the shortest horizon, then the first model by name. Takes no parameters.',
    },
    'LatestBody',
    { failures: { 404: 'ForecastNotFound' } },
  ),
  '/v1/forecasts': route(
    {
      id: 'listForecasts',
      summary: 'Forecasts, newest origin first, then by horizon and model',
      description:
        'One page of the forecasts that match all filters. For the next page, send next_cursor as cursor with the same filters; it is null on the last page. A parameter that is repeated or unknown is refused.',
    },
    'HistoryBody',
    { parameters: FILTERS },
  ),
  '/v1/health': route(
    {
      id: 'readHealth',
      summary: 'State of the forecast pipeline',
      description:
        'Answers 200 for every state that can be read, also for degraded and unavailable; 503 means that no state could be read.',
    },
    'HealthBody',
  ),
}

/** The routes for the operator's machinery: without a key, and outside the version. */
export const PROBE_PATHS: Json = {
  '/livez': probe(
    {
      id: 'probeLife',
      summary: 'Whether the process answers',
      description: 'Answers as long as the process does, whatever the state of the history.',
    },
    { 200: text('The process answers: "ok" and a line break.') },
  ),
  '/readyz': probe(
    {
      id: 'probeReadiness',
      summary: 'Whether the service can be relied on',
      description:
        'Ready means that history and health state can be read, that the forecasts are fresh and that no stage is degraded.',
    },
    {
      200: text('Healthy: "ready" and a line break.'),
      503: text('Anything else: "not ready" and a line break.'),
    },
  ),
  '/metrics': probe(
    {
      id: 'readMetrics',
      summary: 'Counters and latency of this process',
      description:
        'Requests, responses by status, failed reads of the history and the 95th percentile of the latency. Counts begin anew with each process.',
    },
    { 200: text('Prometheus text exposition format, version 0.0.4.') },
  ),
}
