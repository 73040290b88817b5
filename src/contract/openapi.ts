import { API_VERSION, LIMITS, MEDIA_TYPE, STATIC_ROOT } from './limits.js'
import type { JsonSchema } from './schemas/index.js'
import { bundle, SCHEMA_FILES, type SchemaFileName } from './schemas/index.js'

/** Part of an OpenAPI document: plain JSON. */
type Json = { readonly [key: string]: unknown }

const reference = (kind: string, name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

const bodyContent = (mediaType: string, name: string): Json => ({
  [mediaType]: { schema: reference('schemas', name) },
})

/** The named schemas and all that they refer to, with references in the form of OpenAPI. */
function componentSchemas(names: readonly SchemaFileName[]): Json {
  const ids = names.map((name) => SCHEMA_FILES[name].$id)
  return bundle(ids, '#/components/schemas/')
}

const TEXT: JsonSchema = { type: 'string' }
const DRAFT = 'draft-ietf-httpapi-ratelimit-headers'

const header = (description: string, schema = TEXT): Json => ({ description, schema })

/** Response headers of the dynamic service, by component name. */
const HEADERS = {
  CacheControl: header('Always no-store.'),
  RetryAfter: header('Seconds until the next request is allowed.', { type: 'integer', minimum: 1 }),
  RateLimit: header(`What is left of the window: ${DRAFT}.`),
  RateLimitPolicy: header(`Requests per window: ${DRAFT}.`),
  WwwAuthenticate: header('The scheme to authenticate with: Bearer.'),
}

const headerReferences = (of: Readonly<Record<string, keyof typeof HEADERS>>): Json =>
  Object.fromEntries(Object.entries(of).map(([name, part]) => [name, reference('headers', part)]))

const ALWAYS = { 'Cache-Control': 'CacheControl' } as const
const LIMIT = { RateLimit: 'RateLimit', 'RateLimit-Policy': 'RateLimitPolicy' } as const
const COUNTED = headerReferences({ ...ALWAYS, ...LIMIT })

const failure = (description: string, headers = COUNTED): Json => ({
  description,
  headers,
  content: bodyContent(MEDIA_TYPE, 'ErrorBody'),
})

/** Error answers of the dynamic service, by component name. */
const FAILURES: Json = {
  InvalidRequest: failure('invalid_request: method, path, query, timestamp or cursor is invalid.'),
  Unauthorized: failure(
    'invalid_request: the bearer key is missing, unknown or expired.',
    headerReferences({ ...ALWAYS, 'WWW-Authenticate': 'WwwAuthenticate' }),
  ),
  ForecastNotFound: failure('forecast_not_found: the history is empty.'),
  NotAcceptable: failure(
    'not_acceptable: Accept does not allow the media type of version 1.',
    headerReferences(ALWAYS),
  ),
  RateLimited: failure(
    `rate_limited: more requests than the window allows (${LIMITS.rateLimit} in ${LIMITS.rateWindowSeconds} s ` +
      'unless configured otherwise); or, without the RateLimit headers, too many without an accepted key from one address.',
    headerReferences({ ...ALWAYS, 'Retry-After': 'RetryAfter', ...LIMIT }),
  ),
  InternalError: failure('internal_error: an unexpected failure.'),
  HistoryUnavailable: failure('history_unavailable: history or health state cannot be read.'),
}

const query = (name: string, description: string, schema = TEXT): Json => ({
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
  query('model', 'Only the model of exactly this name.'),
  query('run_id', 'Only the run of exactly this id.'),
  query('limit', `Forecasts per page; ${LIMITS.pageDefault} if absent.`, {
    type: 'integer',
    minimum: LIMITS.pageMinimum,
    maximum: LIMITS.pageMaximum,
  }),
  query(
    'cursor',
    'The next_cursor of the page before, with the same filters; never made or changed by a client.',
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

/** The name of an operation, a short summary, and a description. */
type Operation = readonly [operationId: string, summary: string, description: string]

const get = (
  tag: keyof typeof TAGS,
  [operationId, summary, description]: Operation,
  more: Json,
): Json => ({ get: { operationId, summary, description, tags: [tag], ...more } })

function route(
  operation: Operation,
  body: string,
  more: { parameters?: readonly Json[]; failures?: Readonly<Record<string, string>> } = {},
): Json {
  const failures = Object.entries({ ...FAILURES_OF_ALL, ...more.failures })
  return get('dynamic', operation, {
    security: [{ bearer: [] }],
    ...(more.parameters && { parameters: more.parameters }),
    responses: {
      200: { description: operation[1], headers: COUNTED, content: bodyContent(MEDIA_TYPE, body) },
      ...Object.fromEntries(
        failures.map(([status, name]) => [status, reference('responses', name)]),
      ),
    },
  })
}

/** Without the parameters of the media type, which client generators do not recognise. */
const text = (description: string): Json => ({
  description,
  content: { 'text/plain': { schema: TEXT } },
})

const probe = ([id, summary, description]: Operation, responses: Json): Json =>
  get('probes', [id, summary, `${description} HEAD is answered as well, and a query is ignored.`], {
    security: [],
    responses: { ...responses, 400: reference('responses', 'InvalidRequest') },
  })

/** The routes for clients with a key, which read the history. */
const DYNAMIC_PATHS: Json = {
  '/v1/forecasts/latest': route(
    [
      'latestForecast',
      'The forecast of the newest origin',
      'Where several forecasts have the newest origin, the one with the shortest horizon, then the first model by name. Takes no parameters.',
    ],
    'LatestBody',
    { failures: { 404: 'ForecastNotFound' } },
  ),
  '/v1/forecasts': route(
    [
      'listForecasts',
      'Forecasts, newest origin first, then by horizon and model',
      'One page of the forecasts that match all filters. For the next page, send next_cursor as cursor with the same filters; it is null on the last page. A parameter that is repeated or unknown is refused.',
    ],
    'HistoryBody',
    { parameters: FILTERS },
  ),
  '/v1/health': route(
    [
      'readHealth',
      'State of the forecast pipeline',
      'Answers 200 for every state that can be read, also for degraded and unavailable; 503 means that no state could be read.',
    ],
    'HealthBody',
  ),
}

/** The routes for the operator's infrastructure: without a key, and outside the version. */
const PROBE_PATHS: Json = {
  '/livez': probe(
    [
      'probeLife',
      'Whether the process answers',
      'Answers as long as the process does, in any state of the history.',
    ],
    { 200: text('The process answers: "ok" and a line break.') },
  ),
  '/readyz': probe(
    [
      'probeReadiness',
      'Whether the service can be relied on',
      'Ready means that history and health state can be read, that the forecasts are fresh and that no stage is degraded.',
    ],
    {
      200: text('Healthy: "ready" and a line break.'),
      503: text('Anything else: "not ready" and a line break.'),
    },
  ),
  '/metrics': probe(
    [
      'readMetrics',
      'Counters and latency of this process',
      'Requests, responses by status, failed reads of the history and the 95th percentile of the latency. Counts begin anew with each process.',
    ],
    { 200: text('Prometheus text exposition format, version 0.0.4.') },
  ),
}

const file = (operation: Operation, body: string, parameters?: readonly Json[]): Json =>
  get('static', operation, {
    security: [],
    ...(parameters && { parameters }),
    responses: {
      200: { description: operation[1], content: bodyContent('application/json', body) },
      404: { description: 'No such file; the body is the site’s own.' },
    },
  })

const OF_PLACES = {
  page: 'numbers count from the oldest page, so that a page keeps its number.',
  number: 'Four digits or more; page 0001 holds the oldest forecasts.',
}
const OF_BUILDS = {
  page: 'numbers are of this page and of the build that wrote it, and never used again.',
  number: 'Four digits or more; only next_url says which pages there are.',
}

/**
 * The files of the static site: no key, no query, unchanged until the next build.
 * @param linked whether page numbers include the build.
 */
function staticPaths(linked: boolean): Json {
  const numbers = linked ? OF_BUILDS : OF_PLACES
  return {
    [`${STATIC_ROOT}/forecasts/latest.json`]: file(
      [
        'readLatestFile',
        'The newest forecast, or null while there is none',
        'The first forecast of forecasts.json, by itself. Freshness is that of the moment snapshot_at.',
      ],
      'StaticLatestBody',
    ),
    [`${STATIC_ROOT}/forecasts.json`]: file(
      [
        'readFirstPage',
        'The newest forecasts, newest origin first, then by horizon and model',
        'Follow next_url, which may be relative to the address of its page, until it is null: then every forecast has been read.',
      ],
      'StaticPageBody',
    ),
    [`${STATIC_ROOT}/forecasts/page-{number}.json`]: file(
      [
        'readPage',
        'A continuation page',
        `Reached by the next_url of the page before; ${numbers.page}`,
      ],
      'StaticPageBody',
      [
        {
          name: 'number',
          in: 'path',
          required: true,
          description: numbers.number,
          schema: { type: 'string', pattern: '^[0-9]{4,}$' },
        },
      ],
    ),
  }
}

const TAGS = {
  dynamic: 'Routes of the authenticated service.',
  probes: 'Routes for probes and scrapers.',
  static: 'Files of the public site.',
}

export interface OpenApiOptions {
  /** Which variant the document describes; both if absent. */
  readonly variant?: 'dynamic' | 'static'
  /** Address of the service or site without a final slash, or relative to the document; `/` by default. */
  readonly baseUrl?: string
  /** Whether names of static pages are known only from `next_url`, as in an object store. */
  readonly linkedPages?: boolean
}

/**
 * Makes the OpenAPI 3.1 document of the forecast API from the contract's schemas: for the dynamic service, the static
 * site, or both.
 */
export function openApiDocument(options: OpenApiOptions = {}): Json {
  const { variant, baseUrl, linkedPages = false } = options
  const dynamic = variant !== 'static'
  const isStatic = variant !== 'dynamic'
  const tags = [...(dynamic ? ['dynamic', 'probes'] : []), ...(isStatic ? ['static'] : [])]
  return {
    openapi: '3.1.0',
    info: {
      title: 'BTC/USD forecasts',
      version: API_VERSION,
      summary: 'Read-only snapshots of a durable forecast history.',
      description:
        'A successful answer says that the data was read, not that it is fresh: look at freshness.status. Version 1 only grows, so ignore members you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: tags.map((name) => ({ name, description: TAGS[name as keyof typeof TAGS] })),
    paths: {
      ...(dynamic && { ...DYNAMIC_PATHS, ...PROBE_PATHS }),
      ...(isStatic && staticPaths(linkedPages)),
    },
    components: {
      ...(dynamic && {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the operator.' },
        },
        headers: HEADERS,
        responses: FAILURES,
      }),
      schemas: componentSchemas([
        ...(dynamic ? (['latest', 'history', 'health', 'error'] as const) : []),
        ...(isStatic ? (['static-latest', 'static-page'] as const) : []),
      ]),
    },
  }
}
